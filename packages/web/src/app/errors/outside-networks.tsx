import { ApiProblem, problems } from '@bi-manager/contract'
import { IconNetworkOff } from '@tabler/icons-react'
import { Button } from '../../ui/button.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'

/** Returns whether the server refuses all calls of this person from where they are. */
export const isOutsideNetworks = (error: unknown): boolean =>
  error instanceof ApiProblem && error.codigo === 'rede_nao_permitida'

interface OutsideNetworksProps {
  isChecking: boolean
  onRetry: () => void
}

/** In place of every page, while the person is outside the networks that the company allows. */
export const OutsideNetworks = ({ isChecking, onRetry }: OutsideNetworksProps) => (
  <PageMessage
    icon={IconNetworkOff}
    heading={problems.rede_nao_permitida.title}
    actions={
      <Button loading={isChecking} onClick={onRetry}>
        Tentar novamente
      </Button>
    }
  >
    {problems.rede_nao_permitida.detail}
  </PageMessage>
)

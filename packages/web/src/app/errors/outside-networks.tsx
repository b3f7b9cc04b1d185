import { problems } from '@bi-manager/contract'
import { IconNetworkOff } from '@tabler/icons-react'
import { Button } from '../../ui/button.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'

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

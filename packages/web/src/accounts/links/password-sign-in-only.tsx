import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { portalQuery } from '../../lib/api/queries.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { PageMessage } from '../../ui/page/page-message.tsx'

/** Replaces pages about passwords when sign-in works through the identity provider only. */
export const PasswordSignInOnly = ({ children }: { children: ReactNode }) => {
  const { data } = useQuery(portalQuery)
  if (data?.entradaComSenha !== false) return children
  return (
    <PageMessage
      icon={IconBuilding}
      heading="Aqui se entra com a conta da empresa"
      actions={<ActionButton isMain label="Voltar para a entrada" to="/" />}
    >
      Nesta instalação a entrada é feita pelo provedor de identidade da empresa: não há senha para criar nem
      para recuperar.
    </PageMessage>
  )
}

import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { portalQuery } from '../../lib/queries.ts'
import { PageMessage } from '../../ui/page-message.tsx'

/** Where people only come in through the identity provider, there is no password to set or to recover. */
export const PasswordSignInOnly = ({ children }: { children: ReactNode }) => {
  const { data } = useQuery(portalQuery)
  if (data?.entradaComSenha !== false) return children
  return (
    <PageMessage
      icon={IconBuilding}
      heading="Aqui se entra com a conta da empresa"
      actions={
        <Button component={Link} to="/">
          Voltar para a entrada
        </Button>
      }
    >
      Nesta instalação a entrada é feita pelo provedor de identidade da empresa: não há senha para criar nem
      para recuperar.
    </PageMessage>
  )
}

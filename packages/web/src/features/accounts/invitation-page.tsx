import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { AccountCard } from './account-card.tsx'
import { LinkCheck } from './link-check.tsx'
import { useLinkToken } from './link-token.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { PasswordSet } from './password-set.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'

/** Where an invitation leads: a greeting, and the person's first password. */
export const InvitationPage = () => {
  const [token = ''] = useLinkToken()
  const [isDone, setDone] = useState(false)
  return (
    <PasswordSignInOnly>
      <LinkCheck
        token={token}
        deadText="O convite já foi usado, venceu ou foi trocado por um mais novo. Se você já definiu a senha, é só entrar; se não, peça outro convite a um administrador."
        deadActions={
          <Button component={Link} to="/">
            Ir para a entrada
          </Button>
        }
      >
        {(link, onDead) =>
          isDone ? (
            <PasswordSet link={link} />
          ) : (
            <AccountCard
              title={`Olá, ${link.nomeUsuario}!`}
              lead={
                <>
                  Você recebeu um convite para o BI Manager. Defina a senha com que vai entrar como{' '}
                  <strong>{link.emailUsuario}</strong>.
                </>
              }
              back="Voltar para a entrada"
            >
              <NewPasswordForm
                token={token}
                link={link}
                labels={['Senha', 'Confirmar senha']}
                button="Definir senha"
                onDone={() => setDone(true)}
                onDead={onDead}
              />
            </AccountCard>
          )
        }
      </LinkCheck>
    </PasswordSignInOnly>
  )
}

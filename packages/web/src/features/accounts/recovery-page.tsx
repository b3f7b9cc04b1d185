import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { AccountCard } from './account-card.tsx'
import { LinkCheck } from './link-check.tsx'
import { useLinkToken } from './link-token.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { PasswordSet } from './password-set.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'
import { RecoveryRequest } from './recovery-request.tsx'

/** Requests the recovery link, and is its target. */
export const RecoveryPage = () => {
  const { token, spend, forget } = useLinkToken()
  return (
    <PasswordSignInOnly>
      {token === undefined ? (
        <RecoveryRequest />
      ) : (
        <Recovery token={token} onUsed={spend} onAskAnew={forget} />
      )}
    </PasswordSignInOnly>
  )
}

interface RecoveryProps {
  token: string
  onUsed: () => void
  onAskAnew: () => void
}

const Recovery = ({ token, onUsed, onAskAnew }: RecoveryProps) => {
  const [isDone, setDone] = useState(false)
  return (
    <LinkCheck
      token={token}
      deadText="Ele já foi usado, venceu ou foi trocado por um mais novo. Os links de recuperação valem por 10 minutos."
      deadActions={
        <>
          <Button variant="default" component={Link} to="/">
            Voltar para a entrada
          </Button>
          <Button onClick={onAskAnew}>Pedir um novo link</Button>
        </>
      }
    >
      {(link, onDead) =>
        isDone ? (
          <PasswordSet link={link} />
        ) : (
          <AccountCard
            title="Nova senha"
            lead={
              <>
                Escolha a nova senha de <strong>{link.emailUsuario}</strong>.
              </>
            }
            back="Voltar para a entrada"
          >
            <NewPasswordForm
              token={token}
              link={link}
              labels={['Nova senha', 'Confirmar nova senha']}
              button="Alterar senha"
              onDone={() => {
                onUsed()
                setDone(true)
              }}
              onDead={onDead}
            />
          </AccountCard>
        )
      }
    </LinkCheck>
  )
}

import { Button } from '@mantine/core'
import { IconMailOpened } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { AccountCard } from './account-card.tsx'
import { LinkCheck } from './link-check.tsx'
import { useLinkToken } from './link-token.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { PasswordSet } from './password-set.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'

/** The target of an invitation's link: sets the user's first password. */
export const InvitationPage = () => {
  const { token, spend } = useLinkToken()
  return (
    <PasswordSignInOnly>
      {token === undefined ? <WithoutLink /> : <Invited token={token} onUsed={spend} />}
    </PasswordSignInOnly>
  )
}

const Invited = ({ token, onUsed }: { token: string; onUsed: () => void }) => {
  const [isDone, setDone] = useState(false)
  return (
    <LinkCheck
      token={token}
      deadText="O convite já foi usado, venceu ou foi trocado por um mais novo. Se você já definiu a senha, é só entrar; se não, peça outro convite a um administrador."
      deadActions={<ToSignIn />}
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

/** Shown without a token; the invitation may still be valid. */
const WithoutLink = () => (
  <PageMessage icon={IconMailOpened} heading="Abra de novo o link do e-mail" actions={<ToSignIn />}>
    Esta página só abre pelo link do convite que você recebeu. Se você já definiu a senha, é só entrar.
  </PageMessage>
)

const ToSignIn = () => (
  <Button component={Link} to="/">
    Ir para a entrada
  </Button>
)

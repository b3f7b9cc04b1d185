import { Button } from '@mantine/core'
import { IconMailCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { PageMessage } from '../../ui/page/page-message.tsx'
import { AccountCard } from './account-card.tsx'
import { PasswordSignInOnly } from './password-sign-in-only.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

export const SignUpPage = () => {
  const [email, setEmail] = useState<string>()
  if (email !== undefined) return <Requested email={email} />
  return (
    <PasswordSignInOnly>
      <AccountCard
        title="Cadastrar conta"
        lead="Peça o seu acesso. Você confirma o e-mail por um link, e um administrador aprova a conta e diz o que você pode ver."
        back="Já tenho conta"
      >
        <SignUpForm onSent={setEmail} />
      </AccountCard>
    </PasswordSignInOnly>
  )
}

/** The same for every request: it does not reveal whether an account exists. */
const Requested = ({ email }: { email: string }) => {
  usePageTitle('Pedido enviado')
  useHeadingFocus()
  return (
    <PageMessage
      icon={IconMailCheck}
      heading="Pedido enviado!"
      actions={
        <Button component={Link} to="/">
          Voltar para a entrada
        </Button>
      }
    >
      Abra o link que enviamos a <strong>{email}</strong> e confirme que o e-mail é seu. Um administrador
      precisa aprovar a sua conta antes do primeiro acesso; a resposta chega por e-mail.
    </PageMessage>
  )
}

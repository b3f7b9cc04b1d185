import type { LinkPurpose } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { signOutOnServer } from '../../lib/api.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { currentSession, endSession } from '../../lib/session.ts'
import { PageMessage } from '../../ui/page-message.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

/** The password is set; from here the person signs in. */
export const PasswordSet = ({ link: { tipo, emailUsuario, aguardaAprovacao } }: { link: LinkPurpose }) => {
  const isFirst = tipo === 'convite'
  const heading = isFirst ? 'Senha definida!' : 'Senha alterada!'
  usePageTitle(heading.slice(0, -1))
  useHeadingFocus()
  // Before anything is seen: who reads that the password is set is signed out.
  useLayoutEffect(leaveSession, [])
  return (
    <PageMessage
      icon={IconCircleCheck}
      heading={heading}
      actions={
        <Button component={Link} to="/" state={{ usuario: emailUsuario }}>
          Entrar
        </Button>
      }
    >
      {aguardaAprovacao && 'O seu e-mail está confirmado. Depois que um administrador aprovar a conta: '}
      {aguardaAprovacao ? 'entre' : 'Entre'} com o e-mail <strong>{emailUsuario}</strong> e a{' '}
      {isFirst ? 'sua senha' : 'nova senha'}.
      {!isFirst && !aguardaAprovacao && ' As sessões abertas em outros aparelhos foram encerradas.'}
    </PageMessage>
  )
}

/** The person's own was ended with the change; another's must not be what 'Entrar' leads to. */
const leaveSession = () => {
  const session = currentSession()
  if (!session) return
  endSession('saiu')
  // Forgotten here in any case; it runs out on the server by itself.
  signOutOnServer(session).catch(() => undefined)
}

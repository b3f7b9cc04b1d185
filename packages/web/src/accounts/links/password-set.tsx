import type { LinkPurpose } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { signOutOnServer } from '../../lib/api/api.ts'
import { currentSession, endSession } from '../../lib/session/session.ts'
import { ResultMessage } from './result-message.tsx'

/** Confirms that the password is set, with a link to the sign-in. */
export const PasswordSet = ({ link: { tipo, emailUsuario, aguardaAprovacao } }: { link: LinkPurpose }) => {
  const isFirst = tipo === 'convite'
  const heading = isFirst ? 'Senha definida!' : 'Senha alterada!'
  // A layout effect, so that the session has ended before this page is painted.
  useLayoutEffect(leaveSession, [])
  return (
    <ResultMessage
      title={heading.slice(0, -1)}
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
    </ResultMessage>
  )
}

/** The server has ended the user's own session; 'Entrar' must not open another user's session. */
const leaveSession = () => {
  const session = currentSession()
  if (!session) return
  endSession('saiu')
  // Errors are ignored: the session is removed here and expires on the server.
  signOutOnServer(session).catch(() => undefined)
}

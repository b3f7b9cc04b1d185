import type { User } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { portalQuery } from '../../lib/api/queries.ts'
import { useSendsMail } from '../../lib/api/use-sends-mail.ts'
import { useSession } from '../../lib/session/session.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import shared from '../../ui/shared.module.css'
import { type UserAction, UserActionDialog } from './user-actions.tsx'

interface AccountSectionProps {
  user: User
  id: string
  heading: string
  text: string
  action: UserAction
  /** The action's button; undefined when the action is not offered. */
  button: string | undefined
  onDone: () => void
}

const AccountSection = ({ user, id, heading, text, action, button, onDone }: AccountSectionProps) => {
  const [isAsked, setAsked] = useState(false)
  return (
    <section className={`${shared.panel} ${shared.spreadWide}`} aria-labelledby={id}>
      <div>
        <h2 id={id} className={shared.subheading}>
          {heading}
        </h2>
        <p className={shared.underHeading}>{text}</p>
      </div>
      {button && (
        <Button variant="default" onClick={() => setAsked(true)}>
          {button}
        </Button>
      )}
      <UserActionDialog
        action={action}
        user={isAsked ? user : undefined}
        onClose={() => setAsked(false)}
        onDone={onDone}
      />
    </section>
  )
}

const useIsOwn = ({ idUsuario }: User) => useSession()?.usuario_id === idUsuario

/** A section below the form of a user whose e-mail is not confirmed. */
export const EmailSection = ({ user }: { user: User }) => {
  const isOwn = useIsOwn(user)
  const { data: portal } = useQuery(portalQuery)
  const sendsMail = useSendsMail()
  const [isSent, setSent] = useState(false)
  if (user.emailComprovado && !isSent) return null
  const isPending = user.situacao === 'PENDENTE'
  const mayInvite = !isSent && !isPending && !isOwn && portal?.entradaComSenha !== false
  return (
    <AccountSection
      user={user}
      id="email-nao-confirmado"
      heading={isSent ? (sendsMail ? 'Convite enviado' : 'Convite criado') : 'E-mail não confirmado'}
      text={
        isSent
          ? `${sendsMail ? '' : 'Nada foi enviado: o convite está na pasta outbox do servidor. '}O e-mail fica confirmado quando a pessoa define a senha pelo link.`
          : isPending
            ? 'Nada mostra que este e-mail é de quem pediu a conta. Até isso, ela não pode ser aprovada; na lista de usuários você pode convidar a pessoa. Se você corrigir o e-mail, um novo link de confirmação vai para o endereço corrigido.'
            : 'Nada mostra que este e-mail é da pessoa. Até isso, não abrem para ela os relatórios com segurança por linha. Se você corrigir o e-mail, um link de confirmação vai para o endereço corrigido.'
      }
      action="inviteMailboxOwner"
      button={mayInvite ? 'Enviar convite' : undefined}
      onDone={() => setSent(true)}
    />
  )
}

/** A section below the form of a user with a second factor. */
export const FactorSection = ({ user }: { user: User }) => {
  const isOwn = useIsOwn(user)
  const [isGone, setGone] = useState(false)
  if (!user.segundoFator) return null
  return (
    <AccountSection
      user={user}
      id="segundo-fator"
      heading="Segundo fator"
      text={
        isGone
          ? 'Redefinido: a pessoa configura outro aparelho quando entrar.'
          : isOwn
            ? 'Ativo. O seu, só outro administrador redefine.'
            : 'Ativo. Redefina-o se a pessoa perdeu o aparelho e os códigos de recuperação.'
      }
      action="resetFactor"
      button={isOwn || isGone ? undefined : 'Redefinir segundo fator'}
      onDone={() => setGone(true)}
    />
  )
}

/** A section below the form of a user whose account is linked to the identity provider. */
export const ProviderSection = ({ user }: { user: User }) => {
  const isOwn = useIsOwn(user)
  const [isGone, setGone] = useState(false)
  if (user.provedorDesde === null) return null
  const since = `Conta ligada desde ${fullTime(user.provedorDesde)}.`
  return (
    <AccountSection
      user={user}
      id="provedor"
      heading="Provedor de identidade"
      text={
        isGone
          ? 'Conta desligada do provedor.'
          : isOwn
            ? `${since} A sua, só outro administrador desliga.`
            : `${since} Desligue-a se a identidade da pessoa no provedor mudou.`
      }
      action="unlinkProvider"
      button={isOwn || isGone ? undefined : 'Desligar do provedor'}
      onDone={() => setGone(true)}
    />
  )
}

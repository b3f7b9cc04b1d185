import { type User, usersApi } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { portalQuery } from '../../lib/api/queries.ts'
import { useSession } from '../../lib/session/session.ts'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import shared from '../../ui/shared.module.css'
import classes from './users.module.css'

interface InviteMailboxOwnerProps {
  /** An active or blocked user whose e-mail is not confirmed; undefined closes the dialog. */
  user: User | undefined
  onClose: () => void
  onInvited: () => void
}

/**
 * Hands an account to the owner of its mailbox: existing credentials are revoked, and an e-mailed
 * link sets a new password.
 */
export const InviteMailboxOwner = ({ user, onClose, onInvited }: InviteMailboxOwnerProps) => (
  <ConfirmDelete
    target={user}
    onClose={onClose}
    question="Enviar convite para confirmar o e-mail?"
    done="Convite enviado!"
    outcome="A pessoa define outra senha pelo link do e-mail, que vale 7 dias. Com isso o e-mail fica confirmado."
    confirm="Enviar convite"
    failed="Não foi possível convidar"
    nameOf={({ nomeUsuario, emailUsuario }) => `${nomeUsuario} (${emailUsuario})`}
    consequence="A senha e o segundo fator desta conta deixam de valer e as sessões abertas terminam na hora. Só quem abre este e-mail define a nova senha. As permissões ficam."
    remove={({ idUsuario: id }) => call(usersApi.inviteAsker, { params: { id }, body: null })}
    onDeleted={onInvited}
  />
)

/** A section below the form of a user whose e-mail is not confirmed. */
export const EmailSection = ({ user, onInvited }: { user: User; onInvited: () => void }) => {
  const session = useSession()
  const { data: portal } = useQuery(portalQuery)
  const [isAsked, setAsked] = useState(false)
  const [isSent, setSent] = useState(false)
  if (user.emailComprovado && !isSent) return null
  const mayInvite =
    !isSent &&
    user.situacao !== 'PENDENTE' &&
    user.idUsuario !== session?.usuario_id &&
    portal?.entradaComSenha !== false
  return (
    <section className={classes.permissions} aria-labelledby="email-nao-confirmado">
      <div>
        <h2 id="email-nao-confirmado" className={shared.subheading}>
          {isSent ? 'Convite enviado' : 'E-mail não confirmado'}
        </h2>
        <p className={shared.underHeading}>
          {isSent
            ? 'O e-mail fica confirmado quando a pessoa define a senha pelo link.'
            : user.situacao === 'PENDENTE'
              ? 'Nada mostra que este e-mail é de quem pediu a conta. Até isso, ela não pode ser aprovada; na lista de usuários você pode convidar a pessoa. Se você corrigir o e-mail, um novo link de confirmação vai para o endereço corrigido.'
              : 'Nada mostra que este e-mail é da pessoa. Até isso, não abrem para ela os relatórios com segurança por linha. Se você corrigir o e-mail, um link de confirmação vai para o endereço corrigido.'}
        </p>
      </div>
      {mayInvite && (
        <Button variant="default" onClick={() => setAsked(true)}>
          Enviar convite
        </Button>
      )}
      <InviteMailboxOwner
        user={isAsked ? user : undefined}
        onClose={() => setAsked(false)}
        onInvited={() => {
          setSent(true)
          onInvited()
        }}
      />
    </section>
  )
}

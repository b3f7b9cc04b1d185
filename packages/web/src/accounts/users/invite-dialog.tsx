import { Invitation, type InvitedUser, type User, usersApi } from '@bi-manager/contract'
import { Button, TextInput } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSendsMail } from '../../lib/api/use-sends-mail.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { focusOnMount, restoreFocusAfterDialog } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { invitationTitle, NoMailAlert } from './no-mail.tsx'

interface InviteDialogProps {
  /** The user whose invitation is sent again; 'new' for a new one; undefined closes the dialog. */
  target: User | 'new' | undefined
  onClose: () => void
  onInvited: () => void
}

/** Sends a link with which the invited user sets a password. */
export const InviteDialog = ({ target, onClose, onInvited }: InviteDialogProps) => {
  const [sentTo, setSentTo] = useState<InvitedUser>()
  const { shown, opening } = useDialogTarget(target, () => setSentTo(undefined))
  const isAgain = shown !== undefined && shown !== 'new'
  const sendsMail = useSendsMail()
  const handleSent = (user: InvitedUser) => {
    onInvited()
    setSentTo(user)
  }
  return (
    <Dialog
      opened={target !== undefined}
      onClose={onClose}
      onExitTransitionEnd={restoreFocusAfterDialog}
      isDone={sentTo !== undefined}
      title={sentTo ? invitationTitle(sendsMail) : isAgain ? 'Reenviar convite' : 'Convidar'}
      size="33rem"
    >
      {sentTo ? (
        <Sent
          user={sentTo}
          sendsMail={sendsMail}
          isAgain={isAgain}
          onClose={onClose}
          onNext={() => setSentTo(undefined)}
        />
      ) : isAgain ? (
        <Again key={opening} user={shown} onCancel={onClose} onSent={handleSent} />
      ) : (
        <InvitationForm key={opening} onCancel={onClose} onSent={handleSent} />
      )}
    </Dialog>
  )
}

interface SendingProps {
  onCancel: () => void
  onSent: (user: InvitedUser) => void
}

const InvitationForm = ({ onCancel, onSent }: SendingProps) => {
  const sendsMail = useSendsMail()
  const [body, setBody] = useState({ nomeUsuario: '', emailUsuario: '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const sending = useSubmission(() => call(usersApi.invite, { body }), onSent)
  const validated = Invitation.safeParse(body)
  const own = Object.fromEntries(
    (validated.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]),
  )
  const faults: Record<string, string> = { ...sending.faults, ...(isSubmitted ? own : {}) }
  const change = (changes: Partial<typeof body>) => {
    sending.forget()
    setBody((before) => ({ ...before, ...changes }))
  }
  const handleSubmit = () => {
    setSubmitted(true)
    if (validated.success) sending.submit()
  }
  return (
    <Form onSubmit={handleSubmit} className={shared.stackLg}>
      {sendsMail ? (
        <p className={shared.breakable}>
          A pessoa recebe um e-mail com um link, válido por 7 dias, para definir a própria senha.
        </p>
      ) : (
        <NoMailAlert linksToRegistration />
      )}
      <TextInput
        label="Nome do usuário"
        maxLength={120}
        autoComplete="off"
        data-autofocus
        value={body.nomeUsuario}
        onChange={(event) => change({ nomeUsuario: event.currentTarget.value })}
        error={faults.nomeUsuario}
      />
      <TextInput
        type="email"
        label="E-mail"
        maxLength={254}
        autoComplete="off"
        spellCheck={false}
        value={body.emailUsuario}
        onChange={(event) => change({ emailUsuario: event.currentTarget.value })}
        error={faults.emailUsuario}
      />
      <ErrorAlert error={sending.problem} />
      <FormAnswers
        submit={sendsMail ? 'Enviar convite' : 'Criar convite'}
        isPending={sending.isPending}
        onCancel={onCancel}
      />
    </Form>
  )
}

const Again = ({ user, onCancel, onSent }: SendingProps & { user: User }) => {
  const { nomeUsuario, emailUsuario } = user
  const sendsMail = useSendsMail()
  const sending = useSubmission(() => call(usersApi.invite, { body: { nomeUsuario, emailUsuario } }), onSent)
  return (
    <Form onSubmit={sending.submit} className={shared.stackLg}>
      <p className={shared.breakable}>
        <strong>{nomeUsuario}</strong> ({emailUsuario}) recebe um link novo, válido por 7 dias. O anterior
        deixa de valer.
      </p>
      {!sendsMail && <NoMailAlert />}
      <ErrorAlert error={sending.problem ?? sending.faults.emailUsuario} />
      <FormAnswers submit="Reenviar convite" isPending={sending.isPending} onCancel={onCancel} />
    </Form>
  )
}

interface SentProps {
  user: InvitedUser
  sendsMail: boolean
  isAgain: boolean
  onClose: () => void
  onNext: () => void
}

const Sent = ({ user, sendsMail, isAgain, onClose, onNext }: SentProps) => (
  <div className={shared.stackLg}>
    <p className={shared.breakable} role="status">
      {sendsMail ? (
        <>
          <strong>{user.nomeUsuario}</strong> define a senha pelo link enviado a {user.emailUsuario}.
        </>
      ) : (
        <>
          Nada foi enviado: o convite de <strong>{user.nomeUsuario}</strong> está na pasta outbox do servidor,
          e a pessoa define a senha pelo link dele.
        </>
      )}
      {user.conviteAnterior && ' O link do convite anterior não vale mais.'}
      {!isAgain && ' Enquanto isso, você já pode liberar relatórios.'}
    </p>
    <div className={dialog.buttons}>
      {!isAgain && (
        <>
          <ActionButton
            icon={IconListCheck}
            label="Editar permissões"
            to={`/editrelatorio/${user.idUsuario}`}
          />
          <Button variant="default" onClick={onNext}>
            Convidar +1
          </Button>
        </>
      )}
      <Button onClick={onClose} ref={focusOnMount}>
        Fechar
      </Button>
    </div>
  </div>
)

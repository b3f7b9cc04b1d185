import { Invitation, type InvitedUser, type User, usersApi } from '@bi-manager/contract'
import { Alert, Button, Modal, TextInput } from '@mantine/core'
import { IconCircleCheck, IconListCheck } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import dialog from '../../ui/dialog.module.css'
import { focusOnMount, restoreFocusAfterDialog } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'
import { useDialogTarget } from '../../ui/use-dialog-target.ts'
import classes from './users.module.css'

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
  const handleSent = (user: InvitedUser) => {
    onInvited()
    setSentTo(user)
  }
  return (
    <Modal
      opened={target !== undefined}
      onClose={onClose}
      onExitTransitionEnd={restoreFocusAfterDialog}
      title={
        <span className={dialog.title}>
          {sentTo && <IconCircleCheck size={26} stroke={1.8} aria-hidden className={shared.successIcon} />}
          {sentTo ? 'Convite enviado!' : isAgain ? 'Reenviar convite' : 'Convidar'}
        </span>
      }
      size="33rem"
      centered
      withCloseButton={false}
    >
      {sentTo ? (
        <Sent user={sentTo} isAgain={isAgain} onClose={onClose} onNext={() => setSentTo(undefined)} />
      ) : isAgain ? (
        <Again key={opening} user={shown} onCancel={onClose} onSent={handleSent} />
      ) : (
        <InvitationForm key={opening} onCancel={onClose} onSent={handleSent} />
      )}
    </Modal>
  )
}

interface SendingProps {
  onCancel: () => void
  onSent: (user: InvitedUser) => void
}

const InvitationForm = ({ onCancel, onSent }: SendingProps) => {
  const [body, setBody] = useState({ nomeUsuario: '', emailUsuario: '' })
  const [isSubmitted, setSubmitted] = useState(false)
  const sending = useSubmission(() => call(usersApi.invite, { body }), onSent)
  const judged = Invitation.safeParse(body)
  const own = Object.fromEntries(
    (judged.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]),
  )
  const faults: Record<string, string> = { ...sending.faults, ...(isSubmitted ? own : {}) }
  const change = (changes: Partial<typeof body>) => {
    sending.forget()
    setBody((before) => ({ ...before, ...changes }))
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (judged.success) sending.submit()
  }
  return (
    <form noValidate onSubmit={handleSubmit} className={classes.dialog}>
      <p className={classes.person}>
        A pessoa recebe um e-mail com um link, válido por 7 dias, para definir a própria senha.
      </p>
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
      <Answers
        label="Enviar convite"
        problem={sending.problem}
        isPending={sending.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

const Again = ({ user, onCancel, onSent }: SendingProps & { user: User }) => {
  const { nomeUsuario, emailUsuario } = user
  const sending = useSubmission(() => call(usersApi.invite, { body: { nomeUsuario, emailUsuario } }), onSent)
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    sending.submit()
  }
  return (
    <form noValidate onSubmit={handleSubmit} className={classes.dialog}>
      <p className={classes.person}>
        <strong>{nomeUsuario}</strong> ({emailUsuario}) recebe um link novo, válido por 7 dias. O anterior
        deixa de valer.
      </p>
      <Answers
        label="Reenviar convite"
        problem={sending.problem ?? sending.faults.emailUsuario}
        isPending={sending.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}

interface AnswersProps {
  label: string
  problem: string | undefined
  isPending: boolean
  onCancel: () => void
}

const Answers = ({ label, problem, isPending, onCancel }: AnswersProps) => (
  <>
    {problem && (
      <Alert color="red" role="alert">
        {problem}
      </Alert>
    )}
    <div className={dialog.answers}>
      <Button variant="default" onClick={onCancel} disabled={isPending}>
        Cancelar
      </Button>
      <Button type="submit" loading={isPending}>
        {label}
      </Button>
    </div>
  </>
)

interface SentProps {
  user: InvitedUser
  isAgain: boolean
  onClose: () => void
  onNext: () => void
}

const Sent = ({ user, isAgain, onClose, onNext }: SentProps) => (
  <div className={classes.dialog}>
    <p className={classes.person} role="status">
      <strong>{user.nomeUsuario}</strong> define a senha pelo link enviado a {user.emailUsuario}.
      {user.conviteAnterior && ' O link do convite anterior não vale mais.'}
      {!isAgain && ' Enquanto isso, você já pode liberar relatórios.'}
    </p>
    <div className={dialog.buttons}>
      {!isAgain && (
        <>
          <Button
            variant="default"
            component={Link}
            to={`/editrelatorio/${user.idUsuario}`}
            leftSection={<IconListCheck size={18} aria-hidden />}
          >
            Editar permissões
          </Button>
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

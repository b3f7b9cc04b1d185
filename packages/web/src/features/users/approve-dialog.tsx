import { ApiProblem, type User, usersApi } from '@bi-manager/contract'
import { Alert, Button, CloseButton, Modal, NativeSelect } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import dialog from '../../ui/dialog.module.css'
import { focusLeftPage, focusOnMount } from '../../ui/page-focus.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { useShown } from '../../ui/use-shown.ts'
import classes from './users.module.css'
import { searchProfiles } from './users-queries.ts'

interface ApproveDialogProps {
  /** Who asked for an account; undefined closes the dialog. */
  user: User | undefined
  onClose: () => void
  /** Approved, or found to be decided already. */
  onDecided: () => void
}

/** Lets a waiting person in: as what, and with which profiles. */
export const ApproveDialog = ({ user, onClose, onDecided }: ApproveDialogProps) => {
  const [isDone, setDone] = useState(false)
  const { shown, opening } = useShown(user, () => setDone(false))
  return (
    <Modal
      opened={user !== undefined}
      onClose={onClose}
      onExitTransitionEnd={focusLeftPage}
      title={
        <span className={dialog.title}>
          {isDone && <IconCircleCheck size={26} stroke={1.8} aria-hidden className={dialog.check} />}
          {isDone ? 'Conta aprovada!' : 'Aprovar conta'}
        </span>
      }
      centered
      withCloseButton={false}
    >
      {shown && (
        <div className={classes.dialog}>
          <p className={classes.person} role={isDone ? 'status' : undefined}>
            <strong>{shown.nomeUsuario}</strong> ({shown.emailUsuario})
            {isDone && ' já pode entrar. Avisamos por e-mail.'}
          </p>
          {isDone ? (
            <div className={dialog.buttons}>
              <Button onClick={onClose} ref={focusOnMount}>
                Fechar
              </Button>
            </div>
          ) : (
            <ApprovalForm
              key={opening}
              user={shown}
              onCancel={onClose}
              onDecided={onDecided}
              onApproved={() => setDone(true)}
            />
          )}
        </div>
      )}
    </Modal>
  )
}

interface ApprovalFormProps {
  user: User
  onCancel: () => void
  onDecided: () => void
  onApproved: () => void
}

const ApprovalForm = ({ user, onCancel, onDecided, onApproved }: ApprovalFormProps) => {
  const [tipoUsuario, setType] = useState<User['tipoUsuario']>('USER')
  const [profiles, setProfiles] = useState<SelectOption[]>([])
  const approving = useSubmission(
    () => {
      const idPerfis = profiles.map(({ value }) => value)
      const input = { params: { id: user.idUsuario }, body: { tipoUsuario, idPerfis } }
      return call(usersApi.approve, input).catch((error: unknown) => {
        if (error instanceof ApiProblem && [404, 409].includes(error.status)) onDecided()
        throw error
      })
    },
    () => {
      onDecided()
      onApproved()
    },
  )
  const isOver = approving.error instanceof ApiProblem && [404, 409].includes(approving.error.status)
  const choose = (chosen: SelectOption[]) => {
    approving.forget()
    setProfiles(chosen)
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    approving.submit()
  }
  return (
    <form noValidate onSubmit={handleSubmit} className={classes.dialog}>
      <NativeSelect
        label="Tipo de conta"
        description="ADMIN cuida dos cadastros e vê tudo."
        data={['USER', 'ADMIN']}
        value={tipoUsuario}
        onChange={(event) => setType(event.currentTarget.value as User['tipoUsuario'])}
        data-autofocus
      />
      <div>
        <SearchSelect
          label="Perfis"
          placeholder="Pesquisar perfil..."
          description="Quem entra num perfil vê os relatórios dele. Você pode escolher vários, ou nenhum."
          emptyText="Sem resultados para essa pesquisa"
          queryKey={['perfis']}
          search={searchProfiles}
          value={null}
          error={approving.faults.idPerfis}
          onChange={(option) =>
            option && choose([...profiles.filter(({ value }) => value !== option.value), option])
          }
        />
        {profiles.length > 0 && (
          <ul className={classes.chosen} aria-label="Perfis escolhidos">
            {profiles.map(({ value, label }) => (
              <li key={value}>
                {label}
                <CloseButton
                  size="md"
                  aria-label={`Tirar ${label}`}
                  onClick={() => choose(profiles.filter((profile) => profile.value !== value))}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      {approving.problem && (
        <Alert color="red" role="alert">
          {approving.problem}
        </Alert>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={onCancel} disabled={approving.isPending}>
          {isOver ? 'Fechar' : 'Cancelar'}
        </Button>
        {!isOver && (
          <Button type="submit" loading={approving.isPending}>
            Aprovar
          </Button>
        )}
      </div>
    </form>
  )
}

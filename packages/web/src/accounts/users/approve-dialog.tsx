import { ApiProblem, type User, usersApi } from '@bi-manager/contract'
import { Alert, Anchor, CloseButton, Group, NativeSelect } from '@mantine/core'
import { IconMailQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { portalQuery } from '../../lib/api/queries.ts'
import { profilesKey } from '../../lib/api/query-keys.ts'
import { useSendsMail } from '../../lib/api/use-sends-mail.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { focusOnMount, restoreFocusAfterDialog } from '../../ui/page-focus.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import shared from '../../ui/shared.module.css'
import { invitationTitle, NoMailAlert } from './no-mail.tsx'
import { searchProfiles } from './users-queries.ts'

interface ApproveDialogProps {
  /** The pending user; undefined closes the dialog. */
  user: User | undefined
  onClose: () => void
  /** Called after the decision, or when another ADMIN has already decided. */
  onDecided: () => void
}

/** Approves a pending account, or invites its e-mail address, with a role and profiles. */
export const ApproveDialog = ({ user, onClose, onDecided }: ApproveDialogProps) => {
  const [done, setDone] = useState<Decision>()
  const { shown, opening } = useDialogTarget(user, () => setDone(undefined))
  const sendsMail = useSendsMail()
  return (
    <Dialog
      opened={user !== undefined}
      onClose={onClose}
      onExitTransitionEnd={restoreFocusAfterDialog}
      isDone={done !== undefined}
      title={
        done
          ? titleOf(done, sendsMail)
          : shown?.emailComprovado === false
            ? 'Convidar pessoa'
            : 'Aprovar conta'
      }
    >
      {shown && (
        <div className={shared.stackLg}>
          <p className={shared.breakable} role={done && 'status'}>
            <strong>{shown.nomeUsuario}</strong> ({shown.emailUsuario})
            {done && (sendsMail ? outcomes : unsentOutcomes)[done]}
          </p>
          {done ? (
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
              onDone={setDone}
            />
          )}
        </div>
      )}
    </Dialog>
  )
}

type Decision = 'approved' | 'invited'

const titleOf = (done: Decision, sendsMail: boolean): string =>
  done === 'approved' ? 'Conta aprovada!' : invitationTitle(sendsMail)

const outcomes = {
  approved: ' já pode entrar. Avisamos por e-mail.',
  invited: ' define outra senha pelo link que enviamos, e com isso confirma o e-mail. O link vale 7 dias.',
}

const unsentOutcomes = {
  approved: ' já pode entrar. Avise a pessoa: este portal não envia e-mails.',
  invited:
    ' define outra senha pelo link do convite, que está na pasta outbox do servidor. Nada foi enviado. O link vale 7 dias.',
}

interface ApprovalFormProps {
  user: User
  onCancel: () => void
  onDecided: () => void
  onDone: (decision: Decision) => void
}

const ApprovalForm = ({ user, onCancel, onDecided, onDone }: ApprovalFormProps) => {
  const [tipoUsuario, setType] = useState<User['tipoUsuario']>('USER')
  const [profiles, setProfiles] = useState<SelectOption[]>([])
  const { data: portal } = useQuery(portalQuery)
  const sendsMail = useSendsMail()
  const isUnproven = !user.emailComprovado
  const mayDecide = !isUnproven || portal?.entradaComSenha !== false
  const approving = useSubmission<unknown>(
    () => {
      const idPerfis = profiles.map(({ value }) => value)
      const input = { params: { id: user.idUsuario }, body: { tipoUsuario, idPerfis } }
      const asked = isUnproven ? call(usersApi.inviteMailboxOwner, input) : call(usersApi.approve, input)
      return asked.catch((error: unknown) => {
        if (error instanceof ApiProblem && [404, 409].includes(error.status)) onDecided()
        throw error
      })
    },
    () => {
      onDecided()
      onDone(isUnproven ? 'invited' : 'approved')
    },
  )
  const isOver = approving.error instanceof ApiProblem && [404, 409].includes(approving.error.status)
  const choose = (chosen: SelectOption[]) => {
    approving.forget()
    setProfiles(chosen)
  }
  return (
    <Form onSubmit={approving.submit} className={shared.stackLg}>
      {isUnproven && <Unproven mayInvite={mayDecide} />}
      {isUnproven && mayDecide && !sendsMail && <NoMailAlert />}
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
          queryKey={profilesKey}
          search={searchProfiles}
          value={null}
          error={approving.faults.idPerfis}
          onChange={(option) =>
            option && choose([...profiles.filter(({ value }) => value !== option.value), option])
          }
        />
        {profiles.length > 0 && (
          <Group component="ul" gap="0.5rem" mt="0.625rem" aria-label="Perfis escolhidos">
            {profiles.map(({ value, label }) => (
              <li key={value} className={`${shared.chip} ${shared.active}`}>
                {label}
                <CloseButton
                  size="md"
                  aria-label={`Tirar ${label}`}
                  onClick={() => choose(profiles.filter((profile) => profile.value !== value))}
                />
              </li>
            ))}
          </Group>
        )}
      </div>
      <ErrorAlert error={approving.problem} />
      {approving.faults.nomeUsuario && (
        <Alert color="red" role="alert">
          {approving.faults.nomeUsuario}{' '}
          <Anchor component={Link} to={`/cadastrar-usuario/${user.idUsuario}`} inherit>
            Editar o cadastro
          </Anchor>
        </Alert>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={onCancel} disabled={approving.isPending}>
          {isOver ? 'Fechar' : 'Cancelar'}
        </Button>
        {!isOver && mayDecide && (
          <Button type="submit" loading={approving.isPending}>
            {!isUnproven ? 'Aprovar' : sendsMail ? 'Enviar convite' : 'Criar convite'}
          </Button>
        )}
      </div>
    </Form>
  )
}

const Unproven = ({ mayInvite }: { mayInvite: boolean }) => (
  <Alert color="yellow" icon={<IconMailQuestion aria-hidden />}>
    <strong>E-mail não confirmado</strong>
    <br />
    {mayInvite
      ? 'Nada mostra que este e-mail é de quem pediu a conta: por isso ela não pode ser aprovada. Espere a pessoa confirmar pelo link que recebeu, ou envie um convite: a senha digitada no cadastro sai, e quem abre o e-mail define outra.'
      : 'O provedor de identidade não confirma este e-mail: por isso a conta não pode ser aprovada. Peça à pessoa que use o link de confirmação que recebeu; outro chega quando ela entra de novo.'}
  </Alert>
)

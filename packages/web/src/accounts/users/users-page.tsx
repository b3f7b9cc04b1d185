import { headingsOf, type User, UserOrder, userEntity, usersApi } from '@bi-manager/contract'
import {
  IconFileImport,
  IconListCheck,
  IconMail,
  IconMailForward,
  IconPlus,
  IconShieldX,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { refreshInBackground } from '../../lib/api/background-refresh.ts'
import { portalQuery } from '../../lib/api/queries.ts'
import { usersKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { exportQuery } from '../../lib/lists/list-state.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { useLiveRefresh } from '../../lib/live/live-refresh.ts'
import { dialogAddresses, useRequestedDialog } from '../../lib/navigation/requested-dialog.ts'
import { useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import { CsvDialog } from '../../ui/csv-import/csv-dialog.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction, EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { UserActionDialog } from './user-actions.tsx'
import { UserBadges } from './user-badges.tsx'
import { UserFilterFields, useUserFilter } from './user-filter.tsx'

// Lazy, so that the list does not load the CSV parser.
const UserImport = lazy(() => import('./user-import.tsx').then((module) => ({ default: module.UserImport })))

const headings = headingsOf(userEntity)
const columns: Column<User, (typeof UserOrder)[number]>[] = [
  {
    label: headings.nomeUsuario,
    sort: 'nomeUsuario',
    isName: true,
    render: ({ nomeUsuario }) => nomeUsuario,
  },
  {
    label: headings.emailUsuario,
    sort: 'emailUsuario',
    width: '26%',
    render: ({ emailUsuario }) => emailUsuario,
  },
  {
    label: headings.tipoUsuario,
    sort: 'tipoUsuario',
    width: '15.75rem',
    render: (user) => <UserBadges {...user} />,
  },
]

type Dialog =
  | { kind: 'approve' | 'refuse' | 'delete' | 'resetFactor' | 'inviteMailboxOwner'; user: User }
  | { kind: 'invite'; user: User | 'new' }
  | { kind: 'import' }

export const UsersPage = () => {
  const queryClient = useQueryClient()
  const narrowing = useUserFilter()
  const list = useList({
    queryKey: usersKey,
    endpoint: usersApi.list,
    fields: UserOrder,
    filter: { ...narrowing.filter },
  })
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const session = useSession()
  const { data: portal } = useQuery(portalQuery)
  const refresh = () => refreshAfter(queryClient, userEntity)
  // Pending users are invited in the approval dialog.
  const mayInviteMailboxOwner = ({ emailComprovado, situacao, convitePendente }: User) =>
    !emailComprovado && situacao !== 'PENDENTE' && !convitePendente && portal?.entradaComSenha !== false
  // A notification may announce a new pending account.
  useLiveRefresh('notificacoes', () => void refreshInBackground(queryClient, usersKey))
  useRequestedDialog((address) => {
    if (address === dialogAddresses.importUsers) setDialog({ kind: 'import' })
    if (address === dialogAddresses.invite && portal?.entradaComSenha !== false)
      setDialog({ kind: 'invite', user: 'new' })
  })
  const register = <ActionButton isMain icon={IconPlus} label="Cadastrar usuário" to="/cadastrar-usuario" />
  return (
    <AdminPage
      title="Usuários"
      lead={list.rows ? countText(list.total, list.isCapped, ['usuário', 'usuários']) : NO_LEAD_YET}
      actions={register}
      moreActions={
        <>
          <ActionButton
            icon={IconFileImport}
            label="Importar CSV"
            onClick={() => setDialog({ kind: 'import' })}
          />
          {portal?.entradaComSenha !== false && (
            <ActionButton
              icon={IconMail}
              label="Convidar"
              onClick={() => setDialog({ kind: 'invite', user: 'new' })}
            />
          )}
        </>
      }
    >
      <DataTable
        list={list}
        label="Usuários"
        searchLabel="Buscar usuário"
        columns={columns}
        rowKey={({ idUsuario }) => idUsuario}
        actionsWidth="16rem"
        actions={(user) => (
          <>
            {user.situacao === 'PENDENTE' && (
              <>
                <RowAction
                  isMain
                  icon={user.emailComprovado ? IconUserCheck : IconMailForward}
                  label={user.emailComprovado ? 'Aprovar' : 'Convidar'}
                  of={user.nomeUsuario}
                  onClick={() => setDialog({ kind: 'approve', user })}
                />
                <RowAction
                  icon={IconUserX}
                  label="Recusar"
                  of={user.nomeUsuario}
                  onClick={() => setDialog({ kind: 'refuse', user })}
                />
              </>
            )}
            {user.convitePendente && portal?.entradaComSenha !== false && (
              <RowAction
                icon={IconMailForward}
                label="Reenviar convite"
                of={`a ${user.nomeUsuario}`}
                onClick={() => setDialog({ kind: 'invite', user })}
              />
            )}
            {mayInviteMailboxOwner(user) && user.idUsuario !== session?.usuario_id && (
              <RowAction
                icon={IconMailForward}
                label="Enviar convite"
                of={`a ${user.nomeUsuario}`}
                onClick={() => setDialog({ kind: 'inviteMailboxOwner', user })}
              />
            )}
            {/* Pending users get their first permissions from the profiles of the approval. */}
            {user.situacao !== 'PENDENTE' && (
              <RowAction
                icon={IconListCheck}
                label="Editar permissões"
                of={`de ${user.nomeUsuario}`}
                to={`/editrelatorio/${user.idUsuario}`}
              />
            )}
            <EditAction of={user.nomeUsuario} to={`/cadastrar-usuario/${user.idUsuario}`} />
            {user.segundoFator && user.idUsuario !== session?.usuario_id && (
              <RowAction
                icon={IconShieldX}
                label="Redefinir segundo fator"
                of={`de ${user.nomeUsuario}`}
                onClick={() => setDialog({ kind: 'resetFactor', user })}
              />
            )}
            <DeleteAction of={user.nomeUsuario} onClick={() => setDialog({ kind: 'delete', user })} />
          </>
        )}
        empty={
          narrowing.isPendingAlone
            ? { text: 'Nenhuma conta pendente.' }
            : { text: 'Nenhum usuário cadastrado ainda.', action: register }
        }
        isFiltered={narrowing.isSet && !narrowing.isPendingAlone}
        tools={
          <>
            <UserFilterFields {...narrowing} />
            <CsvButton
              fileName="usuarios.csv"
              download={() =>
                call(usersApi.exportCsv, { query: { ...exportQuery(list.state), ...narrowing.filter } })
              }
            />
          </>
        }
      />
      {(['delete', 'refuse', 'resetFactor', 'inviteMailboxOwner'] as const).map((action) => (
        <UserActionDialog
          key={action}
          action={action}
          user={dialog?.kind === action ? dialog.user : undefined}
          onClose={close}
          onDone={() => action === 'delete' && list.state.startOver()}
        />
      ))}
      <ApproveDialog
        user={dialog?.kind === 'approve' ? dialog.user : undefined}
        onClose={close}
        onDecided={refresh}
      />
      <InviteDialog
        target={dialog?.kind === 'invite' ? dialog.user : undefined}
        onClose={close}
        onInvited={refresh}
      />
      <CsvDialog
        opened={dialog?.kind === 'import'}
        onClose={close}
        title="Importar usuários"
        lost="o resultado, com as senhas geradas,"
      >
        {(onHold) => <UserImport onClose={close} onImported={refresh} onHold={onHold} />}
      </CsvDialog>
    </AdminPage>
  )
}

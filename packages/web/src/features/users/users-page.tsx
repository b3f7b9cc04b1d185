import { columnsOf, type User, UserOrder, userEntity, usersApi } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import {
  IconFileImport,
  IconListCheck,
  IconMail,
  IconMailForward,
  IconPencil,
  IconPlus,
  IconShieldX,
  IconTrash,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { refreshInBackground } from '../../lib/api/background-refresh.ts'
import { portalQuery } from '../../lib/api/queries.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { exportQuery } from '../../lib/lists/list-state.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { useLiveRefresh } from '../../lib/live/live-refresh.ts'
import { useSession } from '../../lib/session/session.ts'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { InviteMailboxOwner } from './invite-mailbox-owner.tsx'
import { ResetFactor } from './reset-factor.tsx'
import { UserBadges } from './user-badges.tsx'
import { UserFilterFields, useUserFilter } from './user-filter.tsx'
import { usersKey } from './users-queries.ts'

const headings = columnsOf(userEntity)
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
  const register = (
    <Button component={Link} to="/cadastrar-usuario" leftSection={<IconPlus size={18} aria-hidden />}>
      Cadastrar usuário
    </Button>
  )
  return (
    <AdminPage
      title="Usuários"
      lead={list.rows && countText(list.total, list.isCapped, ['usuário', 'usuários'])}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileImport size={18} aria-hidden />}
            onClick={() => setDialog({ kind: 'import' })}
          >
            Importar CSV
          </Button>
          {portal?.entradaComSenha !== false && (
            <Button
              variant="default"
              leftSection={<IconMail size={18} aria-hidden />}
              onClick={() => setDialog({ kind: 'invite', user: 'new' })}
            >
              Convidar
            </Button>
          )}
          {register}
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
            <RowAction
              icon={IconPencil}
              label="Editar"
              of={user.nomeUsuario}
              to={`/cadastrar-usuario/${user.idUsuario}`}
            />
            {user.segundoFator && user.idUsuario !== session?.usuario_id && (
              <RowAction
                icon={IconShieldX}
                label="Redefinir segundo fator"
                of={`de ${user.nomeUsuario}`}
                onClick={() => setDialog({ kind: 'resetFactor', user })}
              />
            )}
            <RowAction
              icon={IconTrash}
              color="red"
              label="Excluir"
              of={user.nomeUsuario}
              onClick={() => setDialog({ kind: 'delete', user })}
            />
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
      <ConfirmDelete
        target={dialog?.kind === 'delete' ? dialog.user : undefined}
        onClose={close}
        question="Deseja mesmo excluir esse usuário?"
        done="Usuário excluído!"
        nameOf={({ nomeUsuario, emailUsuario }) => `${nomeUsuario} (${emailUsuario})`}
        consequence="As permissões dessa pessoa saem junto e as sessões abertas terminam na hora."
        remove={({ idUsuario: id }) => call(usersApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, userEntity)
        }}
      />
      <ApproveDialog
        user={dialog?.kind === 'approve' ? dialog.user : undefined}
        onClose={close}
        onDecided={refresh}
      />
      <ConfirmDelete
        target={dialog?.kind === 'refuse' ? dialog.user : undefined}
        onClose={close}
        question="Deseja mesmo recusar esse pedido de conta?"
        done="Pedido recusado!"
        outcome="O pedido foi excluído, e a pessoa recebe um e-mail que diz isso. Ela pode pedir outra conta."
        confirm="Sim, recusar"
        failed="Não foi possível recusar"
        nameOf={({ nomeUsuario, emailUsuario }) => `${nomeUsuario} (${emailUsuario})`}
        consequence="O pedido é excluído e a pessoa é avisada por e-mail."
        remove={({ idUsuario: id }) => call(usersApi.refuse, { params: { id } }).finally(refresh)}
        onDeleted={refresh}
      />
      <ResetFactor
        user={dialog?.kind === 'resetFactor' ? dialog.user : undefined}
        onClose={close}
        onReset={refresh}
      />
      <InviteMailboxOwner
        user={dialog?.kind === 'inviteMailboxOwner' ? dialog.user : undefined}
        onClose={close}
        onInvited={refresh}
      />
      <InviteDialog
        target={dialog?.kind === 'invite' ? dialog.user : undefined}
        onClose={close}
        onInvited={refresh}
      />
      <ImportDialog opened={dialog?.kind === 'import'} onClose={close} onImported={refresh} />
    </AdminPage>
  )
}

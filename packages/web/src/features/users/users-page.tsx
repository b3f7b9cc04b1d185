import { type User, UserOrder, usersApi } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconFileImport, IconListCheck, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api.ts'
import { exportQuery } from '../../lib/list-state.ts'
import { refreshAfter } from '../../lib/refresh-after.ts'
import { useList } from '../../lib/use-list.ts'
import { AdminPage } from '../../ui/admin-page.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { UserBadges } from './user-badges.tsx'
import { UserFilterFields, useUserFilter } from './user-filter.tsx'
import { usersKey } from './users-queries.ts'

const columns: Column<User, (typeof UserOrder)[number]>[] = [
  { label: 'Nome do usuário', sort: 'nomeUsuario', isName: true, render: ({ nomeUsuario }) => nomeUsuario },
  { label: 'E-mail', sort: 'emailUsuario', width: '34%', render: ({ emailUsuario }) => emailUsuario },
  { label: 'Perfil', sort: 'tipoUsuario', width: '11rem', render: (user) => <UserBadges {...user} /> },
]

export const UsersPage = () => {
  const queryClient = useQueryClient()
  const narrowing = useUserFilter()
  const list = useList({
    queryKey: usersKey,
    endpoint: usersApi.list,
    fields: UserOrder,
    filter: { ...narrowing.filter },
  })
  const [doomed, setDoomed] = useState<User>()
  const [isImporting, setImporting] = useState(false)
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
            onClick={() => setImporting(true)}
          >
            Importar CSV
          </Button>
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
        actions={(user) => (
          <>
            <RowAction
              icon={IconListCheck}
              label="Editar permissões"
              of={`de ${user.nomeUsuario}`}
              to={`/editrelatorio/${user.idUsuario}`}
            />
            <RowAction
              icon={IconPencil}
              label="Editar"
              of={user.nomeUsuario}
              to={`/cadastrar-usuario/${user.idUsuario}`}
            />
            <RowAction
              icon={IconTrash}
              color="red"
              label="Excluir"
              of={user.nomeUsuario}
              onClick={() => setDoomed(user)}
            />
          </>
        )}
        empty={{ text: 'Nenhum usuário cadastrado ainda.', action: register }}
        isFiltered={narrowing.isSet}
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
        target={doomed}
        onClose={() => setDoomed(undefined)}
        question="Deseja mesmo excluir esse usuário?"
        done="Usuário excluído!"
        nameOf={({ nomeUsuario, emailUsuario }) => `${nomeUsuario} (${emailUsuario})`}
        consequence="As permissões dessa pessoa saem junto e as sessões abertas terminam na hora."
        remove={({ idUsuario: id }) => call(usersApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, 'user')
        }}
      />
      <ImportDialog
        opened={isImporting}
        onClose={() => setImporting(false)}
        onImported={() => refreshAfter(queryClient, 'user')}
      />
    </AdminPage>
  )
}

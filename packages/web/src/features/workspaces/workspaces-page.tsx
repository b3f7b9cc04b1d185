import {
  columnsOf,
  type Workspace,
  WorkspaceOrder,
  workspaceEntity,
  workspacesApi,
} from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTableImport, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { exportQuery } from '../../lib/lists/list-state.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { ImportReports } from './import-reports.tsx'
import { workspacesKey } from './workspaces-queries.ts'

const headings = columnsOf(workspaceEntity)
const columns: Column<Workspace, (typeof WorkspaceOrder)[number]>[] = [
  {
    label: headings.nomeGrupo,
    sort: 'nomeGrupo',
    isName: true,
    width: '30%',
    render: ({ nomeGrupo }) => nomeGrupo,
  },
  { label: headings.idGrupo, sort: 'idGrupo', isId: true, render: ({ idGrupo }) => idGrupo },
  {
    label: headings.nomePowerBi,
    sort: 'nomePowerBi',
    width: '22%',
    render: ({ nomePowerBi }) => nomePowerBi,
  },
]

export const WorkspacesPage = () => {
  const queryClient = useQueryClient()
  const list = useList({ queryKey: workspacesKey, endpoint: workspacesApi.list, fields: WorkspaceOrder })
  const [dialog, setDialog] = useState<{ kind: 'import' | 'delete'; workspace: Workspace } | null>(null)
  const close = () => setDialog(null)
  const register = (
    <Button component={Link} to="/Registerworkspace" leftSection={<IconPlus size={18} aria-hidden />}>
      Cadastrar Workspace
    </Button>
  )
  return (
    <AdminPage
      title="Workspace"
      lead={list.rows && countText(list.total, list.isCapped, ['workspace', 'workspaces'])}
      actions={register}
    >
      <DataTable
        list={list}
        label="Workspaces"
        searchLabel="Buscar workspace"
        columns={columns}
        rowKey={({ idGrupoRelatorio }) => idGrupoRelatorio}
        actions={(workspace) => (
          <>
            <RowAction
              icon={IconTableImport}
              label="Importar relatórios"
              of={`de ${workspace.nomeGrupo}`}
              onClick={() => setDialog({ kind: 'import', workspace })}
            />
            <RowAction
              icon={IconPencil}
              label="Editar"
              of={workspace.nomeGrupo}
              to={`/Registerworkspace/${workspace.idGrupoRelatorio}`}
            />
            <RowAction
              icon={IconTrash}
              color="red"
              label="Excluir"
              of={workspace.nomeGrupo}
              onClick={() => setDialog({ kind: 'delete', workspace })}
            />
          </>
        )}
        empty={{
          text: 'Nenhum workspace cadastrado ainda. Cadastre o primeiro para publicar os relatórios dele.',
          action: register,
        }}
        tools={
          <CsvButton
            fileName="workspaces.csv"
            download={() => call(workspacesApi.exportCsv, { query: exportQuery(list.state) })}
          />
        }
      />
      <ConfirmDelete
        target={dialog?.kind === 'delete' ? dialog.workspace : undefined}
        onClose={close}
        question="Deseja mesmo excluir esse Workspace?"
        done="Workspace excluído!"
        nameOf={({ nomeGrupo }) => nomeGrupo}
        remove={({ idGrupoRelatorio: id }) => call(workspacesApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, workspaceEntity)
        }}
      />
      <ImportReports workspace={dialog?.kind === 'import' ? dialog.workspace : undefined} onClose={close} />
    </AdminPage>
  )
}

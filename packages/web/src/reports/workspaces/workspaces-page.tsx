import {
  connectionsApi,
  headingsOf,
  type Workspace,
  WorkspaceOrder,
  workspaceEntity,
  workspacesApi,
} from '@bi-manager/contract'
import { IconPlus, IconTableImport } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { entityQuery } from '../../lib/api/entities.ts'
import { connectionsKey, workspacesKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { exportQuery } from '../../lib/lists/list-state.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { dialogAddresses, useRequestedDialog } from '../../lib/navigation/requested-dialog.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction, EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { EntityFilter } from '../../ui/search-select/entity-filter.tsx'
import { useEntityFilter } from '../../ui/search-select/use-entity-filter.ts'
import { ImportReports } from './import-reports.tsx'
import { ImportWorkspaces } from './import-workspaces.tsx'
import { searchConnections } from './workspaces-queries.ts'

const headings = headingsOf(workspaceEntity)
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
  const connection = useConnectionFilter()
  const list = useList({
    queryKey: workspacesKey,
    endpoint: workspacesApi.list,
    fields: WorkspaceOrder,
    filter: { idPowerBi: connection.id },
  })
  const [dialog, setDialog] = useState<{ kind: 'import' | 'delete'; workspace: Workspace } | null>(null)
  const [isImporting, setIsImporting] = useState(false)
  const close = () => setDialog(null)
  useRequestedDialog((address) => setIsImporting(address === dialogAddresses.importWorkspaces))
  const register = <ActionButton isMain icon={IconPlus} label="Cadastrar Workspace" to="/Registerworkspace" />
  return (
    <AdminPage
      title="Workspace"
      lead={list.rows ? countText(list.total, list.isCapped, ['workspace', 'workspaces']) : NO_LEAD_YET}
      actions={register}
      moreActions={
        <ActionButton
          icon={IconTableImport}
          label="Importar workspaces"
          onClick={() => setIsImporting(true)}
        />
      }
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
            <EditAction of={workspace.nomeGrupo} to={`/Registerworkspace/${workspace.idGrupoRelatorio}`} />
            <DeleteAction of={workspace.nomeGrupo} onClick={() => setDialog({ kind: 'delete', workspace })} />
          </>
        )}
        empty={{
          text: 'Nenhum workspace cadastrado ainda. Cadastre o primeiro para publicar os relatórios dele.',
          action: register,
        }}
        isFiltered={connection.id !== undefined}
        tools={
          <>
            <EntityFilter
              label="Filtrar por Powerbi"
              placeholder="Todos os Powerbis"
              queryKey={connectionsKey}
              search={searchConnections}
              value={connection.value}
              onChange={connection.choose}
            />
            <CsvButton
              fileName="workspaces.csv"
              download={() =>
                call(workspacesApi.exportCsv, {
                  query: { ...exportQuery(list.state), idPowerBi: connection.id },
                })
              }
            />
          </>
        }
      />
      <ConfirmDelete
        target={dialog?.kind === 'delete' ? dialog.workspace : undefined}
        onClose={close}
        question="Deseja mesmo excluir esse Workspace?"
        done="Workspace excluído!"
        nameOf={({ nomeGrupo }) => nomeGrupo}
        blocked={{ by: workspaceEntity, idOf: ({ idGrupoRelatorio }) => idGrupoRelatorio }}
        remove={({ idGrupoRelatorio: id }) => call(workspacesApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, workspaceEntity)
        }}
      />
      <ImportWorkspaces isOpen={isImporting} onClose={() => setIsImporting(false)} />
      <ImportReports workspace={dialog?.kind === 'import' ? dialog.workspace : undefined} onClose={close} />
    </AdminPage>
  )
}

/** State of the list's filter by connection, kept in the URL. */
const useConnectionFilter = () => {
  const { id, unnamed, optionOf, choose } = useEntityFilter('idPowerBi')
  const { data, error } = useQuery(entityQuery(connectionsKey, connectionsApi.get, unnamed))
  return { id, value: optionOf(data?.nome, error ? `Powerbi ${id}` : 'Carregando…'), choose }
}

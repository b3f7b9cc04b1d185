import {
  headingsOf,
  type Report,
  ReportOrder,
  reportEntity,
  reportRegistrationsApi,
} from '@bi-manager/contract'
import { IconFileUpload, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { reportsKey, workspacesKey } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { exportQuery } from '../../lib/lists/list-state.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction, EditAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { EntityFilter } from '../../ui/search-select/entity-filter.tsx'
import shared from '../../ui/shared.module.css'
import { CopyId } from './copy-id.tsx'
import { searchWorkspaces } from './registrations-queries.ts'
import { ReportLogo } from './report-logo.tsx'
import classes from './reports-page.module.css'
import { useGroupFilter } from './use-group-filter.ts'

const headings = headingsOf(reportEntity)
const columns: Column<Report, (typeof ReportOrder)[number]>[] = [
  { label: headings.logo, width: '4.5rem', render: (report) => <ReportLogo report={report} /> },
  {
    label: headings.nomeRelatorio,
    sort: 'nomeRelatorio',
    isName: true,
    render: ({ nomeRelatorio }) => nomeRelatorio,
    detail: ({ operadoraRelatorio, tipoRelatorio }) => (
      <span className={shared.detail}>
        {operadoraRelatorio}
        {tipoRelatorio === 'PAGINADO' && <span className={`${shared.tag} ${classes.type}`}>paginado</span>}
      </span>
    ),
  },
  {
    label: headings.reportId,
    sort: 'reportId',
    // One line on wide screens, two lines next to an open menu.
    width: 'clamp(11.5rem, 40vw - 13.5rem, 22.5rem)',
    render: ({ reportId, nomeRelatorio }) => (
      <CopyId id={reportId} label={`Copiar Report ID de ${nomeRelatorio}`} />
    ),
  },
  {
    label: headings.nomeGrupo,
    sort: 'nomeGrupo',
    width: '20%',
    render: ({ nomeGrupo }) => nomeGrupo,
  },
]

export const ReportsPage = () => {
  const queryClient = useQueryClient()
  const group = useGroupFilter()
  const list = useList({
    queryKey: reportsKey,
    endpoint: reportRegistrationsApi.list,
    fields: ReportOrder,
    filter: { idGrupoRelatorio: group.id },
  })
  const [toDelete, setToDelete] = useState<Report>()
  const publish = <ActionButton icon={IconFileUpload} label="Publicar um arquivo" to="/publicar" />
  const register = (
    <ActionButton isMain icon={IconPlus} label="Cadastrar Relatórios" to="/RegisterworkspaceRelatorios" />
  )
  return (
    <AdminPage
      title="Relatórios"
      lead={list.rows ? countText(list.total, list.isCapped, ['relatório', 'relatórios']) : NO_LEAD_YET}
      actions={register}
      moreActions={publish}
    >
      <DataTable
        list={list}
        label="Relatórios"
        searchLabel="Buscar por nome do relatório"
        columns={columns}
        rowKey={({ idRelatorio }) => idRelatorio}
        actions={(report) => (
          <>
            <EditAction of={report.nomeRelatorio} to={`/RegisterworkspaceRelatorios/${report.idRelatorio}`} />
            <DeleteAction of={report.nomeRelatorio} onClick={() => setToDelete(report)} />
          </>
        )}
        empty={{
          text: 'Nenhum relatório cadastrado ainda. Cadastre o primeiro, ou importe os de um workspace.',
          action: (
            <>
              {publish}
              {register}
            </>
          ),
        }}
        isFiltered={group.id !== undefined}
        tools={
          <>
            <EntityFilter
              label="Filtrar por workspace"
              placeholder="Todos os workspaces"
              queryKey={[...workspacesKey, 'grupos']}
              search={searchWorkspaces}
              value={group.value}
              onChange={group.choose}
            />
            <CsvButton
              fileName="relatorios.csv"
              download={() =>
                call(reportRegistrationsApi.exportCsv, {
                  query: { ...exportQuery(list.state), idGrupoRelatorio: group.id },
                })
              }
            />
          </>
        }
      />
      <ConfirmDelete
        target={toDelete}
        onClose={() => setToDelete(undefined)}
        question="Deseja mesmo excluir esse relatório?"
        done="Relatório excluído!"
        nameOf={({ nomeRelatorio }) => nomeRelatorio}
        consequence="Quem tinha permissão deixa de vê-lo. No serviço de BI ele continua como está."
        remove={({ idRelatorio: id }) => call(reportRegistrationsApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, reportEntity)
        }}
      />
    </AdminPage>
  )
}

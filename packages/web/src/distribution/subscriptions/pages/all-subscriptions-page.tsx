import {
  recurrenceText,
  reportRegistrationsApi,
  type Subscription,
  SubscriptionOrder,
  subscriptionsApi,
} from '@bi-manager/contract'
import { IconHistory, IconPencil, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readEntity } from '../../../lib/api/entities.ts'
import { reportsKey } from '../../../lib/api/query-keys.ts'
import { useList } from '../../../lib/lists/use-list.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { DeleteAction } from '../../../ui/data-table/entity-actions.tsx'
import { countText } from '../../../ui/data-table/page-range.ts'
import { RowAction } from '../../../ui/data-table/row-action.tsx'
import { AdminPage, NO_LEAD_YET } from '../../../ui/page/admin-page.tsx'
import { EntityFilter } from '../../../ui/search-select/entity-filter.tsx'
import { searchOptions } from '../../../ui/search-select/select-options.ts'
import { useEntityFilter } from '../../../ui/search-select/use-entity-filter.ts'
import { DeleteSubscription } from '../delete-subscription.tsx'
import { EditSubscriptionDialog } from '../form/edit-dialog.tsx'
import { RunBadge, StateBadge } from '../state-badge.tsx'
import { subscriptionsKey } from '../subscription-queries.ts'
import { nextText } from '../subscription-texts.ts'

const columns: Column<Subscription, (typeof SubscriptionOrder)[number]>[] = [
  {
    label: 'Assunto',
    sort: 'assunto',
    isName: true,
    render: ({ assunto }) => assunto,
    detail: recurrenceText,
  },
  {
    label: 'Relatório',
    sort: 'nomeRelatorio',
    width: '15%',
    render: ({ relatorio }) => relatorio?.nomeRelatorio ?? '–',
  },
  {
    label: 'De quem é',
    sort: 'nomeDono',
    width: '13%',
    render: ({ dono }) => dono.nomeUsuario,
    detail: ({ destinatarios }) =>
      destinatarios === 1 ? '1 destinatário' : `${destinatarios} destinatários`,
  },
  { label: 'Situação', width: '8rem', render: (row) => <StateBadge subscription={row} /> },
  {
    label: 'Próximo envio',
    sort: 'proximaEm',
    width: '13%',
    sharesCardLine: true,
    render: (row) => nextText(row) ?? '–',
  },
  {
    label: 'Último envio',
    width: '9rem',
    render: ({ ultima }) => (ultima ? <RunBadge estado={ultima.estado} /> : '–'),
  },
]

const searchReports = searchOptions(
  reportRegistrationsApi.list,
  ({ idRelatorio, nomeRelatorio, nomeGrupo }) => ({
    value: idRelatorio,
    label: nomeRelatorio,
    description: nomeGrupo,
  }),
)

/** '/assinaturas/todas': the subscriptions of all people, for ADMINs. */
export const AllSubscriptionsPage = () => {
  const report = useEntityFilter('idRelatorio')
  const { data: named } = useQuery({
    queryKey: [...reportsKey, 'nome', report.unnamed],
    queryFn: ({ signal }) => readEntity(reportRegistrationsApi.get, report.unnamed ?? 0, signal),
    enabled: report.unnamed !== undefined,
  })
  const list = useList({
    queryKey: [...subscriptionsKey, 'todas'],
    endpoint: subscriptionsApi.list,
    fields: SubscriptionOrder,
    filter: { idRelatorio: report.id },
  })
  const [editing, setEditing] = useState<Subscription>()
  const [toDelete, setToDelete] = useState<Subscription>()
  return (
    <AdminPage
      title="Assinaturas de todos"
      lead={list.rows ? countText(list.total, list.isCapped, ['assinatura', 'assinaturas']) : NO_LEAD_YET}
      actions={<ActionButton icon={IconSettings} label="Regras" to="/assinaturas/regras" />}
    >
      <DataTable
        list={list}
        label="Assinaturas"
        searchLabel="Buscar por assunto"
        columns={columns}
        rowKey={({ idAssinatura }) => idAssinatura}
        actions={(row) => (
          <>
            <RowAction
              icon={IconHistory}
              label="Ver envios"
              of={row.assunto}
              to={`/assinaturas/${row.idAssinatura}`}
            />
            <RowAction
              icon={IconPencil}
              label="Editar"
              of={row.assunto}
              disabled={!row.relatorio || !row.mostraEscolha}
              onClick={() => setEditing(row)}
            />
            <DeleteAction of={row.assunto} onClick={() => setToDelete(row)} />
          </>
        )}
        isFiltered={report.id !== undefined}
        tools={
          <EntityFilter
            label="Filtrar por relatório"
            placeholder="Todos os relatórios"
            queryKey={[...reportsKey, 'assinados']}
            search={searchReports}
            value={report.optionOf(named?.nomeRelatorio, `Relatório nº ${report.id}`)}
            onChange={report.choose}
          />
        }
        empty={{
          text: 'Ninguém assinou um relatório ainda. Cada pessoa assina na barra do relatório; um administrador assina também para outras pessoas.',
        }}
      />
      <EditSubscriptionDialog target={editing} onClose={() => setEditing(undefined)} />
      <DeleteSubscription
        target={toDelete}
        onClose={() => setToDelete(undefined)}
        onDeleted={() => list.state.startOver()}
      />
    </AdminPage>
  )
}

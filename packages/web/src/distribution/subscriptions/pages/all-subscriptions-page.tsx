import {
  recurrenceText,
  reportRegistrationsApi,
  type Subscription,
  SubscriptionOrder,
  subscriptionsApi,
} from '@bi-manager/contract'
import { IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { readEntity } from '../../../lib/api/entities.ts'
import { reportsKey } from '../../../lib/api/query-keys.ts'
import { useList } from '../../../lib/lists/use-list.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import { EntityFilter } from '../../../ui/search-select/entity-filter.tsx'
import { searchOptions } from '../../../ui/search-select/select-options.ts'
import { useEntityFilter } from '../../../ui/search-select/use-entity-filter.ts'
import { AllDeliveries, ownerColumn, reportColumn } from '../../deliveries/all-deliveries.tsx'
import { EditSubscriptionDialog } from '../form/edit-dialog.tsx'
import { RunBadge, StateBadge } from '../state-badge.tsx'
import { subscriptionKind } from '../subscription-kind.ts'
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
  { ...reportColumn, width: '15%' },
  {
    ...ownerColumn,
    width: '13%',
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
  return (
    <AllDeliveries
      kind={subscriptionKind}
      list={list}
      searchLabel="Buscar por assunto"
      columns={columns}
      Edit={EditSubscriptionDialog}
      links={<ActionButton icon={IconSettings} label="Regras" to="/assinaturas/regras" />}
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
      empty="Ninguém assinou um relatório ainda. Cada pessoa assina na barra do relatório; um administrador assina também para outras pessoas."
    />
  )
}

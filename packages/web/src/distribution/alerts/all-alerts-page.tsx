import { type Alert, AlertOrder, alertsApi, recurrenceText } from '@bi-manager/contract'
import { useList } from '../../lib/lists/use-list.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { AllDeliveries, ownerColumn, reportColumn } from '../deliveries/all-deliveries.tsx'
import { AlertBadge } from './alert-badge.tsx'
import { alertKind } from './alert-kind.ts'
import { alertsKey } from './alert-queries.ts'
import { conditionText, valueText } from './alert-texts.ts'

const columns: Column<Alert, (typeof AlertOrder)[number]>[] = [
  {
    label: 'Alerta',
    sort: 'nomeAlerta',
    isName: true,
    width: '24%',
    render: ({ nomeAlerta }) => nomeAlerta,
    detail: (row) => `${conditionText(row)} · ${recurrenceText(row).toLowerCase()}`,
  },
  reportColumn,
  ownerColumn,
  { label: 'Situação', width: '14%', render: (row) => <AlertBadge alert={row} /> },
  {
    label: 'Último valor',
    sort: 'valorEm',
    width: '18%',
    render: ({ mostraValores, valor, formato }) =>
      mostraValores ? valueText(valor, formato) : 'Não mostrado',
    detail: ({ valorEm }) => valorEm && fullTime(valorEm),
  },
]

/** '/alertas/todos': the alerts of all people, for ADMINs. */
export const AllAlertsPage = () => {
  const list = useList({ queryKey: [...alertsKey, 'todos'], endpoint: alertsApi.list, fields: AlertOrder })
  return (
    <AllDeliveries
      kind={alertKind}
      list={list}
      searchLabel="Buscar por nome, relatório ou pessoa"
      columns={columns}
      empty="Ninguém criou um alerta ainda. Cada pessoa cria os seus na barra do relatório."
    />
  )
}

import { type Alert, AlertOrder, alertsApi, recurrenceText } from '@bi-manager/contract'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useList } from '../../lib/lists/use-list.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import { AlertBadge } from './alert-badge.tsx'
import { alertsKey } from './alert-queries.ts'
import { conditionText, valueText } from './alert-texts.ts'
import { DeleteAlert } from './delete-alert.tsx'

const columns: Column<Alert, (typeof AlertOrder)[number]>[] = [
  {
    label: 'Alerta',
    sort: 'nomeAlerta',
    isName: true,
    width: '24%',
    render: ({ nomeAlerta }) => nomeAlerta,
    detail: (row) => `${conditionText(row)} · ${recurrenceText(row).toLowerCase()}`,
  },
  {
    label: 'Relatório',
    sort: 'nomeRelatorio',
    render: ({ relatorio }) => relatorio?.nomeRelatorio ?? '–',
  },
  { label: 'De quem é', sort: 'nomeDono', render: ({ dono }) => dono.nomeUsuario },
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
  const [toDelete, setToDelete] = useState<Alert>()
  return (
    <AdminPage
      title="Alertas de todos"
      lead={list.rows ? countText(list.total, list.isCapped, ['alerta', 'alertas']) : NO_LEAD_YET}
    >
      <DataTable
        list={list}
        label="Alertas"
        searchLabel="Buscar por nome, relatório ou pessoa"
        columns={columns}
        rowKey={({ idAlerta }) => idAlerta}
        actions={(row) => (
          <>
            <RowAction
              icon={IconHistory}
              label="Ver avaliações"
              of={row.nomeAlerta}
              to={`/alertas/${row.idAlerta}`}
            />
            <DeleteAction of={row.nomeAlerta} onClick={() => setToDelete(row)} />
          </>
        )}
        empty={{ text: 'Ninguém criou um alerta ainda. Cada pessoa cria os seus na barra do relatório.' }}
      />
      <DeleteAlert
        target={toDelete}
        onClose={() => setToDelete(undefined)}
        onDeleted={() => list.state.startOver()}
      />
    </AdminPage>
  )
}

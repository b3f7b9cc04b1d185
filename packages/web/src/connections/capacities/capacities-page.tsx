import { type Capacity, CapacityOrder, capacitiesApi, capacityEntity, headingsOf } from '@bi-manager/contract'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { capacitiesKey } from '../../lib/api/query-keys.ts'
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
import { scheduleText } from './capacity-texts.ts'
import { StateBadge } from './state-badge.tsx'

const headings = headingsOf(capacityEntity)
const columns: Column<Capacity, (typeof CapacityOrder)[number]>[] = [
  { label: headings.nome, sort: 'nome', isName: true, width: '24%', render: ({ nome }) => nome },
  {
    label: headings.estadoCapacidade,
    sort: 'estadoCapacidade',
    width: '18%',
    render: ({ estadoCapacidade }) => <StateBadge state={estadoCapacidade} />,
  },
  { label: headings.sku, width: '10%', render: ({ sku }) => sku ?? '—' },
  { label: 'Agenda', render: scheduleText },
  {
    label: headings.nomePowerBi,
    sort: 'nomePowerBi',
    width: '18%',
    render: ({ nomePowerBi }) => nomePowerBi,
  },
]

/** '/capacidades': the registered capacities and their states. */
export const CapacitiesPage = () => {
  const queryClient = useQueryClient()
  const list = useList({ queryKey: capacitiesKey, endpoint: capacitiesApi.list, fields: CapacityOrder })
  const [deleting, setDeleting] = useState<Capacity>()
  const register = (
    <ActionButton isMain icon={IconPlus} label="Cadastrar capacidade" to="/cadastrar-capacidade" />
  )
  return (
    <AdminPage
      title="Capacidades"
      lead={list.rows ? countText(list.total, list.isCapped, ['capacidade', 'capacidades']) : NO_LEAD_YET}
      actions={register}
    >
      <DataTable
        list={list}
        label="Capacidades"
        searchLabel="Buscar capacidade"
        columns={columns}
        rowKey={({ idCapacidade }) => idCapacidade}
        actions={(capacity) => (
          <>
            <EditAction of={capacity.nome} to={`/cadastrar-capacidade/${capacity.idCapacidade}`} />
            <DeleteAction of={capacity.nome} onClick={() => setDeleting(capacity)} />
          </>
        )}
        empty={{
          text: 'Nenhuma capacidade cadastrada ainda. Cadastre a capacidade do Azure em que estão os workspaces para iniciá-la e pausá-la daqui.',
          action: register,
        }}
        tools={
          <CsvButton
            fileName="capacidades.csv"
            download={() => call(capacitiesApi.exportCsv, { query: exportQuery(list.state) })}
          />
        }
      />
      <ConfirmDelete
        target={deleting}
        onClose={() => setDeleting(undefined)}
        question="Deseja mesmo retirar esta capacidade do portal?"
        done="Capacidade retirada!"
        consequence="No Azure nada muda. A agenda e as horas de uso registradas aqui são excluídas."
        nameOf={({ nome }) => nome}
        remove={({ idCapacidade: id }) => call(capacitiesApi.remove, { params: { id } })}
        onDeleted={() => {
          list.state.startOver()
          refreshAfter(queryClient, capacityEntity)
        }}
      />
    </AdminPage>
  )
}

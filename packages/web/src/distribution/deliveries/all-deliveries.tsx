import { IconHistory, IconPencil } from '@tabler/icons-react'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import type { List } from '../../lib/lists/use-list.ts'
import { useSession } from '../../lib/session/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction } from '../../ui/data-table/entity-actions.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { AdminPage, NO_LEAD_YET } from '../../ui/page/admin-page.tsx'
import type { Delivery, DeliveryKind } from './delivery-kind.ts'
import { type EditDialogProps, useDeliveryDialogs } from './use-delivery-dialogs.tsx'

type Table<T, F extends string> = ComponentProps<typeof DataTable<T, F>>

interface AllDeliveriesProps<T extends Delivery, F extends string>
  extends Pick<Table<T, F>, 'columns' | 'searchLabel' | 'tools' | 'isFiltered'> {
  kind: DeliveryKind<T>
  list: List<T, F>
  empty: string
  /** Where an ADMIN may edit another person's. */
  Edit?: ComponentType<EditDialogProps<T>>
  /** Next to the heading. */
  links?: ReactNode
}

export const reportColumn = {
  label: 'Relatório',
  sort: 'nomeRelatorio' as const,
  render: ({ relatorio }: Delivery) => relatorio?.nomeRelatorio ?? '–',
}

export const ownerColumn = {
  label: 'De quem é',
  sort: 'nomeDono' as const,
  render: ({ dono }: Delivery) => dono.nomeUsuario,
}

/** Those of all people, for ADMINs. */
export const AllDeliveries = <T extends Delivery, F extends string>(props: AllDeliveriesProps<T, F>) => {
  const { kind, list, empty, Edit, links, ...table } = props
  const { idOf, nameOf, mayEdit, texts } = kind
  const session = useSession()
  const onDeleted = () => list.state.startOver()
  const { edit, askToDelete, dialogs } = useDeliveryDialogs(kind, { Edit, onDeleted })
  return (
    <AdminPage
      title={texts.allOfAll}
      lead={list.rows ? countText(list.total, list.isCapped, texts.counted) : NO_LEAD_YET}
      actions={links}
    >
      <DataTable
        {...table}
        list={list}
        label={`${texts.title}s`}
        rowKey={idOf}
        actions={(row) => (
          <>
            <RowAction
              icon={IconHistory}
              label={texts.showHistory}
              of={nameOf(row)}
              to={`${kind.entity.path}/${idOf(row)}`}
            />
            {Edit && (
              <RowAction
                icon={IconPencil}
                label="Editar"
                of={nameOf(row)}
                disabled={!row.relatorio || !mayEdit(row, session?.usuario_id)}
                onClick={() => edit(row)}
              />
            )}
            <DeleteAction of={nameOf(row)} onClick={() => askToDelete(row)} />
          </>
        )}
        empty={{ text: empty }}
      />
      {dialogs}
    </AdminPage>
  )
}

import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import type { Delivery, DeliveryKind } from './delivery-kind.ts'
import type { RowProps } from './delivery-row.tsx'
import { type EditDialogProps, useDeliveryDialogs } from './use-delivery-dialogs.tsx'

type Answer<D> = Pick<UseQueryResult<D>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'>

interface QueryContentProps<D> {
  query: Answer<D>
  /** 'Carregando os alertas' */
  label: string
  children: (data: D) => ReactNode
}

/** Shows what was asked for, that it is loading, or why it failed. */
export const QueryContent = <D,>({ query, label, children }: QueryContentProps<D>) => {
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  if (data !== undefined && !isPlaceholderData) return children(data)
  if (error) return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  return <SkeletonLines label={label} />
}

interface OwnDeliveriesProps<T extends Delivery> {
  kind: DeliveryKind<T>
  rows: T[]
  Row: ComponentType<RowProps<T>>
  Edit: ComponentType<EditDialogProps<T>>
}

/** The person's own, of all reports. */
export const OwnDeliveries = <T extends Delivery>({ kind, rows, Row, Edit }: OwnDeliveriesProps<T>) => {
  const { edit, askToDelete, dialogs } = useDeliveryDialogs(kind, { Edit })
  return (
    <>
      <ul className={shared.divided}>
        {rows.map((one) => (
          <li key={kind.idOf(one)}>
            <Row one={one} showsReport onEdit={() => edit(one)} onDelete={() => askToDelete(one)} />
          </li>
        ))}
      </ul>
      {dialogs}
    </>
  )
}

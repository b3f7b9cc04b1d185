import { Button, Group } from '@mantine/core'
import { IconInbox, IconSearchOff } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { List } from '../../lib/lists/use-list.ts'
import './data-table-mantine.css'
import { InlineMessage } from '../inline-message.tsx'
import shared from '../shared.module.css'
import { CardsView, OrderSelect } from './cards-view.tsx'
import type { RowsViewProps } from './columns.ts'
import classes from './data-table.module.css'
import { ListFailure } from './list-failure.tsx'
import { ListSearch } from './list-search.tsx'
import { pageRange } from './page-range.ts'
import { Pager } from './pager.tsx'
import { TableView } from './table-view.tsx'

interface DataTableProps<R, F extends string> extends Omit<RowsViewProps<R, F>, 'rows' | 'state'> {
  /** Returned by useList. */
  list: List<R, F>
  /** Label of the search field: 'Buscar workspace'. Left out where the list has no search. */
  searchLabel?: string
  /** Shown when the list has no entries: the fact and the next step. */
  empty: { text: string; action?: ReactNode }
  /** Controls next to the search: filters, 'Exportar CSV'. */
  tools?: ReactNode
  /** A filter is set, so that no results do not mean an empty list. */
  isFiltered?: boolean
  /** For panels: a fixed page size, and no pager if all rows fit on one page. */
  isShort?: boolean
}

/** A back-office list: search, table (cards on phones), pager, and all states of loading. */
export const DataTable = <R, F extends string>(props: DataTableProps<R, F>) => {
  const { list, label, columns, searchLabel, tools, isShort = false } = props
  const { state, rows, error, isFetching } = list
  const section = useRef<HTMLElement>(null)
  const isNarrow = useIsNarrow(section)
  const View = isNarrow ? CardsView : TableView
  const isShown = rows ? rows.length > 0 : !error

  return (
    <section ref={section} className={`${shared.stackMd} ${classes.section}`} aria-label={label}>
      {(searchLabel || tools) && (
        <Group gap="sm">
          {searchLabel && (
            <ListSearch label={searchLabel} state={state} isBusy={isFetching && rows !== undefined} />
          )}
          {isNarrow && <OrderSelect columns={columns} state={state} />}
          {tools && <div className={`${shared.buttons} ${classes.tools}`}>{tools}</div>}
        </Group>
      )}
      {error !== null && rows !== undefined && (
        <ListFailure error={error} isFetching={isFetching} onRetry={list.refetch} />
      )}
      <div
        className={`${shared.kept} ${classes.frame}`}
        aria-busy={isFetching}
        data-stale={(isFetching && !!rows) || undefined}
      >
        {isShown ? (
          <View {...props} rows={rows} state={state} />
        ) : rows ? (
          <Nothing {...props} />
        ) : (
          <ListFailure error={error} isFetching={isFetching} onRetry={list.refetch} />
        )}
      </div>
      <p role="status" className={shared.forReaders}>
        {announcement(list)}
      </p>
      {hasPager(list, isShort) && <Pager list={list} isShort={isShort} />}
    </section>
  )
}

/** Matches the container queries of data-table.module.css. */
const TABLE_FROM_PX = 820

/** Returns whether the list is too narrow for a table; the open menu narrows it too. */
const useIsNarrow = (element: RefObject<HTMLElement | null>): boolean => {
  const [isNarrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const list = element.current
    if (!list) return
    const measure = () => setNarrow(list.getBoundingClientRect().width < TABLE_FROM_PX)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    return () => observer.disconnect()
  }, [element])
  return isNarrow
}

const hasPager = <R, F extends string>(
  { state, rows, total, isCapped, error }: List<R, F>,
  isShort: boolean,
): boolean => {
  if (isShort) return rows !== undefined && (isCapped || total > state.tamanho || state.pagina > 1)
  return rows ? rows.length > 0 || state.pagina > 1 : !error
}

const announcement = <R, F extends string>({ state, rows, total, isCapped, isFetching }: List<R, F>) => {
  if (!rows) return isFetching ? 'Carregando…' : ''
  if (isFetching) return ''
  const { text } = pageRange({ ...state, total, isCapped, count: rows.length })
  return rows.length === 0 ? '' : `Página ${state.pagina}: ${text}`
}

const Nothing = <R, F extends string>({ list: { state }, empty, isFiltered }: DataTableProps<R, F>) =>
  state.busca || isFiltered ? (
    <InlineMessage
      icon={IconSearchOff}
      action={
        state.busca && (
          <Button variant="default" onClick={state.startOver}>
            Limpar busca
          </Button>
        )
      }
    >
      Desculpe! Sem resultados para essa pesquisa.
    </InlineMessage>
  ) : (
    <InlineMessage icon={IconInbox} action={empty.action}>
      {empty.text}
    </InlineMessage>
  )

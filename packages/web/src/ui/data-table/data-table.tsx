import { Button } from '@mantine/core'
import { IconInbox, IconSearchOff } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { List } from '../../lib/lists/use-list.ts'
import './data-table-mantine.css'
import { useIsPhone } from '../folded-tools.tsx'
import { InlineMessage } from '../inline-message.tsx'
import shared from '../shared.module.css'
import { CardsView } from './cards-view.tsx'
import type { RowsViewProps } from './columns.ts'
import classes from './data-table.module.css'
import { ListFailure } from './list-failure.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { pageRange } from './page-range.ts'
import { Pager } from './pager.tsx'
import { TableView } from './table-view.tsx'
import { useShownColumns } from './use-shown-columns.ts'

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
  /** Shown in place of the rows, such as while the filters contradict each other. */
  instead?: ReactNode
  /** For panels: a fixed page size, and no pager if all rows fit on one page. */
  isInPanel?: boolean
}

/** A back-office list: search, table (cards on phones), pager, and all states of loading. */
export const DataTable = <R, F extends string>(props: DataTableProps<R, F>) => {
  const { list, label, columns, searchLabel, tools, isFiltered = false, instead, isInPanel = false } = props
  const { state, rows, error, isFetching } = list
  const choice = useShownColumns<R, F>(label, columns)
  const section = useRef<HTMLElement>(null)
  const isNarrow = useIsNarrow(section)
  const View = isNarrow ? CardsView : TableView
  const isShown = rows ? rows.length > 0 : !error

  return (
    <section ref={section} className={shared.stackMd} aria-label={label} data-narrow={isNarrow || undefined}>
      <ListToolbar
        list={list}
        searchLabel={searchLabel}
        choice={choice}
        tools={tools}
        isFiltered={isFiltered}
        isNarrow={isNarrow}
        columns={isInPanel || columns.length < 2 ? undefined : columns}
      />
      {error !== null && rows !== undefined && (
        <ListFailure error={error} isFetching={isFetching} onRetry={list.refetch} />
      )}
      <div
        className={`${shared.kept} ${classes.frame}`}
        aria-busy={isFetching}
        data-stale={(isFetching && !!rows) || undefined}
      >
        {instead ? (
          instead
        ) : isShown ? (
          // A new table, not the skeletons moved: columns and rows have other sizes.
          <View
            key={rows ? 'rows' : 'skeletons'}
            {...props}
            columns={isInPanel ? columns : choice.shown}
            rows={rows}
            state={state}
          />
        ) : rows ? (
          <Nothing {...props} />
        ) : (
          <ListFailure error={error} isFetching={isFetching} onRetry={list.refetch} />
        )}
      </div>
      <p role="status" className={shared.screenReaderOnly}>
        {!instead && announcement(list)}
      </p>
      {!instead && hasPager(list, isInPanel) && <Pager list={list} isInPanel={isInPanel} />}
    </section>
  )
}

/** The least width of a table, in px. */
const TABLE_FROM = 820

/**
 * Returns whether the list is shown as cards: in the phone's layout, and where an open menu or panel
 * leaves a table too little room.
 */
const useIsNarrow = (element: RefObject<HTMLElement | null>): boolean => {
  const isPhone = useIsPhone()
  const [isTight, setTight] = useState(false)
  useLayoutEffect(() => {
    const list = element.current
    if (!list) return
    const measure = () => setTight(list.getBoundingClientRect().width < TABLE_FROM)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    return () => observer.disconnect()
  }, [element])
  return isPhone || isTight
}

const hasPager = <R, F extends string>(
  { state, rows, total, isCapped }: List<R, F>,
  isInPanel: boolean,
): boolean => {
  if (isInPanel) return rows !== undefined && (isCapped || total > state.tamanho || state.pagina > 1)
  return rows !== undefined && (rows.length > 0 || state.pagina > 1)
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

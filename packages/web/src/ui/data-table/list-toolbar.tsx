import type { ReactNode } from 'react'
import type { ListState } from '../../lib/lists/list-state.ts'
import type { List } from '../../lib/lists/use-list.ts'
import { FoldedTools } from '../folded-tools.tsx'
import { PageSearch } from '../page-search/page-search.tsx'
import shared from '../shared.module.css'
import { OrderSelect } from './cards-view.tsx'
import type { Column } from './columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import classes from './data-table.module.css'
import type { useShownColumns } from './use-shown-columns.ts'

interface ListToolbarProps<R, F extends string> {
  list: List<R, F>
  searchLabel: string | undefined
  /** All columns; undefined where none can be hidden. */
  columns: Column<R, F>[] | undefined
  choice: ReturnType<typeof useShownColumns<R, F>>
  tools: ReactNode
  isFiltered: boolean
  isNarrow: boolean
}

/** Search, filters, order and columns of a list; where it is narrow, all but the search is folded. */
export const ListToolbar = <R, F extends string>(props: ListToolbarProps<R, F>) => {
  const { list, searchLabel, columns, choice, tools, isFiltered, isNarrow } = props
  const { state, rows, isFetching } = list
  if (!searchLabel && !tools && !columns) return null
  const menu = columns && <ColumnsMenu columns={columns} choice={choice} isNarrow={isNarrow} />
  return (
    <div className={classes.toolbar}>
      {searchLabel && (
        <ListSearch label={searchLabel} state={state} isBusy={isFetching && rows !== undefined} />
      )}
      {(tools || menu) &&
        (isNarrow ? (
          <FoldedTools label="Opções" isFiltered={isFiltered} className={classes.folded}>
            {columns && <OrderSelect columns={columns} state={state} />}
            {tools}
            {menu}
          </FoldedTools>
        ) : (
          <div className={`${shared.buttons} ${classes.tools}`}>
            {tools}
            {menu}
          </div>
        ))}
    </div>
  )
}

interface ListSearchProps {
  /** 'Buscar workspace'. */
  label: string
  state: Pick<ListState, 'typed' | 'type'>
  isBusy: boolean
}

/** A list's search field. */
const ListSearch = ({ label, state: { typed, type }, isBusy }: ListSearchProps) => (
  <PageSearch label={label} className={classes.search} isBusy={isBusy} value={typed} onChange={type} />
)

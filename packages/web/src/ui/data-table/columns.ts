import type { ReactNode } from 'react'
import type { ListState } from '../../lib/lists/list-state.ts'

export interface Column<R, F extends string = string> {
  /** Heading of the column; unique in the table. */
  label: string
  /** Label in the card, where it differs ('Cliente' for 'Client ID'). */
  phoneLabel?: string
  /** The sort field, if the column is sortable. */
  sort?: F
  /** A text is cut after two lines in the table. */
  render: (row: R) => ReactNode
  /** Shown below the content, never cut; a text in small letters. */
  detail?: (row: R) => ReactNode
  /** Names the row: its heading in the table, its title in the card. One column has it. */
  isName?: boolean
  /** An id without words: it may break at any character. */
  isId?: boolean
  /** Short enough to share a card line with the next half column. */
  sharesCardLine?: boolean
  /** CSS width in the table, such as '12rem' or '30%'. */
  width?: string
}

/** What the table and the cards show. */
export interface RowsViewProps<R, F extends string> {
  /** The table's name for screen readers: 'Workspaces'. */
  label: string
  columns: Column<R, NoInfer<F>>[]
  /** Undefined shows skeletons. */
  rows: R[] | undefined
  rowKey: (row: R) => string | number
  /** Buttons of the 'Ação' column: RowAction. */
  actions?: (row: R) => ReactNode
  /** CSS width of the 'Ação' column, for rows with more than three buttons. */
  actionsWidth?: string
  /** Cards without visible labels, with their buttons next to the content. */
  isCompact?: boolean
  state: ListState<F>
}

import type { ReactNode } from 'react'

export interface Column<R, F extends string = string> {
  /** Heading of the column; unique in the table. */
  label: string
  /** Label in the card, where it differs ('Cliente' for 'Client ID'). */
  phoneLabel?: string
  /** The sort field, if the column is sortable. */
  sort?: F
  render: (row: R) => ReactNode
  /** Names the row: its heading in the table, its title in the card. One column has it. */
  isName?: boolean
  /** An id without words: it may break at any character. */
  isId?: boolean
  /** Short enough to share a card line with the next half column. */
  isHalf?: boolean
  /** CSS width in the table, such as '12rem' or '30%'. */
  width?: string
}

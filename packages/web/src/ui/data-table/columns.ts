import type { ReactNode } from 'react'

export interface Column<R, F extends string = string> {
  /** Heading of the column; unique in the table. */
  label: string
  /** Label in the phone's card, where it differs ('Cliente' for 'Client ID'). */
  phoneLabel?: string
  /** The field of the list's order, where the column can be sorted. */
  sort?: F
  render: (row: R) => ReactNode
  /** Names the row: the row's heading in the table, the title of the card. One column has it. */
  isName?: boolean
  /** An id, with no words in it: it may break anywhere. */
  isId?: boolean
  /** Short enough to share its line of the card with the next such one. */
  isHalf?: boolean
  /** CSS width in the table, such as '12rem' or '30%'. */
  width?: string
}

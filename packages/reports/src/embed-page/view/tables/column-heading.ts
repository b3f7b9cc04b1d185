import { ownValue } from '@bi-manager/contract/own-value'
import { headingText } from '../../../definitions/heading-text.ts'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'

/** Returns the label of a column, or a name derived from its format or visual. */
export const columnHeading = (
  { type, title, labels, format, option }: EmbeddedVisual,
  column: string,
): string => {
  const given = ownValue(labels, column)
  if (given !== undefined) return headingText(given)
  if (ownValue(format, column) === 'mes') return 'Mês'
  if (type === 'card') return column === option.previous ? 'Período anterior' : title
  const words = headingText(column).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

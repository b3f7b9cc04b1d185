import { cellText } from '@bi-manager/contract/filter-text'
import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, EmbeddedReport } from '../../../wire/embed-contract.ts'
import type { ShownFormat } from './column-format.ts'
import { formatCell } from './format.ts'

/** The labels and colours that the report gives to values. */
export type ValueFormats = NonNullable<EmbeddedReport['values']>

/** Returns the text of a cell: the label of its value, or its formatted value. */
export const valueText = (
  value: Cell | undefined,
  format: ShownFormat | undefined,
  valueFormats: ValueFormats,
  write = formatCell,
) =>
  (typeof value === 'string' ? findValueFormat(valueFormats, value)?.label : undefined) ??
  write(value, format)

/** Returns the text of a value that names a group: blank and empty text are named, as in lists. */
export const nameText = (
  value: Cell | undefined,
  format: ShownFormat | undefined,
  valueFormats: ValueFormats,
): string =>
  value === null || value === undefined || value === ''
    ? cellText(value ?? null)
    : valueText(value, format, valueFormats)

/** Returns a name that reads like `text` and is unlike that of every other number from 1. */
export const withInvisibleNumber = (text: string, number: number): string =>
  number === 0 ? text : text + number.toString(2).replaceAll('1', '\u200b').replaceAll('0', '\u200c')

/** Returns the colour of a value, or of a series with its label, so that all visuals agree. */
export const valueColor = (
  name: string,
  valueFormats: ValueFormats,
  palette: string[],
): string | undefined => {
  const text = name.replace(/[\u200b\u200c]+$/, '')
  const look =
    findValueFormat(valueFormats, text) ?? Object.values(valueFormats).find(({ label }) => label === text)
  return look?.color === undefined ? undefined : palette[look.color - 1]
}

/** Returns the colours of several values; those without one take the unused colours in order. */
export const valueColors = (
  texts: readonly string[],
  valueFormats: ValueFormats,
  palette: string[],
): string[] => {
  const given = texts.map((text) => valueColor(text, valueFormats, palette))
  const left = palette.filter((color) => !given.includes(color))
  const free = left.length ? left : palette
  let taken = 0
  return given.map((color) => color ?? free[taken++ % free.length] ?? '')
}

/** Own properties only: data may contain names such as `constructor`. */
export const findValueFormat = (valueFormats: ValueFormats, value: string) => ownValue(valueFormats, value)

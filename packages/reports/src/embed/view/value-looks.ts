import type { Cell, ColumnFormat, EmbeddedReport } from '../../embed-contract.ts'
import { formatCell } from './format.ts'

/** The report's names and colours of values. */
export type ValueLooks = NonNullable<EmbeddedReport['values']>

/** A cell as it is read: by the name the report gives to its value, else by its format. */
export const valueText = (value: Cell | undefined, format: ColumnFormat | undefined, looks: ValueLooks) =>
  (typeof value === 'string' ? valueLook(looks, value)?.label : undefined) ?? formatCell(value, format)

/** The colour of a value, or of a series with the value's name, so that it is one on every visual. */
export function valueColor(text: string, looks: ValueLooks, palette: string[]): string | undefined {
  const look = valueLook(looks, text) ?? Object.values(looks).find(({ label }) => label === text)
  return look?.color === undefined ? undefined : palette[look.color - 1]
}

/** Colours of several values at once: those without one of their own take, in order, what the others leave. */
export function valueColors(texts: readonly string[], looks: ValueLooks, palette: string[]): string[] {
  const given = texts.map((text) => valueColor(text, looks, palette))
  const left = palette.filter((color) => !given.includes(color))
  const free = left.length ? left : palette
  let taken = 0
  return given.map((color) => color ?? free[taken++ % free.length] ?? '')
}

/** Data may hold the name of something that every object has. */
export const valueLook = (looks: ValueLooks, value: string) =>
  Object.hasOwn(looks, value) ? looks[value] : undefined

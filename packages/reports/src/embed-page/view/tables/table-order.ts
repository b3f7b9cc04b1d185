import type { Cell, ColumnKind, VisualData } from '../../../wire/embed-contract.ts'
import { compareNumbers, isNotNumber, isNumberKind } from '../style/column-format.ts'
import { findValueFormat, type ValueFormats } from '../style/value-formats.ts'

export interface Order {
  column: number
  descending: boolean
}

/** Returns the row indexes in this order: numbers by value, texts by label, blanks always last. */
export const orderRows = (
  { rows, kinds }: VisualData,
  { column, descending }: Order,
  valueFormats: ValueFormats,
): number[] => {
  // Computed once per row, not once per comparison.
  const keys = rows.map((row) => sortKey(row[column], kinds[column], valueFormats))
  const turn = descending ? -1 : 1
  return [...rows.keys()].sort((a, b) => {
    const [one, other] = [keys[a], keys[b]]
    if (one == null || other == null) return Number(one == null) - Number(other == null)
    return compareKeys(one, other, kinds[column]) * turn
  })
}

/** Returns the order of the query: the first column that ascends or descends throughout. */
export const givenOrder = (
  { columns, kinds, rows }: VisualData,
  valueFormats: ValueFormats,
): Order | undefined => {
  if (rows.length < 3) return undefined
  for (const column of columns.keys()) {
    const keys = rows.map((row) => sortKey(row[column], kinds[column], valueFormats))
    const steps = (isStep: (step: number) => boolean) =>
      keys.every((key, index) => {
        const before = keys[index - 1]
        if (index === 0) return true
        if (before == null || key == null) return key == null
        return isStep(compareKeys(before, key, kinds[column]))
      })
    if (steps((step) => step === 0)) continue
    if (steps((step) => step <= 0)) return { column, descending: false }
    if (steps((step) => step >= 0)) return { column, descending: true }
  }
  return undefined
}

/** Compares two cells; blanks come last. */
export const compareCells = (
  a: Cell | undefined,
  b: Cell | undefined,
  kind: ColumnKind | undefined,
  valueFormats: ValueFormats,
): number => {
  const [one, other] = [sortKey(a, kind, valueFormats), sortKey(b, kind, valueFormats)]
  if (one == null || other == null) return Number(one == null) - Number(other == null)
  return compareKeys(one, other, kind)
}

type Key = number | string

const sortKey = (
  value: Cell | undefined,
  kind: ColumnKind | undefined,
  valueFormats: ValueFormats,
): Key | null => {
  if (value === null || value === undefined || value === '' || isNotNumber(value)) return null
  if (typeof value === 'number' || (isNumberKind(kind) && typeof value === 'string')) return value
  const text = String(value)
  return findValueFormat(valueFormats, text)?.label ?? text
}

const compareKeys = (a: Key, b: Key, kind: ColumnKind | undefined): number =>
  isNumberKind(kind) ? compareNumbers(a, b) : collator.compare(String(a), String(b))

const collator = new Intl.Collator('pt-BR', { numeric: true, sensitivity: 'base' })

import { columnNames } from '../../../definitions/column-names.ts'

/**
 * The rows of a heading: one, or a row of groups and the row of names below it. With none, `first` is
 * the first row of values.
 */
export interface HeadingRows {
  first: number
  count: 0 | 1 | 2
}

/** The cells of a row that have something, by the index of their column. */
export type RowTexts = ReadonlyMap<number, string>

/** A line break in a heading separates words. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Returns the names of one row. */
export const plainNames = (row: RowTexts): Map<number, string> =>
  new Map([...row].map(([column, text]) => [column, oneLine(text)]))

/** Returns the names of two rows, where a name follows its group: 'Consultas · Valor'. */
export const groupedNames = (upper: RowTexts, lower: RowTexts): Map<number, string> =>
  new Map(
    [...new Set([...upper.keys(), ...lower.keys()])].map((column) => [
      column,
      [...new Set([upper.get(column), lower.get(column)])]
        .flatMap((text) => (text ? [oneLine(text)] : []))
        .join(' · '),
    ]),
  )

/** Repeats each group over the names to its right, up to the next group: a CSV has no merged cells. */
export const spreadGroups = (upper: RowTexts, lower: RowTexts): Map<number, string> => {
  const spread = new Map(upper)
  let group: string | undefined
  for (let column = 0; column <= Math.max(-1, ...lower.keys()); column++) {
    const own = upper.get(column)
    // A name of its own, without one below, is no group.
    if (own !== undefined) group = lower.has(column) ? own : undefined
    else if (group !== undefined && lower.has(column)) spread.set(column, group)
  }
  return spread
}

/** Returns the columns whose name another column has too; names ignore case. */
export const repeatedIn = (names: RowTexts): Set<number> => {
  const byName = Map.groupBy(names, ([, name]) => oneLine(name).toLowerCase())
  return new Set([...byName.values()].flatMap((same) => (same.length > 1 ? same.map(([one]) => one) : [])))
}

/**
 * Returns whether two rows are groups and names: names such as 'Jan' repeat, and only their groups
 * tell them apart.
 * @param isAmount whether a column has amounts below
 */
export const areGroups = (
  upper: RowTexts,
  lower: RowTexts,
  isAmount: (column: number) => boolean,
): boolean => {
  const repeated = repeatedIn(plainNames(lower))
  return (
    repeated.size > 0 && [...repeated].every(isAmount) && repeatedIn(groupedNames(upper, lower)).size === 0
  )
}

/** Returns whether a row has all of these columns, each by one of its names in lower case. */
export const hasColumns = (names: RowTexts, expected: string[][]): boolean => {
  const list = [...names.values()]
  const known = new Set([...list, ...columnNames(list)].map((name) => name.toLowerCase()))
  return expected.every((one) => one.some((name) => known.has(name)))
}

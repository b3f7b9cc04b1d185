import {
  areGroups,
  groupedNames,
  type HeadingRows,
  madeName,
  numberedNames,
  plainNames,
  type Repeated,
  repeatedIn,
  repeatsOf,
  spreadGroups,
  unclearRepeat,
} from '../data/csv/heading-rows.ts'
import { headingText, shownText } from './cell-values.ts'
import { columnLetters, type MergedRange, type SheetRow } from './sheet-rows.ts'
import { UnreadableSheet } from './unreadable-sheet.ts'

export interface Heading {
  rows: HeadingRows
  /** By the column's index; columns without a name are missing. */
  names: Map<number, string>
  /** Columns with the name of another one, which got a number. */
  repeats: Repeated[]
}

/** Rows with something in them, from the beginning, in which a heading is looked for. */
export const HEADING_ROWS = 40

/**
 * Finds the heading: the first row with at least two cells that are half as many as the widest row
 * has, since titles stand above it in one cell or in a merged range. It has two rows when merged
 * ranges are above the names of their columns, or when only a row of groups tells equal names apart.
 */
export const findHeading = (rows: SheetRow[], merged: MergedRange[]): HeadingRows => {
  const widths = rows.map(({ cells }) => cells.size)
  const widest = Math.max(0, ...widths)
  const least = widest >= 2 ? Math.max(2, Math.ceil(widest / 2)) : 1
  const wide = widths.findIndex((width) => width >= least)
  const several = widths.findIndex((width) => width > 1)
  // A row of values is no heading: then a row above it has names for some of the columns only.
  const index = Math.max(0, wide > several && several >= 0 && !isAllText(rows[wide]) ? several : wide)
  for (const upper of [index, index - 1]) {
    const first = rows[upper]?.number
    if (first !== undefined && hasNamesBelow(rows, merged, upper)) return { first, count: 2 }
  }
  const [row, next] = [rows[index], rows[index + 1]]
  const first = row?.number ?? 1
  const isGrouped =
    row !== undefined &&
    next?.number === first + 1 &&
    isAllText(next) &&
    merged.some((range) => isGroup(range, first) && namesBelow(range, next) > 1)
  return { first, count: isGrouped ? 2 : 1 }
}

/** Returns whether a row has the groups of the next one, whose names repeat above numbers and days. */
const hasNamesBelow = (rows: SheetRow[], merged: MergedRange[], index: number): boolean => {
  const [upper, lower, ...below] = rows.slice(index)
  if (!upper || lower?.number !== upper.number + 1 || !isAllText(lower)) return false
  const names = textsIn(lower)
  return areGroups(groupsOver(textsIn(upper), names, merged, upper.number), names, (column) =>
    below.some(({ cells }) => (cells.get(column)?.kind ?? 'text') !== 'text'),
  )
}

const isAllText = (row: SheetRow | undefined): boolean =>
  [...(row?.cells.values() ?? [])].every(({ kind }) => kind === 'text')

/** A range of one row over several columns. */
const isGroup = ({ columns: [left, right], rows: [top, bottom] }: MergedRange, row: number): boolean =>
  top === row && bottom === row && right > left

const namesBelow = ({ columns: [left, right] }: MergedRange, { cells }: SheetRow): number =>
  [...cells.keys()].filter((column) => column >= left && column <= right).length

const textsIn = (row: SheetRow | undefined): Map<number, string> =>
  new Map([...(row?.cells ?? [])].map(([column, cell]) => [column, headingText(cell)]))

/** Days of which the format shows an equal part, such as 'jan' of two years, are named by the whole day. */
const withWholeDays = (names: Map<number, string>, row: SheetRow | undefined): Map<number, string> => {
  const all = [...names.values()].map((name) => name.toLowerCase())
  const isRepeated = (name: string) => all.filter((one) => one === name.toLowerCase()).length > 1
  return new Map(
    [...names].map(([column, name]) => {
      const cell = row?.cells.get(column)
      const isDay = cell?.kind === 'date' || cell?.kind === 'datetime'
      return [column, cell && isDay && isRepeated(name) ? shownText(cell) : name]
    }),
  )
}

/** Repeats the text of each group over its columns. Without merged cells, only where names repeat. */
const groupsOver = (
  upper: Map<number, string>,
  lower: Map<number, string>,
  merged: MergedRange[],
  row: number,
): Map<number, string> => {
  const groups = new Map(upper)
  for (const range of merged.filter((one) => isGroup(one, row))) {
    const [left, right] = range.columns
    const group = groups.get(left)
    for (let column = left + 1; group !== undefined && column <= right; column++) groups.set(column, group)
  }
  return repeatedIn(groupedNames(groups, lower)).size > 0 ? spreadGroups(groups, lower) : groups
}

/**
 * Returns the headings of the columns. With two rows, a name follows its group: 'Consultas · Valor'.
 * @throws UnreadableSheet when the sheet has no such row
 */
export const readHeading = (rows: SheetRow[], merged: MergedRange[], wanted: HeadingRows): Heading => {
  const { first, count } = wanted
  if (count === 0) return { rows: wanted, names: new Map(), repeats: [] }
  const [upper, lower] = [first, first + 1].map((number) =>
    textsIn(rows.find((one) => one.number === number)),
  )
  const read =
    count === 1 || !upper || !lower
      ? plainNames(
          withWholeDays(
            upper ?? new Map(),
            rows.find((one) => one.number === first),
          ),
        )
      : groupedNames(groupsOver(upper, lower, merged, first), lower)
  const given = new Map([...read].filter(([, name]) => name !== ''))
  if (given.size === 0) throw new UnreadableSheet(`a linha ${first} não tem nomes de colunas: escolha outra`)
  const names = numberedNames(given)
  return { rows: wanted, names, repeats: repeatsOf(given, names) }
}

/** Returns the name of a column; one without a heading is called after its place. */
export const nameIn = ({ names }: Pick<Heading, 'names'>, column: number): string =>
  names.get(column) || madeName(column, names)

/** Characters of a column's name, as of a CSV. */
const LONGEST_NAME = 120

/**
 * Returns the name of each column.
 * @param quotesData whether faults may contain names: the first row of values may be in their place
 * @param expected for each column of a table that is replaced, its possible names in lower case
 * @throws UnreadableSheet when two columns have the same name, and one is of the table
 */
export const namesOf = (
  heading: Heading,
  columns: number[],
  quotesData: boolean,
  expected: string[][] | undefined,
): string[] => {
  const { rows, repeats } = heading
  const place = `linha ${rows.first + rows.count - 1}`
  const unclear = unclearRepeat(repeats, expected)
  if (unclear)
    throw new UnreadableSheet(
      `${place}: as colunas ${columnLetters(unclear.earlier)} e ${columnLetters(unclear.column)} têm o mesmo nome${quotesData ? `, ${unclear.name}` : ''} (maiúsculas não distinguem): mude um deles na planilha, ou escolha outra linha do cabeçalho`,
    )
  return columns.map((column) => {
    const name = nameIn(heading, column)
    if (name.length > LONGEST_NAME)
      throw new UnreadableSheet(
        `${place}: a coluna ${columnLetters(column)} tem um nome com mais de ${LONGEST_NAME} letras`,
      )
    return name
  })
}

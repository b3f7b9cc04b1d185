import { withHyphens } from '../data/csv/number-texts.ts'
import type { Cell } from './cell-values.ts'
import { columnLetters, type MergedRange, type SheetFrame, type SheetRow } from './sheet-rows.ts'

/* Merged cells below the heading: a sheet has their value in the first cell only. */

const MAX_NAMED = 10
const list = new Intl.ListFormat('pt-BR')

/**
 * Repeats the value of cells that are merged over several rows of one column. Numbers are not
 * repeated, since sums would count them again, nor are texts that are read as numbers; and none is,
 * where cells are merged over columns.
 * @param lastHeading the last row of the heading
 * @param isText whether the texts of a column stay texts, whatever they look like
 */
export const createMergedCells = (
  { merged, unrepeated, hasMoreUnrepeated }: SheetFrame,
  lastHeading: number,
  isText: (column: number) => boolean,
) => {
  const below = [...merged, ...unrepeated].filter(({ rows: [first] }) => first > lastHeading)
  const starting = Map.groupBy(below, ({ rows: [first] }) => first)
  /** By the column's index, the cells that are repeated down to a row. */
  const open = new Map<number, { cell: Cell; last: number }>()
  const repeated = new Map<number, number>()
  const single: MergedRange[] = []
  /** The columns of `single` whose texts are repeated if they stay texts. */
  const undecided = new Set<number>()

  function begin(range: MergedRange, { cells }: SheetRow) {
    const [column, lastColumn] = range.columns
    const cell = cells.get(column)
    if (!cell) return
    const isOneColumn = column === lastColumn
    const isAmountText = isOneColumn && cell.kind === 'text' && isNumberText(cell.value)
    if (isOneColumn && !isAmount(cell) && (!isAmountText || isText(column)))
      open.set(column, { cell, last: range.rows[1] })
    else single.push(range)
    if (isAmountText) undecided.add(column)
  }

  return {
    /** Completes a row; rows come in order. One without any value of its own stays empty. */
    fill(row: SheetRow) {
      if (starting.size === 0 || row.cells.size === 0) return
      for (const [column, { cell, last }] of open) {
        if (row.number > last) open.delete(column)
        else if (!row.cells.has(column)) {
          row.cells.set(column, cell)
          row.gaps.delete(column)
          repeated.set(column, (repeated.get(column) ?? 0) + 1)
        }
      }
      for (const range of starting.get(row.number) ?? []) begin(range, row)
    },
    /** Columns with texts that look like numbers, and are repeated only where they stay texts. */
    undecided: (): ReadonlySet<number> => undecided,
    /** Sentences about the columns, by the names that the heading gives them. */
    notices: (nameOf: (column: number) => string): string[] => [
      ...[...repeated].map(
        ([column, count]) =>
          `na coluna ${nameOf(column)}, o valor de células mescladas foi repetido ${count === 1 ? 'na outra linha' : `nas outras ${count.toLocaleString('pt-BR')} linhas`}`,
      ),
      ...(single.length > 0
        ? [
            `as células mescladas ${named(single, hasMoreUnrepeated)} têm o valor só na primeira: as outras ficaram vazias`,
          ]
        : []),
    ],
  }
}

const isAmount = ({ kind }: Cell): boolean =>
  kind === 'number' || kind === 'money' || kind === 'foreign' || kind === 'percent' || kind === 'elapsed'

const DIGITS = '(0|[1-9]\\d{0,14}|[1-9]\\d{0,2}([.,\\s]\\d{3}){1,4})'
const NUMBER = `(${DIGITS}([.,]\\d+)?|[.,]\\d+)`
const CURRENCY = '(R\\$\\s*)?'
const AMOUNT = new RegExp(
  `^([-+]?\\s*${CURRENCY}[-+]?\\s*${NUMBER}\\s*%?|${CURRENCY}${NUMBER}\\s*-|\\(\\s*${CURRENCY}${NUMBER}\\s*%?\\s*\\)|${CURRENCY}\\(\\s*${NUMBER}\\s*\\)|R\\$\\s*-)$`,
)
/** Every program writes an exponent with a sign or after a fraction: 12E3 is a code. */
const EXPONENT = /^-?(0|[1-9]\d*)(\.\d+[eE][+-]?|[eE][+-])\d+$/

/** Returns whether a text of a sheet is read as a number, in whatever notation. */
export const isNumberText = (text: string): boolean => {
  const plain = withHyphens(text.trim())
  return AMOUNT.test(plain) || EXPONENT.test(plain)
}

const named = (ranges: MergedRange[], hasMore: boolean): string => {
  const shown = ranges
    .slice(0, MAX_NAMED)
    .map(
      ({ columns: [from, to], rows: [first, last] }) =>
        `${columnLetters(from)}${first}:${columnLetters(to)}${last}`,
    )
  const more = ranges.length - shown.length
  if (more === 0) return list.format(hasMore ? [...shown, 'outras'] : shown)
  return list.format([...shown, `mais ${hasMore ? 'de ' : ''}${more.toLocaleString('pt-BR')}`])
}

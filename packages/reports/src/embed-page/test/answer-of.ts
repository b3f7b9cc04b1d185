import type { Cell, ColumnKind, VisualData } from '../../wire/embed-contract.ts'

/** Returns an answer with these rows; kinds that a test does not name follow from its cells. */
export const answerOf = ({
  kinds,
  ...given
}: Omit<VisualData, 'kinds'> & { kinds?: ColumnKind[] }): VisualData => ({
  ...given,
  kinds: kinds ?? given.columns.map((_, index) => kindOfCells(given.rows.map((row) => row[index] ?? null))),
  ...(given.totals && { totalKinds: given.totals.map((total) => kindOfCells([total])) }),
})

export const kindOfCells = (cells: Cell[]): ColumnKind => {
  const known = cells.filter((cell) => cell !== null)
  if (known.some((cell) => typeof cell === 'number')) return 'number'
  if (known.some((cell) => typeof cell === 'boolean')) return 'boolean'
  const fits = (pattern: RegExp) => known.length > 0 && known.every((cell) => pattern.test(String(cell)))
  if (fits(/^\d{4}-\d\d-\d\d$/)) return 'date'
  return fits(/^\d{4}-\d\d-\d\dT/) ? 'timestamp' : 'text'
}

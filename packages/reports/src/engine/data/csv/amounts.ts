import type { ChoiceInput, ChosenColumn } from './csv-choice.ts'
import { strippedSql } from './field-sql.ts'

/** Rows that show how numbers are written. */
const WRITTEN_ROWS = 1_000
const GROUPED = '[0-9]{1,3}([.,][0-9]{3})+'

/** Returns the names of the numbers that are written with groups of thousands, or with two decimals. */
export const amountsIn = async (
  { database, source }: Pick<ChoiceInput, 'database' | 'source'>,
  columns: ChosenColumn[],
): Promise<Set<string>> => {
  const names = columns.flatMap(({ name, writing }) =>
    writing?.type === 'integer' || writing?.type === 'number' ? [name] : [],
  )
  if (names.length === 0) return new Set()
  const list = names.map((name) => {
    const digits = `regexp_replace(${strippedSql(name)}, '[^0-9.,]', '', 'g')`
    const isFit = `regexp_full_match(${digits}, '(${GROUPED}|[0-9]+)([.,][0-9]{2})?')`
    const isShown = `regexp_full_match(${digits}, '${GROUPED}([.,][0-9]{2})?|[0-9]+[.,][0-9]{2}')`
    return `coalesce(bool_and(${isFit}) AND bool_or(${isShown}), false)`
  })
  const [row = []] = await database.load(
    `SELECT ${list.join(', ')} FROM (FROM ${source} LIMIT ${WRITTEN_ROWS})`,
  )
  return new Set(names.filter((_name, index) => row[index] === true))
}

import type { ChoiceInput, ChosenColumn } from './csv-choice.ts'
import { isMissingSignSql, isMissingTextSql, strippedSql } from './field-sql.ts'

/**
 * Returns the columns, those of texts with the marks of missing values that become empty.
 * @param signs headings of columns that have dashes as values, whatever this file has
 */
export const markMissing = async (
  { database, source }: Pick<ChoiceInput, 'database' | 'source'>,
  columns: ChosenColumn[],
  signs: ReadonlySet<string> = new Set(),
): Promise<ChosenColumn[]> => {
  const texts = columns.flatMap(({ name, writing }) => (writing ? [] : [strippedSql(name)]))
  if (texts.length === 0) return columns
  const list = texts.flatMap((text) => [
    `coalesce(bool_or(${isMissingTextSql(text)}), false)`,
    `coalesce(bool_or(${text} = '+'), false)`,
  ])
  const [row = []] = await database.load(`SELECT ${list.join(', ')} FROM ${source}`)
  return columns.map((column) => {
    const text = strippedSql(column.name)
    const at = texts.indexOf(text) * 2
    if (column.writing || row[at] !== true) return column
    return {
      ...column,
      missing:
        row[at + 1] === true || signs.has(column.name) ? isMissingSignSql(text) : isMissingTextSql(text),
    }
  })
}

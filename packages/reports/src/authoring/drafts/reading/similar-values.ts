import { type Database, quote } from '../../../engine/data/database/database.ts'

/** Columns of more values are no groups of a report. */
const MAX_VALUES = 1_000
/** Columns that are looked into, and examples of each. */
const MAX_COLUMNS = 30
const MAX_EXAMPLES = 3
const LONGEST = 40

interface ReadText {
  label: string
  type: string
  distinct: number
}

/**
 * Returns sentences about texts that differ only in case, accents or spaces: a report shows them as
 * groups of their own, since nothing says that they mean the same.
 */
export const remarkSimilar = async (
  database: Database,
  table: string,
  columns: ReadText[],
  quotesData: boolean,
): Promise<string[]> => {
  const texts = columns.filter(
    ({ type, distinct }) => type === 'text' && distinct > 1 && distinct <= MAX_VALUES,
  )
  const remarks: string[] = []
  for (const { label } of texts.slice(0, MAX_COLUMNS)) {
    const found = await database.load(
      `SELECT to_json(list(left(value, ${LONGEST}) ORDER BY value))::VARCHAR FROM (
         SELECT DISTINCT ${quote(label)} AS value FROM ${table} WHERE ${quote(label)} IS NOT NULL)
       GROUP BY lower(strip_accents(regexp_replace(trim(value), '\\s+', ' ', 'g')))
       HAVING count(*) > 1 ORDER BY min(value) LIMIT ${MAX_EXAMPLES}`,
    )
    if (found.length === 0) continue
    const examples = found.map(([values]) => list.format(quotedIn(String(values))))
    const named = quotesData ? `: ${examples.join('; ')}` : ''
    remarks.push(
      `a coluna ${label} tem valores que só diferem em maiúsculas, acentos ou espaços, e cada um fica em um grupo${named}`,
    )
  }
  return remarks
}

const list = new Intl.ListFormat('pt-BR')
const quotedIn = (json: string): string[] => JSON.parse(json).map((value: string) => `"${value}"`)

import { headingText } from '../../../definitions/heading-text.ts'
import { type Database, quote } from '../../../engine/data/database/database.ts'

/*
 * Nothing in a file says that its numbers are in another unit than those it replaces: 8 for 0.08, or
 * thousands of reais for reais. Their sizes do.
 */

/** The median of the absolute values of a column without its zeros, by the name in lower case. */
export type TypicalSizes = ReadonlyMap<string, number>

/** Rows of which the medians are taken. */
const SAMPLE = 100_000
/** The median of fewer values says nothing. */
const FEWEST = 3
/** Sums of one month and of a whole year differ by less. Percentages and their shares differ by 100. */
const OTHER_UNIT = 30

/** @param source a table, or a query in parentheses */
export const readTypicalSizes = async (
  database: Database,
  source: string,
  numbers: string[],
): Promise<TypicalSizes> => {
  if (numbers.length === 0) return new Map()
  const sizes = numbers.map((name) => {
    const size = `nullif(abs(${quote(name)}::DOUBLE), 0)`
    return `CASE WHEN count(${size}) >= ${FEWEST} THEN median(${size}) END`
  })
  const [row = []] = await database.load(
    `SELECT ${sizes.join(', ')} FROM (SELECT * FROM ${source} AS counted USING SAMPLE reservoir(${SAMPLE} ROWS) REPEATABLE (1))`,
  )
  return new Map(
    numbers.flatMap((name, index) => {
      const size = row[index]
      return typeof size === 'number' && Number.isFinite(size) ? [[name.toLowerCase(), size] as const] : []
    }),
  )
}

/** Returns a sentence for each column whose numbers seem to be in another unit than before. */
export const changedSizes = (
  before: TypicalSizes,
  after: TypicalSizes,
  columns: { name: string; label: string }[],
): string[] =>
  columns.flatMap(({ name, label }) => {
    const [old, now] = [before, after].map((sizes) => sizes.get(name.toLowerCase()))
    if (!old || !now || (now < old * OTHER_UNIT && old < now * OTHER_UNIT)) return []
    const times = Number((now > old ? now / old : old / now).toPrecision(1)).toLocaleString('pt-BR')
    const size = now > old ? `${times} vezes maiores` : `${times} vezes menores`
    return [
      `na coluna ${headingText(label)}, os números são cerca de ${size} que os publicados: veja se estão na mesma unidade`,
    ]
  })

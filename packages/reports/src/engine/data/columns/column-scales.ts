import { z } from 'zod'

/** What the numbers of files without percent signs are: 8 is 8% (`percentages`), or 0.08 is 8% (`shares`). */
const Meaning = z.enum(['percentages', 'shares'])
type Meaning = z.infer<typeof Meaning>

/** What a person said of files without percent signs. */
export const Answers = z.object({
  /** Of files with fractions only, such as 0.08: an answer about 8 says nothing about them. */
  fractions: Meaning.optional(),
  /** Of all other files. */
  others: Meaning.optional(),
})
type Answers = z.infer<typeof Answers>

/**
 * What the numbers of a column are. `share`: 8% is kept as 0.08. `points`: 8% is kept as 8. `plain`:
 * the numbers are not percentages.
 */
export type Scale = Answers & { unit: 'share' | 'points' | 'plain' }

/** How a published file says it. Earlier versions keep only this word, and still read it. */
export const ScaleWord = z.enum(['percent', 'hundredths', 'points', 'plain'])
type ScaleWord = z.infer<typeof ScaleWord>
const words: Record<ScaleWord, Scale> = {
  percent: { unit: 'share' },
  hundredths: { unit: 'share', others: 'percentages' },
  points: { unit: 'points' },
  plain: { unit: 'plain' },
}
export const scaleOf = (word: ScaleWord, answers: Answers = {}): Scale => ({ ...words[word], ...answers })
export const wordOf = ({ unit, others }: Scale): ScaleWord => {
  if (unit !== 'share') return unit
  return others === 'percentages' ? 'hundredths' : 'percent'
}

/**
 * What a person answers. About percent signs: 8% is 0.08 (`asRead`) or 8 (`multiplied`). About numbers
 * without signs: 8 is 8% (`divided`), 0.08 is 8% (`share`), or they are not percentages (`asRead`).
 */
export const ScaleAnswer = z.enum(['asRead', 'divided', 'multiplied', 'share'])
export type ScaleAnswer = z.infer<typeof ScaleAnswer>

/** What becomes of a column that is read again; undefined when a person must decide. */
export type Scaling = { scale: Scale; factor: '' | '/ 100' | '* 100' }

/**
 * `isSheet`: it is a spreadsheet, in which a cell that loses its percent format keeps 0.08.
 * `isFraction`: all of its numbers are fractions, such as 0.08.
 */
type FileFacts = { isSheet: boolean; isFraction: boolean }

/**
 * Returns how the numbers of a file become those of a published column, so that no number is
 * silently a hundred times as large or as small.
 * @param before the scale of the published numbers; undefined when it is not known
 * @param hasSign whether the new file shows percent signs
 * @param isShare whether a report shows the column as a share
 */
export const scalingOf = (
  before: Scale | undefined,
  hasSign: boolean,
  isShare: boolean,
  answer: ScaleAnswer | undefined,
  file: FileFacts = { isSheet: false, isFraction: false },
): Scaling | undefined => {
  const scale = before ?? { unit: isShare ? 'share' : 'plain' }
  return hasSign ? withSigns(scale, answer) : withoutSigns(scale, isShare, answer, file)
}

/** Returns the answers of which one is right. */
export const answersTo = (hasSign: boolean, { isFraction }: Pick<FileFacts, 'isFraction'>): ScaleAnswer[] => {
  if (hasSign) return ['asRead', 'multiplied']
  return isFraction ? ['share', 'divided'] : ['divided', 'share', 'asRead']
}

const withSigns = (scale: Scale, answer: ScaleAnswer | undefined): Scaling | undefined => {
  if (scale.unit === 'share') return { scale, factor: '' }
  if (scale.unit === 'points') return { scale, factor: '* 100' }
  if (answer === 'multiplied') return { scale: { unit: 'points' }, factor: '* 100' }
  return answer === 'asRead' ? { scale: { unit: 'share' }, factor: '' } : undefined
}

const factors = {
  share: { percentages: '/ 100', shares: '' },
  points: { percentages: '', shares: '* 100' },
} as const

const withoutSigns = (
  scale: Scale,
  isShare: boolean,
  answer: ScaleAnswer | undefined,
  { isSheet, isFraction }: FileFacts,
): Scaling | undefined => {
  const { unit, fractions, others } = scale
  // The report shows 0.08 as 8%, and would show 8 as 800%.
  const isKept = answer === 'asRead' && unit === 'share' && isFraction && isShare
  if (unit === 'plain' || (answer === 'asRead' && !isKept)) return { scale: { unit: 'plain' }, factor: '' }
  const answered = answer === 'divided' ? 'percentages' : answer === 'share' || isKept ? 'shares' : undefined
  const numbersOfCsv = unit === 'points' && !isSheet ? 'percentages' : undefined
  const meaning = answered ?? (isFraction ? fractions : (others ?? numbersOfCsv))
  if (meaning === undefined) return undefined
  const factor = factors[unit][meaning]
  return { scale: answered ? { ...scale, ...impliedBy(answered, isFraction) } : scale, factor }
}

/** Where 0.3 is 0.3%, 8 is 8%; where 1.2 is 120%, 0.08 is 8%. The other two answers imply nothing. */
const impliedBy = (meaning: Meaning, isFraction: boolean): Answers => {
  if (isFraction === (meaning === 'percentages')) return { fractions: meaning, others: meaning }
  return isFraction ? { fractions: meaning } : { others: meaning }
}

/** Returns the SQL of a number with its factor. */
export const scaledSql = (sql: string, factor: Scaling['factor'] = ''): string =>
  factor === '* 100' ? shiftedSql(sql, 2) : factor === '/ 100' ? shiftedSql(sql, -2) : sql

/**
 * Returns the SQL of a number whose decimal mark is moved by two places: 0.14 / 100 is
 * 0.0014000000000000002, and 0.07 * 100 is 7.000000000000001.
 */
export const shiftedSql = (sql: string, places: 2 | -2): string => {
  const text = `(${sql})::VARCHAR`
  const exponent = `coalesce(TRY_CAST(split_part(${text}, 'e', 2) AS INTEGER), 0) + (${places})`
  const shifted = `TRY_CAST(split_part(${text}, 'e', 1) || 'e' || (${exponent}) AS DOUBLE)`
  // NaN and infinity have no mark.
  return `coalesce(${shifted}, (${sql}) ${places > 0 ? '*' : '/'} 100)`
}

import { z } from 'zod'

/**
 * How the numbers of a column relate to the percent signs of its files; 8% is read as 0.08.
 * `percent`: files show the sign, and 8% is 0.08. `hundredths`: files show no sign, and 8 is 0.08
 * because a person said so. `points`: files show the sign, and 8% is 8 because a person said so.
 * `plain`: the numbers are those of the files, without a sign.
 */
export const Scale = z.enum(['percent', 'hundredths', 'points', 'plain'])
export type Scale = z.infer<typeof Scale>

/** What a person answers: keep the numbers as they are read, divide or multiply them by 100. */
export const ScaleAnswer = z.enum(['asRead', 'divided', 'multiplied'])
export type ScaleAnswer = z.infer<typeof ScaleAnswer>

/** What becomes of a column that is read again; undefined when a person must decide. */
export type Scaling = { scale: Scale; factor: '' | '/ 100' | '* 100' }

/**
 * Returns how the numbers of a file become those of a published column, so that no number is
 * silently a hundred times as large or as small.
 * @param before the scale of the published numbers; undefined when it is not known
 * @param hasSign whether the new file shows percent signs
 * @param isShare whether a report shows the column as a share
 * @param file.isSheet whether it is a spreadsheet: a cell that loses its percent format keeps 0.08
 * @param file.isFraction whether all of its numbers are below 1: 0.08 is 8% where 8 was before
 */
export const scalingOf = (
  before: Scale | undefined,
  hasSign: boolean,
  isShare: boolean,
  answer: ScaleAnswer | undefined,
  { isSheet, isFraction }: { isSheet: boolean; isFraction: boolean } = { isSheet: false, isFraction: false },
): Scaling | undefined => {
  if (before === 'points' && hasSign) return { scale: 'points', factor: '* 100' }
  // An answer about 8 says nothing about 0.08.
  const isAsAnswered = !isFraction || answer !== undefined
  if (before === 'points' && !isSheet && isAsAnswered) return { scale: 'points', factor: '' }
  if (before === 'hundredths' && !hasSign && answer !== 'asRead' && isAsAnswered)
    return { scale: 'hundredths', factor: '/ 100' }
  const wasShare = before === undefined ? isShare : before !== 'plain'
  if (wasShare === hasSign) return { scale: hasSign ? 'percent' : 'plain', factor: '' }
  if (answer === undefined) return undefined
  if (hasSign)
    return answer === 'multiplied' ? { scale: 'points', factor: '* 100' } : { scale: 'percent', factor: '' }
  return answer === 'divided' ? { scale: 'hundredths', factor: '/ 100' } : { scale: 'plain', factor: '' }
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

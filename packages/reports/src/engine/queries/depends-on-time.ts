import type { CheckedQuery, Dataset } from '../data/catalog.ts'

/**
 * Words of all allowed functions and keywords whose result changes without a change of the data:
 * `age(x)` compares with today. A column of such a name only makes the answer expire sooner.
 */
const WORDS = /\b(now|today|age|random|get_current_timestamp|(current|local)_?(date|time|timestamp))\b/i

/** Returns whether an answer to the queries, or the rows that the roles allow, may change with time. */
export const dependsOnTime = ({ roles }: Dataset, queries: readonly CheckedQuery[]): boolean =>
  [...queries, ...roles.flatMap(({ predicates }) => [...predicates.values()])].some(({ sql }) =>
    WORDS.test(sql),
  )

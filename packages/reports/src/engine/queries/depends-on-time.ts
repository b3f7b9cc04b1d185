import type { CheckedQuery, Dataset } from '../data/catalog.ts'

/**
 * The functions and keywords that SQL of reports may use and whose result changes without a change
 * of the data: `age(x)` compares with today, `random()` always differs. A column with such a name
 * does no harm: the answer expires sooner.
 */
const WORDS = /\b(now|today|age|random|get_current_timestamp|(current|local)_?(date|time|timestamp))\b/i

/** Returns whether the queries, or the row-level security of the dataset, depend on the time. */
export const dependsOnTime = ({ roles }: Dataset, queries: readonly CheckedQuery[]): boolean =>
  [...queries, ...roles.flatMap(({ predicates }) => [...predicates.values()])].some(({ sql }) =>
    WORDS.test(sql),
  )

/** What is wrong with the SQL of a definition, in a Portuguese sentence without place. */
export class SqlError extends Error {}

/** An object of DuckDB's parse tree. */
export type Node = Record<string, unknown>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * `a.f(b)` is parsed as a function of the schema `a`, and is `f(a, b)`. What DuckDB's own syntax stands for (`position(a IN b)`)
 * is of the schema `main`, where each function is found before a column of that name.
 */
export const hasReceiver = ({ schema, catalog }: Node) =>
  Boolean(catalog) || Boolean(schema && schema !== 'main')

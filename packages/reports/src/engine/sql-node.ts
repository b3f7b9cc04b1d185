/** A fault in the SQL of a definition, as a Portuguese sentence without its place. */
export class SqlError extends Error {}

/** An object of DuckDB's parse tree. */
export type Node = Record<string, unknown>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns whether a call has the form `a.f(b)`, which means `f(a, b)` and is parsed as a function
 * of the schema `a`. Built-in syntax (`position(a IN b)`) has the schema `main`; there, functions
 * precede columns of that name.
 */
export const hasReceiver = ({ schema, catalog }: Node) =>
  Boolean(catalog) || Boolean(schema && schema !== 'main')

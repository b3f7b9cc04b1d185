/** What is wrong with the SQL of a definition, in a Portuguese sentence without place. */
export class SqlError extends Error {}

/** An object of DuckDB's parse tree. */
export type Node = Record<string, unknown>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object of DuckDB's parse tree. */
export type SqlNode = Record<string, unknown>

export const isNode = (value: unknown): value is SqlNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

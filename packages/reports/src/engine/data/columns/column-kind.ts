import type { ColumnKind } from '../../../wire/embed-contract.ts'

/** Returns what values of a DuckDB type are on the wire, and how they are compared. */
export const kindOf = (type: string): ColumnKind => {
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return 'integer'
  if (/^(FLOAT|DOUBLE|DECIMAL\(\d+,\d+\))$/.test(type)) return 'number'
  if (type === 'BOOLEAN') return 'boolean'
  if (type === 'DATE') return 'date'
  if (type === 'TIME') return 'time'
  if (/^TIMESTAMP(_S|_MS|_NS| WITH TIME ZONE)?$/.test(type)) return 'timestamp'
  return type === 'VARCHAR' ? 'text' : 'other'
}

/** A column of instants: its values are shown and compared on the clock of the dataset's zone. */
export const isInstantType = (type: string): boolean => type === 'TIMESTAMP WITH TIME ZONE'

/**
 * Whether values of a DuckDB type may have more digits than a double holds. The database returns
 * them as they are (database.ts).
 */
export const isExactType = (type: string): boolean =>
  /^U?(BIG|HUGE)INT$/.test(type) || Number(/^DECIMAL\((\d+),/.exec(type)?.[1] ?? 0) > SAFE_DIGITS

/** Decimal digits that every double keeps. */
export const SAFE_DIGITS = 15

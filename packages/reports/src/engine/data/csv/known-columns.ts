import { z } from 'zod'
import type { CsvType } from '../../../definitions/definition.ts'
import type { Notation } from './csv-notations.ts'

/** A column of a CSV that this service wrote itself: its type is known, and its notation canonical. */
export interface KnownColumn {
  type: CsvType
  /** `foreign`: an amount in another currency than the real. */
  shownAs?: 'money' | 'foreign' | 'percent' | undefined
  /** Some of its numbers are percentages, and others are not. */
  isPartlyPercent?: boolean | undefined
}

/**
 * How a cell of a spreadsheet becomes a text: as the sheet shows it (05/03/2026), or canonical
 * (2026-03-05).
 */
export const TextForm = z.enum(['shown', 'canonical'])
export type TextForm = z.infer<typeof TextForm>

const DAY = '\\d{4}-\\d{2}-\\d{2}'
const NUMBER = '-?\\d+(\\.\\d+)?(e[+-]?\\d+)?'

/** The only notation of each type. A date is also a moment, and an integer also a number. */
const CANONICAL: Record<Exclude<CsvType, 'text'>, Notation> = {
  boolean: { type: 'boolean', reach: 'plain', match: 'true|false', convert: (text) => `${text} = 'true'` },
  integer: {
    type: 'integer',
    reach: 'plain',
    match: '-?\\d+',
    convert: (text) => `TRY_CAST(${text} AS BIGINT)`,
  },
  number: { type: 'number', reach: 'plain', match: NUMBER, convert: (text) => `TRY_CAST(${text} AS DOUBLE)` },
  date: {
    type: 'date',
    reach: 'plain',
    match: `${DAY}( 00:00:00)?`,
    convert: (text) => `TRY_CAST(left(${text}, 10) AS DATE)`,
  },
  timestamp: {
    type: 'timestamp',
    reach: 'plain',
    match: `${DAY}( \\d{2}:\\d{2}:\\d{2}(\\.\\d+)?)?`,
    convert: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  },
}

/** Returns how a known column is read as its own type, or as the one that the author chose. */
export const canonicalNotation = (known: KnownColumn, chosen = known.type): Notation | undefined => {
  if (chosen === 'text') return undefined
  const notation = CANONICAL[chosen]
  const { shownAs, isPartlyPercent } = known
  return chosen === 'number' ? { ...notation, ...(shownAs && { shownAs }), isPartlyPercent } : notation
}

/** Says what became of durations, of a spreadsheet or of a CSV. */
export const durationSentence = (name: string): string =>
  `a coluna ${name} tem durações, que viram números de horas: 8:30 vira 8,5`

/** Says how a file without a heading is read. */
export const WITHOUT_HEADING =
  'o arquivo foi lido sem cabeçalho: as colunas são Coluna 1, Coluna 2 e assim por diante'

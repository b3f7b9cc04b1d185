import { z } from './zod.ts'

/* When something runs: a subscription, an alert, a replacement of data, a capacity. */

/** The days of a week on the wire, Monday first. */
export const WEEKDAYS = ['segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado', 'domingo'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export const MonthDay = z.enum(['PRIMEIRO_UTIL', 'ULTIMO_UTIL'])
export type MonthDay = z.infer<typeof MonthDay>

/**
 * `DIA` is the name of `DIARIA` for replacements of data. `ATUALIZACAO`: after each refresh of the
 * report's data. Working days are Monday to Friday, also holidays.
 */
export type Frequency = 'HORA' | 'DIA' | 'DIARIA' | 'DIAS_UTEIS' | 'SEMANAL' | 'MENSAL' | 'ATUALIZACAO'

export interface Recurrence {
  frequencia: Frequency
  /** hh:mm in `fuso`; an hourly one uses the minutes. Null: the frequency needs none. */
  horario: string | null
  diaSemana?: Weekday | null
  diaMes?: MonthDay | null
  /** An IANA name; the portal's zone without it. */
  fuso?: string
}

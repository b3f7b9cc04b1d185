import { emptyAsNull } from './fields.ts'
import { ownValue } from './own-value.ts'
import { PORTAL_ZONE, TimeZone, zoneName } from './time-zone.ts'
import { z } from './zod.ts'

/* When something runs: a subscription, an alert, a replacement of data, a capacity. */

/** The days of a week on the wire, Monday first. */
export const WEEKDAYS = ['segunda', 'terca', 'quarta', 'quinta', 'sexta', 'sabado', 'domingo'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export const weekdayTexts: Record<Weekday, string> = {
  segunda: 'Segunda-feira',
  terca: 'Terça-feira',
  quarta: 'Quarta-feira',
  quinta: 'Quinta-feira',
  sexta: 'Sexta-feira',
  sabado: 'Sábado',
  domingo: 'Domingo',
}

/** @example 'Segunda' */
export const shortWeekday = (day: Weekday): string => weekdayTexts[day].replace('-feira', '')

export const MonthDay = z.enum(['PRIMEIRO_UTIL', 'ULTIMO_UTIL'])
export type MonthDay = z.infer<typeof MonthDay>

export const monthDayTexts: Record<MonthDay, string> = {
  PRIMEIRO_UTIL: 'Primeiro dia útil',
  ULTIMO_UTIL: 'Último dia útil',
}

/**
 * `DIA` is the name of `DIARIA` for replacements of data. `ATUALIZACAO`: after each refresh of the
 * report's data. Working days are Monday to Friday, also holidays.
 */
export type Frequency = 'HORA' | 'DIA' | 'DIARIA' | 'DIAS_UTEIS' | 'SEMANAL' | 'MENSAL' | 'ATUALIZACAO'

export const frequencyTexts: Record<Frequency, string> = {
  HORA: 'De hora em hora',
  DIA: 'Todo dia',
  DIARIA: 'Todo dia',
  DIAS_UTEIS: 'De segunda a sexta',
  SEMANAL: 'Toda semana',
  MENSAL: 'Todo mês',
  ATUALIZACAO: 'Depois de cada atualização dos dados',
}

export interface Recurrence {
  frequencia: Frequency
  /** hh:mm in `fuso`. An hourly replacement of data uses the minutes. */
  horario: string | null
  diaSemana?: Weekday | null
  diaMes?: MonthDay | null
  /** An IANA name; the portal's zone without it. */
  fuso?: string
}

type Time = 'horario' | 'diaSemana' | 'diaMes'

const needed: Record<Frequency, Time[]> = {
  HORA: [],
  DIA: ['horario'],
  DIARIA: ['horario'],
  DIAS_UTEIS: ['horario'],
  SEMANAL: ['horario', 'diaSemana'],
  MENSAL: ['horario', 'diaMes'],
  ATUALIZACAO: [],
}

export const needsTime = (frequency: Frequency, time: Time): boolean => needed[frequency].includes(time)

const missing: Record<Time, string> = {
  horario: 'Informe um horário, como 07:30.',
  diaSemana: 'Escolha o dia da semana.',
  diaMes: 'Escolha o dia do mês.',
}

/** hh:mm */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, missing.horario)

/** The fields of a draft besides its frequency. */
export const draftTimes = {
  horario: emptyAsNull(TimeOfDay).default(null),
  diaSemana: z.enum(WEEKDAYS).nullable().default(null),
  diaMes: MonthDay.nullable().default(null),
  fuso: TimeZone.default(PORTAL_ZONE),
}

/** The same fields of an answer; null: the frequency does not need it. */
export const storedTimes = {
  horario: z.string().nullable(),
  diaSemana: z.enum(WEEKDAYS).nullable(),
  diaMes: MonthDay.nullable(),
  fuso: z.string(),
}

/** Returns the fields that the frequency of a draft needs and that are empty, with their messages. */
export const missingTimes = (draft: Partial<Recurrence>): [field: Time, message: string][] =>
  (ownValue(needed, draft.frequencia ?? '') ?? [])
    .filter((time) => draft[time] === null)
    .map((time) => [time, missing[time]])

/** Returns a recurrence without the fields that its frequency does not need. */
export const ownTimes = <T extends Recurrence>(recurrence: T): T => {
  const others = (['horario', 'diaSemana', 'diaMes'] as const).filter(
    (time) => time in recurrence && !needsTime(recurrence.frequencia, time),
  )
  return { ...recurrence, ...Object.fromEntries(others.map((time) => [time, null])) }
}

/** Returns 'Toda segunda-feira às 07:30', with the zone where it is not the portal's. */
export const recurrenceText = (recurrence: Recurrence): string => {
  const { frequencia, horario, fuso = PORTAL_ZONE } = recurrence
  const days = daysText(recurrence)
  if (!horario || !needsTime(frequencia, 'horario')) return days
  return `${days} às ${horario}${fuso === PORTAL_ZONE ? '' : `, horário de ${zoneName(fuso)}`}`
}

const daysText = ({ frequencia, diaSemana, diaMes }: Recurrence): string => {
  if (frequencia === 'SEMANAL' && diaSemana) {
    const isMasculine = diaSemana === 'sabado' || diaSemana === 'domingo'
    return `${isMasculine ? 'Todo' : 'Toda'} ${weekdayTexts[diaSemana].toLowerCase()}`
  }
  if (frequencia === 'MENSAL' && diaMes) return `No ${monthDayTexts[diaMes].toLowerCase()} do mês`
  return frequencyTexts[frequencia]
}

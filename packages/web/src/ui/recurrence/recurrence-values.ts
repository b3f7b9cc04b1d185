import { type Frequency, type MonthDay, ownTimes, type Recurrence, type Weekday } from '@bi-manager/contract'
import type { SelectOption } from '../search-select/select-options.ts'
import { browserZone, zoneOption } from './time-zones.ts'

/** A recurrence in a form, which keeps the fields of other frequencies. */
export interface RecurrenceValues<F extends Frequency> {
  frequencia: F
  horario: string
  diaSemana: Weekday
  diaMes: MonthDay
  fuso: SelectOption<string> | null
}

export const recurrenceValues = <F extends Frequency>({
  frequencia,
  horario,
  diaSemana,
  diaMes,
  fuso = browserZone(),
}: Partial<Recurrence> & { frequencia: F }): RecurrenceValues<F> => ({
  frequencia,
  horario: horario ?? '07:30',
  diaSemana: diaSemana ?? 'segunda',
  diaMes: diaMes ?? 'PRIMEIRO_UTIL',
  fuso: zoneOption(fuso),
})

/** Returns the fields of the request body. */
export const recurrenceDraft = (values: RecurrenceValues<Frequency>): Recurrence => {
  const { frequencia, horario, diaSemana, diaMes, fuso } = values
  return ownTimes<Recurrence>({ frequencia, horario, diaSemana, diaMes, fuso: fuso?.value ?? '' })
}

import { ownValue, WEEKDAYS } from '@bi-manager/contract'
import { z } from 'zod'
import { cronTimes, dailyPattern } from '../../platform/lib/recurrence.ts'

const list = z
  .array(z.string())
  .nullish()
  .transform((values) => values ?? [])

/** Windows' names of time zones in Power BI's schedules → the IANA name, and the one on the screen. */
const zones: Record<string, [zone: string, text: string]> = {
  UTC: ['UTC', 'UTC'],
  'UTC-02': ['America/Noronha', 'horário de Fernando de Noronha'],
  'E. South America Standard Time': ['America/Sao_Paulo', 'horário de Brasília'],
  'SA Eastern Standard Time': ['America/Fortaleza', 'horário de Fortaleza e Belém'],
  'Bahia Standard Time': ['America/Bahia', 'horário de Salvador'],
  'Tocantins Standard Time': ['America/Araguaina', 'horário de Araguaína'],
  'Central Brazilian Standard Time': ['America/Cuiaba', 'horário de Cuiabá'],
  'SA Western Standard Time': ['America/Manaus', 'horário de Manaus'],
  'SA Pacific Standard Time': ['America/Rio_Branco', 'horário de Rio Branco'],
}

const englishDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The schedule of a dataset: English days, times as `08:00`, Windows' name of the time zone. */
export const RefreshScheduleAnswer = z
  .object({ enabled: z.boolean().nullish(), days: list, times: list, localTimeZoneId: z.string().nullish() })
  .transform(({ enabled, days, times, localTimeZoneId }) => {
    const id = localTimeZoneId || 'UTC'
    const [zone, zoneText = id] = ownValue(zones, id) ?? []
    return {
      isEnabled: enabled === true,
      days: WEEKDAYS.filter((_, index) => days.includes(englishDays[index] ?? '')),
      times: times.filter((time) => /^\d\d:\d\d$/.test(time)).toSorted(),
      /** Undefined: not understood. */
      zone,
      zoneText,
    }
  })
export type ReadSchedule = z.output<typeof RefreshScheduleAnswer>

/** Returns when a schedule last began a refresh; undefined when it is off or not understood. */
export const lastRefreshDue = (
  { isEnabled, days, times, zone }: ReadSchedule,
  now: Date,
): Date | undefined =>
  isEnabled && zone && days.length > 0
    ? times
        .flatMap((time) => cronTimes(dailyPattern(time, days), { zone }).last(now) ?? [])
        .toSorted((one, other) => one.getTime() - other.getTime())
        .at(-1)
    : undefined

import { z } from 'zod'

const list = z
  .array(z.string())
  .nullish()
  .transform((values) => values ?? [])

/** The schedule of a dataset: English days, times as `08:00`, Windows' name of the time zone. */
export const RefreshScheduleAnswer = z
  .object({ enabled: z.boolean().nullish(), days: list, times: list, localTimeZoneId: z.string().nullish() })
  .transform(({ enabled, days, times, localTimeZoneId }) => ({
    isEnabled: enabled === true,
    days,
    times: times.filter((time) => /^\d\d:\d\d$/.test(time)).toSorted(),
    timeZone: localTimeZoneId || 'UTC',
  }))
export type ReadSchedule = z.output<typeof RefreshScheduleAnswer>

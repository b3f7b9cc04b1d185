import { Cron } from 'croner'

/**
 * Reads BACKUP_SCHEDULE: when backups are due, in a time zone.
 * @param text a time of day (`03:00`) or a cron expression of five fields (`0 3 * * 1-5`)
 * @throws Error when the text or the time zone is invalid
 */
export const readSchedule = (text: string, timeZone: string) => {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  const pattern = hour === undefined ? text : `${Number(minute)} ${Number(hour)} * * *`
  const cron = new Cron(pattern, { paused: true, timezone: timeZone, mode: '5-part' })
  // An unknown time zone fails only at the first use.
  if (!cron.nextRun()) throw new Error('The schedule is never due.')
  return {
    /** Returns the last due time at or before `now`; undefined when there is none. */
    lastDue: (now: Date): Date | undefined =>
      // The library excludes the reference time itself.
      cron.previousRuns(1, new Date(now.getTime() + 1_000))[0],
  }
}

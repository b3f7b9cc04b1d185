/** How many days, weeks, months and years each keep their newest backup. */
export interface RetentionRule {
  days: number
  weeks: number
  months: number
  years: number
}

const units = { d: 'days', w: 'weeks', m: 'months', y: 'years' } as const

/**
 * Reads BACKUP_KEEP: `7d,4w,12m`.
 * @throws Error when the text is not such a list
 */
export const readRetention = (text: string): RetentionRule => {
  const rule: RetentionRule = { days: 0, weeks: 0, months: 0, years: 0 }
  for (const part of text.split(',')) {
    const [, count, unit] = /^([1-9]\d{0,3})([dwmy])$/.exec(part.trim()) ?? []
    if (!count || !unit) throw new Error(`"${part}" is not a number and a unit.`)
    rule[units[unit as keyof typeof units]] = Number(count)
  }
  return rule
}

/** Milliseconds. A new copy must not replace this morning's: its data may be damaged. */
const ALWAYS_KEPT = 48 * 3_600_000

/**
 * Returns the backups that the rule no longer keeps. It keeps the newest backup of each of the last
 * days, weeks (from Monday), months and years that have one; periods without a backup do not count.
 * Every backup of the 48 hours before the newest one is kept.
 */
export const findExpired = <T extends { at: Date }>(
  backups: readonly T[],
  rule: RetentionRule,
  timeZone: string,
): T[] => {
  const newestFirst = [...backups].sort((a, b) => b.at.getTime() - a.at.getTime())
  const newest = newestFirst[0]?.at.getTime() ?? 0
  const kept = new Set(newestFirst.filter(({ at }) => newest - at.getTime() <= ALWAYS_KEPT))
  const day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone })
  const periods: [count: number, periodOf: (date: string) => string][] = [
    [rule.days, (date) => date],
    [rule.weeks, mondayOf],
    [rule.months, (date) => date.slice(0, 7)],
    [rule.years, (date) => date.slice(0, 4)],
  ]
  for (const [count, periodOf] of periods) {
    const seen = new Set<string>()
    for (const backup of newestFirst) {
      const period = periodOf(day.format(backup.at))
      if (seen.has(period)) continue
      if (seen.size === count) break
      seen.add(period)
      kept.add(backup)
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup))
}

/** @param date yyyy-mm-dd */
const mondayOf = (date: string): string => {
  const noon = new Date(`${date}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() - ((noon.getUTCDay() + 6) % 7))
  return noon.toISOString().slice(0, 10)
}

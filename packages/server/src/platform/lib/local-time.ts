import { dayOf } from '@bi-manager/contract'

export { dayOf, dayText, momentText, timeText } from '@bi-manager/contract'

/** Returns the midnights in Brasília from one instant to another. */
export const daysUntil = (instant: Date, now: Date): number =>
  (Date.parse(dayOf(instant)) - Date.parse(dayOf(now))) / (24 * 3_600_000)

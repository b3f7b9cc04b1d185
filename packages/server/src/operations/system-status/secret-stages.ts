import type { Expiry } from './expiry-dates.ts'

const day = 24 * 3_600_000

/** Days before the expiry at which administrators are notified; 0: it expired. */
export const stages = [30, 7, 1, 0] as const
export type Stage = (typeof stages)[number]

/** Returns the last stage that was reached; undefined before the first, or without a date. */
export const stageOf = ({ expiresAt }: Pick<Expiry, 'expiresAt'>, now: Date): Stage | undefined =>
  expiresAt && stages.findLast((stage) => expiresAt.getTime() - now.getTime() <= stage * day)

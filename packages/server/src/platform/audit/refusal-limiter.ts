import { createBoundedCache } from '../lib/bounded-cache.ts'

const minute = 60_000

/**
 * Subject of all further refusals of a minute: a caller must not be able to use up the limit and
 * then probe unaudited.
 */
const OTHER_SUBJECTS = 'outros'

/**
 * Creates a limiter for the audit rows of a user's refusals: each subject once a minute, up to
 * `mostSubjects`, then one row for all others.
 * @returns a function that returns the subject to audit, or undefined when the minute has that row
 * already
 */
export const createRefusalLimiter = (now: () => Date, mostSubjects: number) => {
  const minutes = createBoundedCache<{ startedAt: number; subjects: Set<string> }>(10_000)
  return (idUsuario: number, subject: string): string | undefined => {
    const time = now().getTime()
    const key = String(idUsuario)
    let current = minutes.get(key)
    if (!current || Math.abs(time - current.startedAt) >= minute) {
      current = { startedAt: time, subjects: new Set() }
      minutes.set(key, current)
    }
    const { subjects } = current
    if (subjects.has(subject)) return undefined
    const recorded = subjects.size < mostSubjects ? subject : OTHER_SUBJECTS
    if (subjects.has(recorded)) return undefined
    subjects.add(recorded)
    return recorded
  }
}

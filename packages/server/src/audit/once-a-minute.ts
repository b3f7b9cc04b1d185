import { createBoundedCache } from '../bounded-cache.ts'

const minute = 60_000

/** Stands for every further subject of a minute: a caller cannot use up the minute and then probe unseen. */
const OTHER_SUBJECTS = 'outros'

/**
 * Limits the audit rows of a person's refusals: each subject once a minute, `mostSubjects`
 * subjects, then one row for all others.
 * @returns the function that answers the subject to record, or undefined when the minute already
 * has its row
 */
export const createOnceAMinute = (now: () => Date, mostSubjects: number) => {
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

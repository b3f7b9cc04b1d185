import { createBoundedCache } from '../bounded-cache.ts'

const minute = 60_000

/**
 * Whether a person's refusal is to be put on record: each subject once a minute, and at most `mostSubjects` of them, so that a
 * flood of refusals is no flood of records.
 */
export const createOnceAMinute = (now: () => Date, mostSubjects: number) => {
  const minutes = createBoundedCache<{ startedAt: number; subjects: Set<string> }>(10_000)
  return (idUsuario: number, subject: string): boolean => {
    const time = now().getTime()
    const key = String(idUsuario)
    let current = minutes.get(key)
    if (!current || Math.abs(time - current.startedAt) >= minute) {
      current = { startedAt: time, subjects: new Set() }
      minutes.set(key, current)
    }
    if (current.subjects.has(subject) || current.subjects.size >= mostSubjects) return false
    current.subjects.add(subject)
    return true
  }
}

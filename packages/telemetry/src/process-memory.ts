import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const EVERY_MS = 25

/** Returns the resident bytes of a process; undefined when it has ended, or outside Linux. */
export const residentBytes = (pid: number): number | undefined => {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/**
 * Calls `onExceeded` once when a process has more resident memory than this; returns a function
 * that stops watching. DuckDB's own limit counts tables, joins and sorts, but not the values of
 * functions and of some aggregates.
 */
export const watchMemory = (pid: number, mostBytes: number, onExceeded: () => void): (() => void) => {
  const timer = setInterval(() => {
    if ((residentBytes(pid) ?? 0) <= mostBytes) return
    clearInterval(timer)
    onExceeded()
  }, EVERY_MS).unref()
  return () => clearInterval(timer)
}

/** Makes Linux end this process first when the machine runs out of memory. Ignored elsewhere. */
export const preferAsOomVictim = (pid: number) =>
  writeFile(`/proc/${pid}/oom_score_adj`, '800').catch(() => {})

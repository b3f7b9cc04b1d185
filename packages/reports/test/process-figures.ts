import { readFileSync } from 'node:fs'
import { residentBytes } from '@bi-manager/telemetry/process-memory'

/** Linux counts in ticks of 10 ms. */
const TICKS = 100

/** Returns the processor seconds that a process has used. Only on Linux. */
export const cpuSeconds = (pid: number): number => {
  const [, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = (fields.at(-1) ?? '').split(' ').slice(11, 13).map(Number)
  return (user + system) / TICKS
}

/** Measures the greatest resident megabytes of a child process, and those that this one gains. */
export const watchResident = (pid: () => number | undefined) => {
  const before = process.memoryUsage.rss()
  let most = before
  let child = 0
  const timer = setInterval(() => {
    const now = pid()
    most = Math.max(most, process.memoryUsage.rss())
    child = Math.max(child, (now !== undefined && residentBytes(now)) || 0)
  }, 10)
  return {
    end: () => {
      clearInterval(timer)
      return { child: child / 1e6, service: (most - before) / 1e6 }
    },
  }
}

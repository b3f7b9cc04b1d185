import { hasCode } from '../../../definitions/missing-files.ts'

/**
 * Returns whether a process runs; files of a process that does not are leftovers. Signal 0 only
 * checks: it fails with ESRCH if there is no process, with EPERM if it is another user's.
 */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

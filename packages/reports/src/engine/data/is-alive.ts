import { hasCode } from '../definitions/missing-files.ts'

/** Whether a process exists; one of another user does too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !hasCode(error, 'ESRCH')
  }
}

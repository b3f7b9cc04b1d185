import { type ExportJob, isFinished, type JobFiles } from './job-files.ts'

/**
 * Creates a function that returns the exports that no living instance renders. An instance is alive
 * while the time of its claim changes, measured by this instance's own clock: clocks of two
 * machines may differ.
 */
export const createInstanceMonitor = (files: JobFiles, lostMs: number) => {
  /** Export id → the claim and when it was last seen to change. */
  const seen = new Map<string, { claim: string; since: number }>()

  async function isDrawn(id: string, attempt: number): Promise<boolean> {
    const time = await files.claimTime(id, attempt)
    if (time === undefined) return false
    const claim = `${attempt} ${time}`
    const known = seen.get(id)
    if (known?.claim === claim) return performance.now() - known.since < lostMs
    seen.set(id, { claim, since: performance.now() })
    return true
  }

  return async (jobs: ExportJob[], claims: Map<string, number>): Promise<ExportJob[]> => {
    for (const id of seen.keys()) if (!claims.has(id)) seen.delete(id)
    const waiting: ExportJob[] = []
    for (const job of jobs.filter((one) => !isFinished(one))) {
      const attempt = claims.get(job.id)
      if (attempt === undefined || !(await isDrawn(job.id, attempt))) waiting.push(job)
    }
    return waiting
  }
}

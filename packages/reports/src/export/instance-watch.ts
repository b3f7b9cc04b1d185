import { type ExportJob, isOver, type JobFiles } from './job-files.ts'

/**
 * Says which exports no living instance draws. An instance is judged by whether the time of its
 * claim changes, seen with this instance's own clock: the clocks of two machines may differ.
 */
export function createInstanceWatch(files: JobFiles, lostMs: number) {
  /** Per export, the claim as last seen changed. */
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

  return {
    async waiting(jobs: ExportJob[], claims: Map<string, number>): Promise<ExportJob[]> {
      const open = jobs.filter((job) => !isOver(job))
      for (const id of seen.keys()) if (!claims.has(id)) seen.delete(id)
      const waiting: ExportJob[] = []
      for (const job of open) {
        const attempt = claims.get(job.id)
        if (attempt === undefined || !(await isDrawn(job.id, attempt))) waiting.push(job)
      }
      return waiting
    },
  }
}

import { Worker } from 'node:worker_threads'

export interface Verification {
  /** The Argon2id hash, with its salt and parameters. */
  encoded: string
  password: string
}

/** Whether the password matches; an error when the hash is invalid. */
export type VerificationResult = boolean | Error

interface Job extends Verification {
  resolve: (matches: boolean) => void
  reject: (error: Error) => void
}

/** Most passwords per batch: less than 0.1 s of work, for which later ones must wait. */
const largest = 8

/**
 * Returns a function that verifies passwords in worker threads, so that file reads do not wait in
 * libuv's pool. A thread takes several at a time under load, and their follow-up work is then
 * batched too. Lanes (such as networks) are served in turn, so that a burst in one does not delay
 * others. Threads start on demand and do not keep the process alive.
 * @param program what a thread runs; must answer like password-worker.ts
 * @returns whether the password matches the hash; rejects when the hash is invalid
 */
export const createPasswordThreads = (
  count: number,
  program: URL = new URL('./password-worker.ts', import.meta.url),
): ((lane: string, verification: Verification) => Promise<boolean>) => {
  const lanes = new Map<string, Job[]>()
  let waiting = 0
  const idle: ((batch: Job[]) => void)[] = []
  let started = 0

  const next = (): Job | undefined => {
    const [first] = lanes
    if (!first) return undefined
    const [lane, jobs] = first
    const job = jobs.shift()
    // Puts the lane behind all others.
    lanes.delete(lane)
    if (jobs.length > 0) lanes.set(lane, jobs)
    waiting -= 1
    return job
  }

  const send = (): void => {
    while (waiting > 0 && (idle.length > 0 || started < count)) {
      const size = Math.min(largest, Math.ceil(waiting / count))
      const batch = Array.from({ length: size }, next).filter((job) => job !== undefined)
      const run = idle.pop() ?? start()
      run(batch)
    }
  }

  const start = (): ((batch: Job[]) => void) => {
    started += 1
    const worker = new Worker(program)
    let current: Job[] = []
    const run = (batch: Job[]): void => {
      current = batch
      // Keeps the process alive while an answer is pending.
      worker.ref()
      worker.postMessage(batch.map(({ encoded, password }): Verification => ({ encoded, password })))
    }
    worker.on('message', (results: VerificationResult[]) => {
      const done = current
      worker.unref()
      idle.push(run)
      // The thread continues while the answers are processed.
      send()
      for (const [index, { resolve, reject }] of done.entries()) {
        const answer = results[index]
        if (typeof answer === 'boolean') resolve(answer)
        else reject(answer ?? new Error('A thread did not verify a password.'))
      }
    })
    // The thread has ended: another one is started for waiting passwords.
    worker.on('error', (error: Error) => {
      started -= 1
      for (const { reject } of current) reject(error)
      send()
    })
    return run
  }

  return (lane, { encoded, password }) =>
    new Promise((resolve, reject) => {
      const jobs = lanes.get(lane) ?? []
      jobs.push({ encoded, password, resolve, reject })
      lanes.set(lane, jobs)
      waiting += 1
      // Calls of one turn of the event loop share batches.
      setImmediate(send)
    })
}

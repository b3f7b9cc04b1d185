import { Worker } from 'node:worker_threads'

export interface Verification {
  /** The Argon2id hash, with its salt and parameters. */
  encoded: string
  password: string
}

/** Whether it is the password; an error where the hash is none. */
export type Judged = boolean | Error

interface Job extends Verification {
  resolve: (matches: boolean) => void
  reject: (error: Error) => void
}

/** Passwords a thread takes at most: less than a tenth of a second of work, which whoever comes meanwhile waits for. */
const largest = 8

/**
 * Verifies passwords in threads of their own, so that files, which Node reads in its few shared ones, do not wait for them. Where
 * more wait than there are threads, a thread takes several and answers them together: what follows, in the database and on the
 * caller's thread, is then done together too. Who waits is taken from each lane (such as a network) in turns, so that a burst in
 * one does not hold up the others. Threads are started when they are first needed, and do not keep the process alive.
 * @param program what a thread runs, which answers as password-worker.ts does
 * @returns whether the password is the one that was hashed; rejects where the hash is none
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
    // Its next turn comes after everybody else's.
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
      // The process lives as long as somebody waits.
      worker.ref()
      worker.postMessage(batch.map(({ encoded, password }): Verification => ({ encoded, password })))
    }
    worker.on('message', (judged: Judged[]) => {
      const done = current
      worker.unref()
      idle.push(run)
      // The thread goes on while those who have their answer are served.
      send()
      for (const [index, { resolve, reject }] of done.entries()) {
        const answer = judged[index]
        if (typeof answer === 'boolean') resolve(answer)
        else reject(answer ?? new Error('A password was not judged.'))
      }
    })
    // It has ended: another is started for who waits.
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
      // Calls that came in one turn of the event loop go together.
      setImmediate(send)
    })
}

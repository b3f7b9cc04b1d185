import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DrawExport, LONGEST_EXPORT } from './draw-export.ts'
import { ExportFault } from './export-fault.ts'
import type { ExportTask } from './export-task.ts'

export type ExportJobs = ReturnType<typeof createExportJobs>

export type ExportJob = {
  id: string
  /** The application that asked: nobody else hears of it. */
  owner: string
  /** Whom it asked for: the exports of different people alternate. */
  person: string
  reportId: string
  reportName: string
  status: 'NotStarted' | 'Running' | 'Succeeded' | 'Failed'
  percentComplete: number
  /** Milliseconds since the epoch. */
  created: number
  changed: number
  expires: number
  /** Of a failed one. */
  error?: { code: string; message: string }
  file?: { path: string; type: string; extension: string; bytes: number }
}

type Options = {
  draw: DrawExport
  folder: string
  now: () => number
  log: { error(about: object, message: string): void }
  /** Milliseconds that one export may take. */
  timeoutMs?: number
}

/** Exports that wait at most, beside the one that is drawn. */
const MOST_WAITING = 20
/** Finished ones that are kept at most: the oldest gives way. */
const MOST_KEPT = 100
const KEPT_MS = 60 * 60_000
/** Microsoft's own limit of a file. */
const LARGEST_FILE = 250 * 2 ** 20

/**
 * Where exports of the service over this data folder are kept. The name is known beforehand, so that what a killed service left
 * is found and deleted by the next one.
 */
export const exportFolder = (dataDir: string) =>
  join(
    tmpdir(),
    `bi-manager-exports-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`,
  )

const personOf = ({ owner, person }: ExportJob) => JSON.stringify([owner, person])

/** One after the other; each file stands in a folder that only this user can read, for an hour. */
export function createExportJobs({ draw, folder, now, log, timeoutMs = LONGEST_EXPORT * 1000 }: Options) {
  const jobs = new Map<string, ExportJob>()
  const waiting: { job: ExportJob; task: ExportTask }[] = []
  /** The turn at which a person was last served. */
  const served = new Map<string, number>()
  const stopping = new AbortController()
  let turn = 0
  let working: Promise<void> | undefined
  const ready = prepareFolder(folder)
  ready.catch((error: unknown) => log.error({ err: error }, 'exports have no folder'))
  const sweep = setInterval(forgetExpired, 60_000).unref()

  function forgetExpired() {
    const finished = [...jobs.values()].filter(({ status }) => status === 'Succeeded' || status === 'Failed')
    const surplus = new Set(finished.slice(0, Math.max(finished.length - MOST_KEPT, 0)))
    for (const job of finished) if (job.expires <= now() || surplus.has(job)) forget(job)
  }

  function forget({ id, file }: ExportJob) {
    jobs.delete(id)
    if (file) void rm(file.path, { force: true })
  }

  /** The first export of the person who was served longest ago, so that people alternate. */
  function takeNext() {
    const turnOf = ({ job }: (typeof waiting)[number]) => served.get(personOf(job)) ?? 0
    const [next] = waiting.toSorted((a, b) => turnOf(a) - turnOf(b))
    if (next) {
      waiting.splice(waiting.indexOf(next), 1)
      turn += 1
      served.set(personOf(next.job), turn)
    } else served.clear()
    return next
  }

  async function work() {
    for (let next = takeNext(); next; next = takeNext()) await run(next.job, next.task)
    working = undefined
  }

  async function run(job: ExportJob, task: ExportTask) {
    const change = (state: Partial<ExportJob>) => Object.assign(job, state, { changed: now() })
    change({ status: 'Running' })
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      await ready
      const signal = AbortSignal.any([stopping.signal, timeout])
      const { bytes, ...kind } = await draw(task, signal, (done) =>
        change({ percentComplete: Math.min(Math.floor((done / task.sheets.length) * 100), 99) }),
      )
      if (bytes.length > LARGEST_FILE) throw tooLarge
      const path = join(folder, job.id + kind.extension)
      await writeFile(path, bytes, { mode: 0o600, flag: 'wx' })
      change({
        status: 'Succeeded',
        percentComplete: 100,
        expires: now() + KEPT_MS,
        file: { path, ...kind, bytes: bytes.length },
      })
    } catch (error) {
      if (!stopping.signal.aborted)
        log.error({ err: error, exportId: job.id, reportId: job.reportId }, 'an export failed')
      const { code, message } = timeout.aborted ? timedOut : error instanceof ExportFault ? error : unknown
      change({ status: 'Failed', expires: now() + KEPT_MS, error: { code, message } })
    }
    forgetExpired()
  }

  return {
    /** Undefined when too many wait already. */
    start(
      about: Pick<ExportJob, 'owner' | 'person' | 'reportId' | 'reportName'>,
      task: ExportTask,
    ): ExportJob | undefined {
      if (waiting.length >= MOST_WAITING) return undefined
      const created = now()
      const job: ExportJob = {
        ...about,
        id: randomBytes(24).toString('base64url'),
        status: 'NotStarted',
        percentComplete: 0,
        created,
        changed: created,
        expires: created + KEPT_MS,
      }
      jobs.set(job.id, job)
      waiting.push({ job, task })
      // Begins after the answer, which says that nothing has begun yet.
      working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(work)
      return job
    },

    find(id: string, owner: string, reportId: string): ExportJob | undefined {
      forgetExpired()
      const job = jobs.get(id)
      return job?.owner === owner && job.reportId === reportId ? job : undefined
    },

    readFile: ({ file }: ExportJob) => (file ? readFile(file.path) : undefined),

    async close() {
      clearInterval(sweep)
      stopping.abort()
      waiting.length = 0
      await working
      await ready.catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const timedOut = new ExportFault('ExportTimedOut', 'The export took longer than it may')
const tooLarge = new ExportFault(
  'ExportFileTooLarge',
  `The file would be larger than ${LARGEST_FILE / 2 ** 20} MB`,
)
/** What went wrong within the service stays in its log. */
const unknown = new ExportFault('ExportFailed', 'The file could not be drawn')

/** Empty, and of this user alone: a folder that somebody else put there first is not taken. */
async function prepareFolder(folder: string) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  // The process's umask may have taken bits away.
  await chmod(folder, 0o700)
}

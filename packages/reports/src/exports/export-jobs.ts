import { LONGEST_EXPORT, type RenderExport } from './draw-export.ts'
import { ExportFault } from './export-fault.ts'
import type { ExportTask } from './export-task.ts'
import { createInstanceMonitor } from './instance-watch.ts'
import { DamagedJobError, type ExportJob, isFinished, type JobFiles, newJobId } from './job-files.ts'

export type ExportJobs = ReturnType<typeof createExportJobs>

type Options = {
  files: JobFiles
  /** For each lane: starts the renderer; undefined if this instance cannot render. */
  rendererOf: Record<Lane, () => Promise<RenderExport | undefined>>
  now: () => number
  log: { error(about: object, message: string): void; warn(about: object, message: string): void }
  /** Maximum duration of one export in ms. */
  timeoutMs?: number
  /** Interval in ms at which this instance polls for work left by others. */
  lookMs?: number
  /** An instance whose heartbeat is missing for this time (ms) counts as dead. */
  lostMs?: number
}

/** Maximum number of waiting exports, besides those being rendered. */
const MAX_WAITING = 20
/** Maximum number of finished exports; the oldest is deleted. */
const MAX_KEPT = 100
const KEPT_MS = 60 * 60_000
/** Limits retries: an export that crashes its instance would crash all of them in turn. */
const MAX_ATTEMPTS = 3
/** Microsoft's own maximum file size. */
const LARGEST_FILE = 250 * 2 ** 20

/** Exports of different lanes do not wait for each other: a spreadsheet takes moments. */
type Lane = 'sheets' | 'workbooks'
const lanes: readonly Lane[] = ['sheets', 'workbooks']
const laneOf = ({ task }: ExportJob): Lane => (task?.format === 'XLSX' ? 'workbooks' : 'sheets')

const personOf = ({ owner, person }: ExportJob) => JSON.stringify([owner, person])

/**
 * Manages exports, kept in the data folder for an hour: every instance over the folder answers for
 * all. Each instance renders one at a time in each lane and takes over those of dead instances.
 */
export const createExportJobs = (options: Options) => {
  const {
    files,
    rendererOf,
    now,
    log,
    timeoutMs = LONGEST_EXPORT * 1000,
    lookMs = 1000,
    lostMs = 10_000,
  } = options
  const waitingAmong = createInstanceMonitor(files, lostMs)
  const stopping = new AbortController()
  /** Cache: records of finished exports never change. */
  const finished = new Map<string, ExportJob>()
  const reported = new Set<string>()
  const working = new Map<Lane, Promise<void>>()
  let starting: Promise<unknown> = Promise.resolve()
  const look = setInterval(work, lookMs).unref()
  const sweep = setInterval(() => void forgetExpired().catch(report), 60_000).unref()

  const report = (error: unknown) => log.error({ err: error }, 'the folder of exports cannot be used')

  async function list() {
    const { ids, claims } = await files.list()
    for (const id of finished.keys()) if (!ids.includes(id)) finished.delete(id)
    const jobs: ExportJob[] = []
    for (const id of ids) {
      const job = finished.get(id) ?? (await readForList(id))
      if (job && isFinished(job)) finished.set(id, job)
      if (job) jobs.push(job)
    }
    return { jobs, claims }
  }

  /** Reads a record; a damaged one affects only its own export. */
  async function readForList(id: string): Promise<ExportJob | undefined> {
    try {
      return await files.read(id)
    } catch (error) {
      if (!(error instanceof DamagedJobError)) throw error
      if (!reported.has(id)) log.error({ err: error, exportId: id }, 'an export is damaged')
      reported.add(id)
      const written = await files.writtenAt(id)
      if (written !== undefined && Date.now() - written > KEPT_MS) await files.remove(id)
      return undefined
    }
  }

  async function forgetExpired() {
    const { jobs } = await list()
    const over = jobs.filter(isFinished).toSorted((a, b) => a.changed - b.changed)
    const surplus = new Set(over.slice(0, Math.max(over.length - MAX_KEPT, 0)))
    for (const job of over) if (job.expires <= now() || surplus.has(job)) await files.remove(job.id)
    await files.removeStrays(KEPT_MS)
  }

  /** Renders what waits, one after the other. A call while it runs has no effect. */
  function work() {
    for (const lane of lanes) {
      if (working.has(lane)) continue
      const done = drawAll(lane)
        .catch(report)
        .finally(() => working.delete(lane))
      working.set(lane, done)
    }
  }

  async function drawAll(lane: Lane) {
    while (!stopping.signal.aborted) {
      const { jobs, claims } = await list()
      const waiting = inTurn(jobs, await waitingAmong(jobs, claims)).filter((job) => laneOf(job) === lane)
      if (waiting.length === 0 || stopping.signal.aborted) return
      const draw = await rendererOf[lane]().catch(() => undefined)
      if (!(await drawNext(waiting, claims, draw))) return
    }
  }

  /** Sorts by when the person was last served, so that people alternate. */
  function inTurn(jobs: ExportJob[], waiting: ExportJob[]) {
    const served = new Map<string, number>()
    for (const job of jobs)
      served.set(personOf(job), Math.max(served.get(personOf(job)) ?? 0, job.taken ?? 0))
    const turnOf = (job: ExportJob) => served.get(personOf(job)) ?? 0
    return waiting.toSorted((a, b) => turnOf(a) - turnOf(b) || a.created - b.created)
  }

  /** Renders the next export; returns false if there was none. */
  async function drawNext(waiting: ExportJob[], claims: Map<string, number>, draw: RenderExport | undefined) {
    for (const { id, expires } of waiting) {
      const attempt = (claims.get(id) ?? 0) + 1
      const fault = attempt > MAX_ATTEMPTS ? interrupted : expires <= now() ? timedOut : undefined
      if (!draw && !fault) continue
      if (!(await files.claim(id, attempt))) continue
      // The export may have finished between the listing and the claim.
      const job = await readForList(id)
      const task = job?.task
      if (task && fault) await fail(job, fault)
      else if (task && draw) await run(job, task, attempt, draw)
      await release(id, attempt)
      if (task) return true
    }
    return false
  }

  const change = (job: ExportJob, state: Partial<ExportJob>) =>
    files.write(Object.assign(job, state, { changed: now() }))

  const failed = ({ code, message }: ExportFault): Partial<ExportJob> => ({
    status: 'Failed',
    expires: now() + KEPT_MS,
    error: { code, message },
    task: undefined,
  })

  /** Forgets a job whose end cannot be stored (full disk). The next request gets the reason. */
  async function fail(job: ExportJob, fault: ExportFault) {
    await change(job, failed(fault)).catch((error: unknown) => {
      report(error)
      return files.remove(job.id)
    })
  }

  async function run(job: ExportJob, task: ExportTask, attempt: number, draw: RenderExport) {
    const timeout = AbortSignal.timeout(timeoutMs)
    const lost = new AbortController()
    const beat = setInterval(async () => {
      const isMine = await files.keepClaim(job.id, attempt).catch(() => true)
      // This process was suspended so long that another instance took the export over.
      if (!isMine) lost.abort()
    }, lostMs / 5)
    try {
      await change(job, { status: 'Running', taken: await turnAfterAll() })
      const signal = AbortSignal.any([stopping.signal, timeout, lost.signal])
      let written = Promise.resolve()
      const { bytes, ...kind } = await draw(task, signal, (done) => {
        const percentComplete = Math.min(Math.floor((done / task.sheets.length) * 100), 99)
        written = written.then(() => change(job, { percentComplete })).catch(report)
      }).finally(() => written)
      if (bytes.length > LARGEST_FILE) throw tooLarge
      await files.writeFile(job.id, attempt, kind.extension, bytes)
      await change(job, {
        status: 'Succeeded',
        percentComplete: 100,
        expires: now() + KEPT_MS,
        file: { attempt, ...kind, bytes: bytes.length },
        task: undefined,
      })
    } catch (error) {
      // Another instance, or this one after a restart, renders it.
      if (stopping.signal.aborted || lost.signal.aborted) return
      log.error({ err: error, exportId: job.id, reportId: job.reportId }, 'an export failed')
      await fail(job, timeout.aborted ? timedOut : error instanceof ExportFault ? error : unknown)
    } finally {
      clearInterval(beat)
    }
    await forgetExpired()
  }

  /** Returns a time later than all others, so that exports of one millisecond have an order. */
  async function turnAfterAll() {
    const { jobs } = await list()
    return Math.max(now(), ...jobs.map(({ taken = 0 }) => taken + 1))
  }

  async function release(id: string, attempt: number) {
    const job = await files.read(id).catch(() => undefined)
    const { claims } = await files.list()
    // A later attempt belongs to an instance that considered this one dead: its claim counts.
    if (job && !isFinished(job)) await files.releaseClaim(id, attempt)
    else for (let past = claims.get(id) ?? attempt; past > 0; past -= 1) await files.releaseClaim(id, past)
  }

  async function add(
    about: Pick<ExportJob, 'owner' | 'person' | 'reportId' | 'reportName'>,
    task: ExportTask,
  ) {
    await files.prepare()
    const { jobs, claims } = await list()
    const open = jobs.filter((job) => !isFinished(job))
    if (open.filter(({ id }) => !claims.has(id)).length >= MAX_WAITING) return undefined
    const created = Math.max(now(), ...open.map((job) => job.created + 1))
    const job: ExportJob = {
      ...about,
      id: newJobId(),
      status: 'NotStarted',
      percentComplete: 0,
      created,
      changed: created,
      expires: created + KEPT_MS,
      task,
    }
    await files.write(job)
    // Starts after the answer, which reports NotStarted.
    setImmediate(work)
    return job
  }

  /** Returns the number of waiting exports on all instances and the age of the oldest in ms. */
  async function queue(): Promise<{ length: number; oldestMs: number }> {
    const waiting = (await list()).jobs.filter(({ status }) => status === 'NotStarted')
    const time = now()
    return {
      length: waiting.length,
      oldestMs: Math.max(0, ...waiting.map(({ created }) => time - created)),
    }
  }

  return {
    queue,
    /** Adds an export; undefined if the queue is full. Concurrent instances may exceed it. */
    start(...given: Parameters<typeof add>): Promise<ExportJob | undefined> {
      const adding = starting.then(() => add(...given))
      starting = adding.catch(() => undefined)
      return adding
    },

    /**
     * Returns an export; undefined if there is none of this owner and report, or it has expired.
     * @throws DamagedJobError
     */
    async find(id: string, owner: string, reportId: string): Promise<ExportJob | undefined> {
      const job = await files.read(id)
      if (job?.owner !== owner || job.reportId !== reportId) return undefined
      if (!isFinished(job) || job.expires > now()) return job
      await files.remove(id)
      return undefined
    },

    readFile: files.readFile,

    /** Stops rendering; other instances or the next start take over. */
    async close() {
      clearInterval(look)
      clearInterval(sweep)
      stopping.abort()
      await starting
      await Promise.all(working.values())
    },
  }
}

const timedOut = new ExportFault('ExportTimedOut', 'The export took longer than it may')
const interrupted = new ExportFault('ExportInterrupted', 'The service ended each time while it drew the file')
const tooLarge = new ExportFault(
  'ExportFileTooLarge',
  `The file would be larger than ${LARGEST_FILE / 2 ** 20} MB`,
)
/** Internal errors are only logged. */
const unknown = new ExportFault('ExportFailed', 'The file could not be drawn')

import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode, readIfThere, unlessMissing } from '../definitions/missing-files.ts'
import { ContentFacts } from './content-facts.ts'
import { EXTENSIONS, ExportTask } from './export-task.ts'

/*
 * The exports of all instances over one data folder. Per export: `<id>.json`, its record;
 * `<id>.<attempt>.claim` while an instance renders it; `<id>.<attempt>.pdf`, its file.
 */

const ExportJob = z.object({
  id: z.string(),
  /** The application that requested it; others cannot see it. */
  owner: z.string(),
  /** The person it was requested for: exports of different people alternate. */
  person: z.string(),
  reportId: z.string(),
  reportName: z.string(),
  status: z.enum(['NotStarted', 'Running', 'Succeeded', 'Failed']),
  percentComplete: z.number(),
  /** Milliseconds since the epoch. */
  created: z.number(),
  changed: z.number(),
  expires: z.number(),
  /** When an instance of the service last claimed the job. */
  taken: z.number().optional(),
  /** Set for a failed export. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  file: z
    .object({
      attempt: z.int(),
      type: z.string(),
      extension: z.enum(EXTENSIONS),
      bytes: z.int(),
      content: ContentFacts.optional(),
    })
    .optional(),
  /** The input for rendering; absent when it is finished. */
  task: ExportTask.optional(),
})
export type ExportJob = z.infer<typeof ExportJob>
export type JobFiles = ReturnType<typeof createJobFiles>

/** An export's record is unreadable, or of another version. */
export class DamagedJobError extends Error {
  override readonly name = 'DamagedJobError'
}

/** Subfolder of the data folder. */
export const EXPORTS_DIR = '.exportacoes'

const ID = /^[\w-]{32}$/
const NAME = /^([\w-]{32})\.(?:(json)|(\d{1,3})\.(claim|pdf|png|zip|xlsx))$/

export const newJobId = () => randomBytes(24).toString('base64url')

export const isFinished = ({ status }: ExportJob) => status === 'Succeeded' || status === 'Failed'

/** Reads and writes the exports of one data folder; writes are atomic. */
export function createJobFiles(dataDir: string) {
  const folder = join(dataDir, EXPORTS_DIR)

  /** Validates the id, which may come from the network, before it becomes a path. */
  const path = (id: string, rest: string) => {
    if (!ID.test(id)) throw new DamagedJobError(`${JSON.stringify(id)} is not an export id`)
    return join(folder, `${id}.${rest}`)
  }

  async function writeWhole(target: string, content: string | Uint8Array) {
    const aside = `${target}-${randomUUID()}`
    try {
      await writeFile(aside, content, { mode: 0o600, flag: 'wx', flush: true })
      await rename(aside, target)
    } catch (error) {
      await rm(aside, { force: true })
      throw error
    }
  }

  return {
    folder,

    async prepare() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // The umask may have removed bits.
      await chmod(folder, 0o700)
    },

    /** Returns the ids of all exports, and the last claimed attempt of each. */
    async list(): Promise<{ ids: string[]; claims: Map<string, number>; names: string[] }> {
      const names = await readdir(folder).catch(unlessMissing)
      const ids: string[] = []
      const claims = new Map<string, number>()
      for (const name of names ?? []) {
        const [, id = '', json, attempt, kind] = NAME.exec(name) ?? []
        if (json) ids.push(id)
        if (kind === 'claim') claims.set(id, Math.max(claims.get(id) ?? 0, Number(attempt)))
      }
      return { ids, claims, names: names ?? [] }
    },

    /**
     * Returns an export; undefined if there is none.
     * @throws DamagedJobError
     */
    async read(id: string): Promise<ExportJob | undefined> {
      if (!ID.test(id)) return undefined
      const text = await readIfThere(path(id, 'json'))
      if (text === undefined) return undefined
      try {
        const job = ExportJob.parse(JSON.parse(text))
        if (job.id === id && (isFinished(job) || job.task)) return job
      } catch (cause) {
        throw new DamagedJobError(`the record of export ${id} cannot be read`, { cause })
      }
      throw new DamagedJobError(`the record of export ${id} has another id, or no task`)
    },

    write: (job: ExportJob) => writeWhole(path(job.id, 'json'), JSON.stringify(job)),

    /** Claims an attempt; only one of several instances succeeds. */
    async claim(id: string, attempt: number): Promise<boolean> {
      try {
        await writeFile(path(id, `${attempt}.claim`), '', { mode: 0o600, flag: 'wx' })
        return true
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false
        throw error
      }
    },

    /** Heartbeat: touches the claim. Returns false if another instance has a later one. */
    async keepClaim(id: string, attempt: number): Promise<boolean> {
      const now = new Date()
      await utimes(path(id, `${attempt}.claim`), now, now).catch(unlessMissing)
      return (await this.list()).claims.get(id) === attempt
    },

    /** Returns the time of the claim; undefined if it no longer exists. */
    claimTime: async (id: string, attempt: number): Promise<number | undefined> =>
      (await stat(path(id, `${attempt}.claim`)).catch(unlessMissing))?.mtimeMs,

    releaseClaim: (id: string, attempt: number) => rm(path(id, `${attempt}.claim`), { force: true }),

    writeFile: (id: string, attempt: number, extension: string, bytes: Uint8Array) =>
      writeWhole(path(id, attempt + extension), bytes),

    readFile: async ({ id, file }: ExportJob): Promise<Uint8Array | undefined> =>
      file && readFile(path(id, file.attempt + file.extension)).catch(unlessMissing),

    /** Returns when its record was last written, in milliseconds since the epoch. */
    writtenAt: async (id: string): Promise<number | undefined> =>
      (await stat(path(id, 'json')).catch(unlessMissing))?.mtimeMs,

    /** Deletes an export: first its record, so that no reader finds it without its file. */
    async remove(id: string) {
      await rm(path(id, 'json'), { force: true })
      const { names } = await this.list()
      for (const name of names) if (name.startsWith(`${id}.`)) await rm(join(folder, name), { force: true })
    },

    /** Deletes files older than `ms` without a record, which a killed instance may leave. */
    async removeStrays(ms: number) {
      const { ids, names } = await this.list()
      const known = new Set(ids)
      for (const name of names) {
        const [, id = ''] = NAME.exec(name) ?? []
        if (known.has(id)) continue
        const found = await stat(join(folder, name)).catch(unlessMissing)
        if (found && Date.now() - found.mtimeMs > ms) await rm(join(folder, name), { force: true })
      }
    },
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ExportTask } from './export-task.ts'

/*
 * The exports of all instances over one data folder. Of each: `<id>.json`, its record;
 * `<id>.<attempt>.claim`, there while an instance draws it; `<id>.<attempt>.pdf`, its file.
 */

const ExportJob = z.object({
  id: z.string(),
  /** The application that asked: only it learns of the export. */
  owner: z.string(),
  /** Whom it asked for: the exports of different people alternate. */
  person: z.string(),
  reportId: z.string(),
  reportName: z.string(),
  status: z.enum(['NotStarted', 'Running', 'Succeeded', 'Failed']),
  percentComplete: z.number(),
  /** Milliseconds since the epoch. */
  created: z.number(),
  changed: z.number(),
  expires: z.number(),
  /** When an instance last took it. */
  taken: z.number().optional(),
  /** Of a failed one. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  file: z
    .object({
      attempt: z.int(),
      type: z.string(),
      extension: z.enum(['.pdf', '.png', '.zip']),
      bytes: z.int(),
    })
    .optional(),
  /** What is left to draw: absent when it is over. */
  task: ExportTask.optional(),
})
export type ExportJob = z.infer<typeof ExportJob>
export type JobFiles = ReturnType<typeof createJobFiles>

/** The record of an export is not one that this version can read. */
export class DamagedJob extends Error {
  override readonly name = 'DamagedJob'
}

/** Below the data folder. */
export const EXPORTS_DIR = '.exportacoes'

const ID = /^[\w-]{32}$/
const NAME = /^([\w-]{32})\.(?:(json)|(\d{1,3})\.(claim|pdf|png|zip))$/

export const newJobId = () => randomBytes(24).toString('base64url')

export const isOver = ({ status }: ExportJob) => status === 'Succeeded' || status === 'Failed'

/** Reads and writes the exports of one data folder; a reader never sees half a file. */
export function createJobFiles(dataDir: string) {
  const folder = join(dataDir, EXPORTS_DIR)

  /** An id may come from the network: only one of ours becomes a path. */
  const path = (id: string, rest: string) => {
    if (!ID.test(id)) throw new DamagedJob(`${JSON.stringify(id)} is no id of an export`)
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
      // The umask of the process may have taken bits away.
      await chmod(folder, 0o700)
    },

    /** Ids of the exports there are, and the last attempt of each that an instance has claimed. */
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
     * Undefined when there is none.
     * @throws DamagedJob
     */
    async read(id: string): Promise<ExportJob | undefined> {
      if (!ID.test(id)) return undefined
      const text = await readFile(path(id, 'json'), 'utf8').catch(unlessMissing)
      if (text === undefined) return undefined
      try {
        const job = ExportJob.parse(JSON.parse(text))
        if (job.id === id && (isOver(job) || job.task)) return job
      } catch (cause) {
        throw new DamagedJob(`the record of export ${id} cannot be read`, { cause })
      }
      throw new DamagedJob(`the record of export ${id} is not its own, or has nothing to draw`)
    },

    write: (job: ExportJob) => writeWhole(path(job.id, 'json'), JSON.stringify(job)),

    /** Of several instances, one gets an attempt. */
    async claim(id: string, attempt: number): Promise<boolean> {
      try {
        await writeFile(path(id, `${attempt}.claim`), '', { mode: 0o600, flag: 'wx' })
        return true
      } catch (error) {
        if (isCode(error, 'EEXIST')) return false
        throw error
      }
    },

    /**
     * A heartbeat: other instances see that the time of the claim changes. False when one has a
     * later claim.
     */
    async keepClaim(id: string, attempt: number): Promise<boolean> {
      const now = new Date()
      await utimes(path(id, `${attempt}.claim`), now, now).catch(unlessMissing)
      return (await this.list()).claims.get(id) === attempt
    },

    /** Undefined when the claim is no longer there. */
    claimTime: async (id: string, attempt: number): Promise<number | undefined> =>
      (await stat(path(id, `${attempt}.claim`)).catch(unlessMissing))?.mtimeMs,

    releaseClaim: (id: string, attempt: number) => rm(path(id, `${attempt}.claim`), { force: true }),

    writeFile: (id: string, attempt: number, extension: string, bytes: Uint8Array) =>
      writeWhole(path(id, attempt + extension), bytes),

    readFile: async ({ id, file }: ExportJob): Promise<Uint8Array | undefined> =>
      file && readFile(path(id, file.attempt + file.extension)).catch(unlessMissing),

    /** When its record was last written, in milliseconds since the epoch. */
    writtenAt: async (id: string): Promise<number | undefined> =>
      (await stat(path(id, 'json')).catch(unlessMissing))?.mtimeMs,

    /**
     * Deletes an export with its file; its record goes first, so that no reader finds it without
     * the file.
     */
    async remove(id: string) {
      await rm(path(id, 'json'), { force: true })
      const { names } = await this.list()
      for (const name of names) if (name.startsWith(`${id}.`)) await rm(join(folder, name), { force: true })
    },

    /**
     * Deletes files older than `ms` that belong to no export, as a killed instance may leave them.
     */
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

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

function unlessMissing(error: unknown): undefined {
  if (!isCode(error, 'ENOENT')) throw error
}

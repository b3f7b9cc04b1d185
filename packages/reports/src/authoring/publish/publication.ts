import { randomUUID } from 'node:crypto'
import {
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { hasCode, unlessMissing } from '../../definitions/missing-files.ts'
import { PUBLICATION_DIR } from '../../definitions/publication-dir.ts'
import { isAlive } from '../../engine/data/database/is-alive.ts'
import { MARK_FILE, PLAN_FILE, readPlan } from './publication-mark.ts'

/*
 * Publishes files atomically, even on a power failure. They are written into a folder on the same
 * disk; renaming a plan into place commits the publication; then the files are moved, which is
 * repeatable. An interrupted publication is completed by the service or the next publication. A
 * running service does not read while a plan exists, and reloads when the mark changes.
 */

/** File paths relative to the data folder. */
const Plan = z.object({ folder: z.string(), place: z.array(z.string()), remove: z.array(z.string()) })
export type Plan = z.infer<typeof Plan>

/** Another publication is running in the same data folder. */
export class PublicationBusyError extends Error {}

const LOCK_FILE = 'trava'
const PRIVATE = 0o700

/** Milliseconds: a running service holds the lock for a moment when it sees a publication. */
const WAIT_MS = 2_000

/**
 * Runs `work` under the data folder's lock, after completing an interrupted publication.
 * @param waitMs how long to wait for another publication
 * @throws PublicationBusyError
 */
export const withPublicationLock = async <T>(
  dataDir: string,
  work: () => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> => {
  const folder = join(dataDir, PUBLICATION_DIR)
  await mkdir(folder, { recursive: true, mode: PRIVATE })
  await lock(folder, Date.now() + waitMs)
  try {
    await carryOut(dataDir)
    for (const name of await readdir(folder)) {
      if (name.startsWith('nova-')) await rm(join(folder, name), { recursive: true, force: true })
    }
    return await work()
  } finally {
    held.delete(join(folder, LOCK_FILE))
    await rm(join(folder, LOCK_FILE), { force: true })
  }
}

/** Creates a folder for one publication's files, on the data folder's disk. */
export const newFolder = async (dataDir: string): Promise<string> => {
  const folder = join(dataDir, PUBLICATION_DIR, `nova-${randomUUID()}`)
  await mkdir(folder, { mode: PRIVATE })
  return folder
}

/** Publishes the files of `plan.folder` named in `place`, which must already be synced to disk. */
export const commit = async (dataDir: string, plan: Plan): Promise<void> => {
  const folder = relative(join(dataDir, PUBLICATION_DIR), plan.folder)
  await writeWhole(join(dataDir, PUBLICATION_DIR, PLAN_FILE), JSON.stringify({ ...plan, folder }))
  await carryOut(dataDir)
}

/** Completes an interrupted publication. Returns false if its process is alive and completes it. */
export const finishPublication = async (dataDir: string): Promise<boolean> => {
  try {
    await withPublicationLock(dataDir, async () => {}, 0)
    return true
  } catch (error) {
    if (error instanceof PublicationBusyError) return false
    throw error
  }
}

const carryOut = async (dataDir: string) => {
  const text = await readPlan(dataDir)
  if (text === undefined) return
  const { folder, place, remove } = Plan.parse(JSON.parse(text))
  const aside = join(dataDir, PUBLICATION_DIR, folder)
  for (const name of place) {
    const target = join(dataDir, name)
    await mkdir(dirname(target), { recursive: true, mode: PRIVATE })
    // Missing: it was moved before the interruption.
    await rename(join(aside, name), target).catch(unlessMissing)
    await syncFolder(dirname(target))
  }
  for (const name of remove) {
    await unlink(join(dataDir, name)).catch(unlessMissing)
    await rmdir(dirname(join(dataDir, name))).catch(() => {})
  }
  await writeWhole(join(dataDir, PUBLICATION_DIR, MARK_FILE), JSON.stringify({ publicacao: randomUUID() }))
  await unlink(join(dataDir, PUBLICATION_DIR, PLAN_FILE))
  await syncFolder(join(dataDir, PUBLICATION_DIR))
  await rm(aside, { recursive: true, force: true })
}

/** Locks of this process; others with its pid are leftovers of an earlier process. */
const held = new Set<string>()

/** Age in ms from which an unreadable lock is stale: a power failure interrupted its write. */
const UNREADABLE_MS = 10_000

/** Returns an id that changes at every boot, where the system provides one. */
const bootId = () => readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')

/** Takes the lock, which names its process: that of a dead process on this machine is stale. */
const lock = async (folder: string, until: number) => {
  const path = join(folder, LOCK_FILE)
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), boot: await bootId() })
  while (true) {
    try {
      await linkWhole(path, mine)
      held.add(path)
      return
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
      if (await isStale(path)) {
        // Renamed before it is deleted: of two processes that see the same stale lock, one gets it.
        const stale = `${path}-${randomUUID()}`
        await rename(path, stale).then(() => unlink(stale), unlessMissing)
      } else if (Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 50))
      } else {
        throw new PublicationBusyError('Outra publicação está em andamento nesta pasta de dados.')
      }
    }
  }
}

const Lock = z.object({ pid: z.int(), host: z.string(), boot: z.string() })

const isStale = async (path: string): Promise<boolean> => {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const { pid, host, boot } = Lock.parse(JSON.parse(text))
    if (host !== hostname()) return false
    if (boot !== (await bootId())) return true
    if (pid === process.pid) return !held.has(path)
    return !isAlive(pid)
  } catch {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    return Date.now() - mtimeMs > UNREADABLE_MS
  }
}

/** Creates the file atomically. @throws EEXIST when it exists */
const linkWhole = async (path: string, text: string) => {
  const aside = await writeAside(path, text)
  try {
    await link(aside, path)
  } finally {
    await unlink(aside)
  }
}

/** Replaces the file atomically. */
const writeWhole = async (path: string, text: string) => {
  const aside = await writeAside(path, text)
  await rename(aside, path)
  await syncFolder(dirname(path))
}

const writeAside = async (path: string, text: string): Promise<string> => {
  const aside = `${path}-${randomUUID()}`
  await writeFile(aside, text, { mode: 0o600, flag: 'wx', flush: true })
  return aside
}

const syncFolder = async (path: string) => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

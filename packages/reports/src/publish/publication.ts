import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { MARK_FILE, PLAN_FILE, PUBLICATION_DIR, readPlan } from './publication-mark.ts'

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

/** Runs `work` under the data folder's lock, after completing an interrupted publication. */
export async function withPublicationLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const folder = join(dataDir, PUBLICATION_DIR)
  await mkdir(folder, { recursive: true, mode: PRIVATE })
  await lock(folder)
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
export async function newFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, PUBLICATION_DIR, `nova-${randomUUID()}`)
  await mkdir(folder, { mode: PRIVATE })
  return folder
}

/** Publishes the files of `plan.folder` named in `place`, which must already be synced to disk. */
export async function commit(dataDir: string, plan: Plan): Promise<void> {
  const folder = relative(join(dataDir, PUBLICATION_DIR), plan.folder)
  await writeWhole(join(dataDir, PUBLICATION_DIR, PLAN_FILE), JSON.stringify({ ...plan, folder }))
  await carryOut(dataDir)
}

/** Completes an interrupted publication. Returns false if its process is alive and completes it. */
export async function finishPublication(dataDir: string): Promise<boolean> {
  try {
    await withPublicationLock(dataDir, async () => {})
    return true
  } catch (error) {
    if (error instanceof PublicationBusyError) return false
    throw error
  }
}

async function carryOut(dataDir: string) {
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
async function lock(folder: string) {
  const path = join(folder, LOCK_FILE)
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), boot: await bootId() })
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await linkWhole(path, mine)
      held.add(path)
      return
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
      if (!(await isStale(path))) break
      // Renamed before it is deleted: of two processes that see the same stale lock, one gets it.
      const stale = `${path}-${randomUUID()}`
      await rename(path, stale).then(() => unlink(stale), unlessMissing)
    }
  }
  throw new PublicationBusyError('Outra publicação está em andamento nesta pasta de dados.')
}

const Lock = z.object({ pid: z.int(), host: z.string(), boot: z.string() })

async function isStale(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const { pid, host, boot } = Lock.parse(JSON.parse(text))
    if (host !== hostname()) return false
    if (boot !== (await bootId())) return true
    if (pid === process.pid) return !held.has(path)
    process.kill(pid, 0)
    return false
  } catch (error) {
    if (isCode(error, 'ESRCH')) return true
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) return false
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    return Date.now() - mtimeMs > UNREADABLE_MS
  }
}

/** Creates the file atomically. @throws EEXIST when it exists */
async function linkWhole(path: string, text: string) {
  const aside = await writeAside(path, text)
  try {
    await link(aside, path)
  } finally {
    await unlink(aside)
  }
}

/** Replaces the file atomically. */
async function writeWhole(path: string, text: string) {
  const aside = await writeAside(path, text)
  await rename(aside, path)
  await syncFolder(dirname(path))
}

async function writeAside(path: string, text: string): Promise<string> {
  const aside = `${path}-${randomUUID()}`
  const file = await open(aside, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
  await file.close()
  return aside
}

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

function unlessMissing(error: unknown) {
  if (!isCode(error, 'ENOENT')) throw error
}

import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { committedPublication, MARK_FILE, PLAN_FILE, PUBLICATION_DIR } from './publication-mark.ts'

/*
 * How files get into the data folder: all of them or none, whenever the power goes. They are written into a folder aside,
 * on the same disk. Then a plan is renamed into its place: that is the moment in which they are published. Only then are
 * they moved; whoever comes upon a plan whose maker is dead, the service or the next publication, carries it out. Moving is
 * repeatable. A running service does not read while there is a plan, and reads anew when the mark has changed.
 */

/** Paths of files, relative to the data folder. */
const Plan = z.object({ folder: z.string(), place: z.array(z.string()), remove: z.array(z.string()) })
export type Plan = z.infer<typeof Plan>

/** Another publication is at work in the same data folder. */
export class PublicationBusy extends Error {}

const LOCK_FILE = 'trava'
const PRIVATE = 0o700

/** Does `work` alone in the data folder, after what an interrupted publication has left has been put in order. */
export async function alone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
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

/** A folder aside for the files of one publication, on the disk of the data folder. */
export async function newFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, PUBLICATION_DIR, `nova-${randomUUID()}`)
  await mkdir(folder, { mode: PRIVATE })
  return folder
}

/** Publishes the files of `folder` named in `place`, which must be on disk for good. */
export async function commit(dataDir: string, plan: Plan): Promise<void> {
  const folder = relative(join(dataDir, PUBLICATION_DIR), plan.folder)
  await writeWhole(join(dataDir, PUBLICATION_DIR, PLAN_FILE), JSON.stringify({ ...plan, folder }))
  await carryOut(dataDir)
}

/** Carries out a plan whose maker has died. False: its maker lives, and does it. */
export async function finishPublication(dataDir: string): Promise<boolean> {
  try {
    await alone(dataDir, async () => {})
    return true
  } catch (error) {
    if (error instanceof PublicationBusy) return false
    throw error
  }
}

async function carryOut(dataDir: string) {
  const text = await committedPublication(dataDir)
  if (text === undefined) return
  const { folder, place, remove } = Plan.parse(JSON.parse(text))
  const aside = join(dataDir, PUBLICATION_DIR, folder)
  for (const name of place) {
    const target = join(dataDir, name)
    await mkdir(dirname(target), { recursive: true, mode: PRIVATE })
    // Not there any more: moved before the interruption.
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

/** Locks of this process: one that names it and is not among these was left by another of the same number. */
const held = new Set<string>()

/** A lock that cannot be read was being written when the power went. */
const UNREADABLE_MS = 10_000

/** Changes with every start of the machine, where the system tells it. */
const bootId = () => readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')

/** The process that holds the lock is named in it: a dead one on this machine holds nothing. */
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
      // Renamed before it is deleted: of two that see the same stale lock, one gets it.
      const stale = `${path}-${randomUUID()}`
      await rename(path, stale).then(() => unlink(stale), unlessMissing)
    }
  }
  throw new PublicationBusy('Outra publicação está em andamento nesta pasta de dados.')
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

/** As `writeWhole`, unless there is one already. @throws EEXIST */
async function linkWhole(path: string, text: string) {
  const aside = await writeAside(path, text)
  try {
    await link(aside, path)
  } finally {
    await unlink(aside)
  }
}

/** No reader sees half of it. */
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

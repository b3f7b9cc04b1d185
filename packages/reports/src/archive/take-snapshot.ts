import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { deleteOldDrafts } from '../authoring/drafts/files/draft-files.ts'
import { readOneVersion } from '../authoring/publish/read-one-version.ts'
import { newWorkFolder } from '../authoring/published/work-folder.ts'
import { VERSIONS_DIR } from '../authoring/versions/version-files.ts'
import { unlessMissing } from '../definitions/missing-files.ts'
import { linkOrCopy } from '../engine/data/link-or-copy.ts'

/** The files of one published version, which do not change. The caller deletes the folder. */
export type Snapshot = { folder: string; files: { path: string; bytes: number }[]; bytes: number }

/**
 * Gives every file that the service needs to come back a second name in a new folder, which keeps
 * it while publications go on. No data is copied where the file system has hard links.
 */
export const takeSnapshot = async (
  dataDir: string,
  { signal, now }: { signal: AbortSignal; now: number },
): Promise<Snapshot> => {
  // Also deletes the snapshots of killed processes.
  await deleteOldDrafts(dataDir, now)
  const folder = await newWorkFolder(dataDir)
  try {
    const { value: paths } = await readOneVersion(dataDir, signal, async () => {
      await rm(folder, { recursive: true, force: true })
      return linkAll(dataDir, folder)
    })
    const sizes = paths.map(async (path) => ({ path, bytes: (await stat(join(folder, path))).size }))
    const files = await Promise.all(sizes)
    return { folder, files, bytes: files.reduce((sum, file) => sum + file.bytes, 0) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

const linkAll = async (dataDir: string, folder: string): Promise<string[]> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const linked: string[] = []
  for (const path of await archivedPaths(dataDir)) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    // A publication may remove a file during the read. The version is then read again, without it.
    const isThere = await realpath(join(dataDir, path))
      .then((source) => linkOrCopy(source, target))
      .then(() => true, unlessMissing)
    if (isThere) linked.push(path)
  }
  return linked
}

/**
 * Returns the files to archive, relative to the data folder: reports, data, their versions and the
 * credentials. Not what belongs to a running process or ends by itself: locks, drafts, exports, and
 * sign-ins, of which a restore must not revive those that have ended.
 */
const archivedPaths = async (dataDir: string): Promise<string[]> => {
  const top = await readdir(dataDir, { withFileTypes: true })
  const visible = top.filter(({ name }) => !name.startsWith('.'))
  const folders = visible.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  // The service also reads these two where they are links to another place.
  const read = new Set([...folders, 'datasets', 'workspaces', VERSIONS_DIR])
  const below = await Promise.all([...read].map((folder) => filesBelow(dataDir, folder)))
  return [...visible.filter((entry) => entry.isFile()).map(({ name }) => name), ...below.flat()].sort()
}

/** The service follows these where they are links to a file; it refuses links to data and reports. */
const LINKED_DEFINITIONS = /^(datasets\/[^/]+\/dataset|workspaces\/[^/]+\/workspace)\.json$/

const filesBelow = async (dataDir: string, folder: string): Promise<string[]> => {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = (await readdir(join(dataDir, folder), options).catch(unlessMissing)) ?? []
  return entries.flatMap((entry) => {
    const path = relative(dataDir, join(entry.parentPath, entry.name))
    const isRead = entry.isFile() || (entry.isSymbolicLink() && LINKED_DEFINITIONS.test(path))
    return isRead ? [path] : []
  })
}

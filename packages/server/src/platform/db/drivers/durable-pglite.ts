import { chmodSync, existsSync, fdatasyncSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncFolder, syncNow } from '../../lib/sync-folder.ts'
import { lockDirectory } from './directory-lock.ts'
import { pgliteParsers } from './parsers.ts'

/*
 * PGlite never syncs by default, so a power cut can lose everything. A durable commit needs all
 * three: no `-F`, `wal_sync_method=fsync` (PGlite's fdatasync does nothing), and an fsync for
 * NODEFS, which has none. One alone fails silently, so the opener counts the syncs of one commit.
 */
const startParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  // By default 128 MB, all of them resident. The system's file cache holds the rest.
  '-c',
  'shared_buffers=32MB',
]

interface NodeFsModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } }
}

/** WASI's EIO, at which PostgreSQL panics. */
const EIO = 29

class SyncingNodeFS extends NodeFS {
  syncs = 0
  readonly #onFailure: (error: Error) => void

  constructor(directory: string, onFailure: (error: Error) => void) {
    super(directory)
    this.#onFailure = onFailure
  }

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const result = await super.init(pg, options)
    const hook = (module: NodeFsModule) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        // PGlite would swallow an exception here and report the commit as successful.
        try {
          fdatasyncSync(stream.nfd)
        } catch (cause) {
          this.#onFailure(
            new Error(`The embedded database could not be synced to disk: ${String(cause)}`, { cause }),
          )
          return EIO
        }
        this.syncs += 1
        return 0
      }
    }
    // Called on a PANIC, as on a full disk. PGlite's next statement would loop for ever.
    result.emscriptenOpts.onAbort = () =>
      this.#onFailure(new Error('The embedded database has aborted, as it does when the disk is full.'))
    const { preRun = [] } = result.emscriptenOpts
    result.emscriptenOpts.preRun = [...[preRun].flat(), hook as unknown as (typeof preRun)[number]]
    return result
  }
}

/**
 * Opens the embedded database of a folder: locked, syncing, mode 0700. The first start builds it in
 * another folder and renames that, so that an interrupted start leaves no partial database.
 * @param onFailure called during a statement when the disk or the database has failed; send no
 * statement afterwards
 * @throws DirectoryInUse; Error when a commit is not synced to disk
 */
export const openDurablePGlite = async (directory: string, onFailure: (error: Error) => void) => {
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 })
  const unlock = lockDirectory(directory)
  try {
    if (!existsSync(join(directory, 'PG_VERSION'))) await initialise(directory)
    // PGlite creates its files with mode 0666.
    chmodSync(directory, 0o700)
    const fs = new SyncingNodeFS(directory, onFailure)
    const pglite = await PGlite.create({
      fs,
      startParams,
      parsers: pgliteParsers,
      // pg_trgm: an index for substring search.
      extensions: { pg_trgm },
    })
    await assertSyncing(pglite, fs)
    const close = async () => {
      await pglite.close()
      unlock()
    }
    return { pglite, close }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Files that are open while a new database is synced. */
const FILES_AT_ONCE = 100

const initialise = async (directory: string): Promise<void> => {
  const building = `${directory}.new`
  rmSync(building, { recursive: true, force: true })
  const pglite = await PGlite.create(building)
  await pglite.close()
  const entries = readdirSync(building, { recursive: true, encoding: 'utf8' })
  // The file system writes its journal once for files that are synced at the same time.
  for (let first = 0; first < entries.length; first += FILES_AT_ONCE)
    await Promise.all(
      entries.slice(first, first + FILES_AT_ONCE).map((entry) => syncFolder(join(building, entry))),
    )
  syncNow(building)
  renameSync(building, directory)
  syncNow(dirname(directory))
}

const assertSyncing = async (pglite: PGlite, fs: SyncingNodeFS): Promise<void> => {
  await pglite.exec('create table if not exists sync_check (checked_at timestamptz not null)')
  const before = fs.syncs
  await pglite.exec('delete from sync_check; insert into sync_check values (now())')
  if (fs.syncs === before) {
    throw new Error(
      'The embedded database does not sync commits to disk; refusing to run without durability.',
    )
  }
}

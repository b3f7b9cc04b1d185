import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalog } from '../../engine/data/catalog.ts'
import { type Database, LEAST_MEGABYTES, roomFor } from '../../engine/data/database/database.ts'
import type { DatabaseProcess } from '../../engine/data/database/database-process.ts'
import { loadCatalog } from '../../engine/loading/load-catalog.ts'
import { publicationMark } from './publication-mark.ts'
import { readOneVersion } from './read-one-version.ts'

type Options = {
  dataDir: string
  databaseProcess: DatabaseProcess
  /** For the data of all versions together; queries of each dataset get a quarter more. */
  memoryMegabytes: number
  queryTimeoutMs: number
  /** Called with each catalog that comes into use. */
  onLoaded: (catalog: Catalog) => void
  /** Called when a load failed entirely. */
  onFailed: (error: unknown) => void
  /** Milliseconds between checks for a new publication. */
  watchMs?: number
}

/**
 * Creates the published catalog: an immutable value that is replaced while others read. Readers
 * keep the version they started with; its databases close when its last reader has left. Unchanged
 * datasets and reports are reused.
 */
export const createCatalogVersions = (options: Options) => {
  const {
    dataDir,
    databaseProcess,
    memoryMegabytes,
    queryTimeoutMs,
    onLoaded,
    onFailed,
    watchMs = 1000,
  } = options
  const roomMegabytes = roomFor(memoryMegabytes)
  const databases = new Set<Database>()
  const readers = new Map<Catalog, number>()
  const closing = new Set<Promise<void>>()
  const stop = new AbortController()
  let current: Catalog | undefined
  let isLoading = false
  let mark: string | undefined
  let running: Promise<Catalog> | undefined
  let next: Promise<Catalog> | undefined

  /** Gets the memory that open ones leave: for a moment, two versions of a dataset must fit. */
  async function open(timeZone: string): Promise<Database> {
    for (const database of databases) if (database.isClosed()) databases.delete(database)
    const held = [...databases].reduce((sum, database) => sum + database.dataMegabytes(), 0)
    const left = Math.max(LEAST_MEGABYTES, Math.floor(memoryMegabytes - held))
    const limits = { memoryMegabytes: left, timeoutMs: queryTimeoutMs, timeZone }
    const database = await databaseProcess.open(limits)
    databases.add(database)
    return database
  }

  async function load(): Promise<Catalog> {
    isLoading = true
    try {
      return await loadNow()
    } catch (error) {
      // Closing also ends the databases that are being loaded.
      stop.signal.throwIfAborted()
      throw error
    } finally {
      isLoading = false
      closeUnread()
    }
  }

  async function loadNow(): Promise<Catalog> {
    let previous = current
    const { value: loaded, mark: loadedMark } = await readOneVersion(dataDir, stop.signal, async () => {
      previous = await loadCatalog({ dataDir, open, roomMegabytes, ...(previous && { previous }) })
      return previous
    })
    mark = loadedMark
    stop.signal.throwIfAborted()
    current = loaded
    onLoaded(loaded)
    return loaded
  }

  function closeUnread() {
    // Databases of a running load do not belong to a catalog yet.
    if (isLoading) return
    for (const [catalog, count] of readers) if (count === 0) readers.delete(catalog)
    const used = new Set(
      [...readers.keys(), ...(current ? [current] : [])].flatMap(({ datasets }) =>
        [...datasets.values()].map(({ database }) => database),
      ),
    )
    for (const database of databases) {
      if (used.has(database) || database.isClosed()) continue
      const closed = database.close()
      closing.add(closed)
      void closed.finally(() => closing.delete(closed))
    }
  }

  /** Loads the current content of the folder. A call during another load gets the one after it. */
  function refresh(): Promise<Catalog> {
    if (!running) {
      running = load().finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return refresh()
      })
    return next
  }

  async function watch() {
    while (!stop.signal.aborted) {
      await sleep(watchMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
      if (stop.signal.aborted) return
      try {
        if ((await publicationMark(dataDir)) !== mark) await refresh()
      } catch (error) {
        onFailed(error)
      }
    }
  }

  return {
    /** Undefined until the first load is done. */
    current: () => current,
    /**
     * Runs `work` on the current version, which stays open until the work has ended: a request reads
     * one version only, and a client that does not read its answer keeps none.
     */
    async read<T>(work: (catalog: Catalog | undefined) => Promise<T>): Promise<T> {
      const held = current
      if (!held) return work(held)
      readers.set(held, (readers.get(held) ?? 0) + 1)
      try {
        return await work(held)
      } finally {
        readers.set(held, (readers.get(held) ?? 1) - 1)
        if (held !== current) closeUnread()
      }
    },
    refresh,
    openDatabases: () => [...databases].filter((database) => !database.isClosed()).length,
    /** Loads for the first time, and then after each publication. */
    start(): Promise<Catalog> {
      const first = refresh()
      void first.then(watch, () => {})
      return first
    },
    async close() {
      stop.abort()
      await running?.catch(() => undefined)
      await Promise.all([...databases].map((database) => database.close()))
      await Promise.all(closing)
    },
  }
}

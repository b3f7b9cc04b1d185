import { setTimeout as sleep } from 'node:timers/promises'
import { finishPublication } from '../publish/publication.ts'
import { committedPublication, publicationMark } from '../publish/publication-mark.ts'
import type { Catalog } from './catalog.ts'
import { type Database, openDatabase } from './database.ts'
import { loadCatalog } from './load-catalog.ts'

type Options = {
  dataDir: string
  /** For the data of all versions together, and by a quarter of it again for the queries of each dataset. */
  memoryMegabytes: number
  queryTimeoutMs: number
  /** Hears of each catalog as it comes into use, and of a load that failed altogether. */
  onLoaded: (catalog: Catalog) => void
  onFailed: (error: unknown) => void
  /** How often the mark of the last publication is looked at. */
  watchMs?: number
}
/** Whatever says that it has ended: a response. */
type Reading = { once: (event: 'close', listener: () => void) => unknown; destroyed: boolean }

/** Megabytes: what DuckDB needs to read a file at all, and queries to run. */
const LEAST = 64

export type Versions = ReturnType<typeof createVersions>

/**
 * What is published, as an immutable value that is replaced while others read. Who reads holds the version that they began
 * with; its databases are closed when nobody holds them any more. Datasets and reports that have not changed are kept.
 */
export function createVersions(options: Options) {
  const { dataDir, memoryMegabytes, queryTimeoutMs, onLoaded, onFailed, watchMs = 1000 } = options
  const roomMegabytes = Math.max(LEAST, Math.floor(memoryMegabytes / 4))
  const databases = new Set<Database>()
  const readers = new Map<Catalog, number>()
  const closing = new Set<Promise<void>>()
  const stop = new AbortController()
  let current: Catalog | undefined
  let isLoading = false
  let mark: string | undefined
  let running: Promise<Catalog> | undefined
  let next: Promise<Catalog> | undefined

  /** What is there already leaves the rest to the new one: for a moment, two versions of a dataset must fit. */
  async function open(): Promise<Database> {
    for (const database of databases) if (database.isClosed()) databases.delete(database)
    const held = [...databases].reduce((sum, database) => sum + database.dataMegabytes(), 0)
    const left = Math.max(LEAST, Math.floor(memoryMegabytes - held))
    const database = await openDatabase({ memoryMegabytes: left, timeoutMs: queryTimeoutMs })
    databases.add(database)
    return database
  }

  async function load(): Promise<Catalog> {
    isLoading = true
    try {
      return await loadNow()
    } finally {
      isLoading = false
      closeUnread()
    }
  }

  async function loadNow(): Promise<Catalog> {
    const previous = current
    let loaded = previous
    for (;;) {
      await untilPublished(dataDir, stop.signal)
      stop.signal.throwIfAborted()
      const before = await publicationMark(dataDir)
      loaded = await loadCatalog({ dataDir, open, roomMegabytes, ...(loaded && { previous: loaded }) })
      // Published meanwhile: what was read may be of two publications.
      if ((await committedPublication(dataDir)) || (await publicationMark(dataDir)) !== before) continue
      mark = before
      break
    }
    stop.signal.throwIfAborted()
    current = loaded
    onLoaded(loaded)
    return loaded
  }

  function closeUnread() {
    // What is being loaded is nobody's yet.
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

  /** Loads what is in the folder now. Who asks while another load runs gets the one after it. */
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
    /** The version now, kept open until `reading` ends: everything one request reads is of one version. */
    hold(reading: Reading): Catalog | undefined {
      const held = current
      if (!held || reading.destroyed) return held
      readers.set(held, (readers.get(held) ?? 0) + 1)
      reading.once('close', () => {
        readers.set(held, (readers.get(held) ?? 1) - 1)
        if (held !== current) closeUnread()
      })
      return held
    },
    refresh,
    openDatabases: () => [...databases].filter((database) => !database.isClosed()).length,
    /** Loads for the first time, and from then on after each publication. */
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

/** A publication that has been decided upon is being put in its place: half of it must not be read. */
async function untilPublished(dataDir: string, signal: AbortSignal) {
  while (!signal.aborted && (await committedPublication(dataDir))) {
    if (!(await finishPublication(dataDir))) await sleep(100)
  }
}

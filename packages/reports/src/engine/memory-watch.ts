/*
 * DuckDB counts tables, joins and sorts against its memory limit, but not the states of some
 * aggregates (`histogram`, `mode`, `quantile_cont`), which can take gigabytes in seconds. So the
 * memory of the process is watched while statements run.
 */

const EVERY_MS = 50
/** Bytes of growth between two checks that count as noise. */
const STEP = 4_000_000
/** Megabytes for answers and the program itself, besides the database's own limit. */
const BESIDE_MEGABYTES = 512

interface Running {
  mostBytes: number
  stop: AbortController
}
const running = new Set<Running>()
let timer: ReturnType<typeof setInterval> | undefined
/** Bytes when the first running statement began, and at the latest check. */
let atFirst = 0
let atLast = 0

/** Aborts the oldest statement, one per check, while the process grows beyond the limit. */
function look(): void {
  const taken = process.memoryUsage.rss()
  const isGrowing = taken > atLast + STEP
  atLast = taken
  if (!isGrowing) return
  for (const { mostBytes, stop } of running) {
    if (stop.signal.aborted || taken - atFirst <= mostBytes) continue
    stop.abort(new Error('Out of Memory Error: the process exceeds the limit of the statement'))
    return
  }
}

/**
 * Runs a statement until the signal aborts, or the process grows far beyond the database's limit.
 * @throws Error 'Out of Memory Error: …', like DuckDB's own
 */
export async function runWatched<T>(
  memoryMegabytes: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own: Running = {
    mostBytes: (memoryMegabytes + BESIDE_MEGABYTES) * 1_000_000,
    stop: new AbortController(),
  }
  if (running.size === 0) {
    atFirst = process.memoryUsage.rss()
    atLast = atFirst
    timer = setInterval(look, EVERY_MS)
  }
  running.add(own)
  try {
    return await run(AbortSignal.any([signal, own.stop.signal]))
  } finally {
    running.delete(own)
    if (running.size === 0) clearInterval(timer)
  }
}

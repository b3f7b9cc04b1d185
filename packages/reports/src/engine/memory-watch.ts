/*
 * DuckDB counts tables, joins and sorts against its memory limit, but not the states of some aggregates (`histogram`, `mode`,
 * `quantile_cont`), which can take gigabytes in seconds. So what the process takes is watched while statements run.
 */

const EVERY_MS = 50
/** Growth between two looks that is no more than breathing. */
const STEP = 4_000_000
/** What answers and the program itself may take meanwhile, beside the database's own limit. */
const BESIDE_MEGABYTES = 512

interface Running {
  mostBytes: number
  stop: AbortController
}
const running = new Set<Running>()
let timer: ReturnType<typeof setInterval> | undefined
/** Bytes taken when the first of those that run began, and at the last look. */
let atFirst = 0
let atLast = 0

/** Ends the oldest statement, one a look, for as long as the process grows beyond what they may take. */
function look(): void {
  const taken = process.memoryUsage.rss()
  const isGrowing = taken > atLast + STEP
  atLast = taken
  if (!isGrowing) return
  for (const { mostBytes, stop } of running) {
    if (stop.signal.aborted || taken - atFirst <= mostBytes) continue
    stop.abort(new Error('Out of Memory Error: the process takes more than the statement may'))
    return
  }
}

/**
 * Runs a statement until the signal aborts, or the memory of the process grows by far more than the database may take.
 * @throws Error 'Out of Memory Error: …', as DuckDB's own
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

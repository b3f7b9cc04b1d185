import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type DemoPage, ensureDemoPages, filtersOf, READER } from './data/demo-reports.ts'
import { median, quantile, tableLine } from './figures.ts'
import { startReportService } from './report-service.ts'
import type { Asked } from './servers/readers-duckdb.ts'

type Service = Awaited<ReturnType<typeof startReportService>>
/** Sends one request for the data of a page. @returns whether it was answered, and milliseconds */
type Ask = (page: DemoPage, number?: number) => Promise<{ isAnswered: boolean; ms: number }>

const ROUNDS = 3
const PAGES_A_ROUND = 40
/** Each reader changes a filter this often. */
const SECONDS_BETWEEN_CHOICES = 20
const LOAD_SECONDS = 30
/** How many different choices readers of all pages share; the cache answers them after the first. */
const COMMON_CHOICES = 64
const COLD_PAGES_A_SECOND = 25
const COLD_SECONDS = 20
const ORIGIN = 'http://localhost'

let nextNumber = 100
/** Another filter than any before. */
const newNumber = () => nextNumber++

/**
 * Measures the report service with the demo's data: processor time of uncached pages against
 * DuckDB alone; many readers who change filters; and the first readers after a start.
 */
export const benchReaders = async (): Promise<void> => {
  const { folder, pages } = await ensureDemoPages()
  const start = () => startReportService(folder, ORIGIN, { REPORTS_RATE_LIMIT_PER_MINUTE: '1000000' })

  const cold = await start()
  try {
    console.log(`\nFirst readers after the start, ${COLD_PAGES_A_SECOND} default pages a second:`)
    const ask = await readersOf(cold, pages, COLD_PAGES_A_SECOND * 4)
    const answers = await arrivals(COLD_PAGES_A_SECOND, COLD_SECONDS, (index) => ask(pick(pages, index)))
    console.log(sentenceOf(answers))
  } finally {
    await cold.stop()
  }

  const service = await start()
  const duckdb = await startDuckDb(folder)
  try {
    const ask = await readersOf(service, pages, 500)
    console.log('\nProcessor time of an uncached page, ms; median of three rounds in turns:')
    const line = tableLine(24, 10)
    console.log(line('page', 'service', 'DuckDB', 'ratio', 'spread'))
    for (const page of pages) {
      const taken = { service: [] as number[], duckdb: [] as number[] }
      for (let round = 0; round <= ROUNDS; round += 1) {
        const numbers = Array.from({ length: PAGES_A_ROUND }, newNumber)
        const before = await cpuOf(service.pid)
        for (const number of numbers) await ask(page, number)
        const own = ((await cpuOf(service.pid)) - before) / numbers.length
        const alone = (await duckdb.run({ page, numbers })) / numbers.length
        // The first round is a warm-up.
        if (round === 0) continue
        taken.service.push(own)
        taken.duckdb.push(alone)
      }
      const [own, alone] = [median(taken.service), median(taken.duckdb)]
      const ratios = taken.service.map((ms, index) => ms / (taken.duckdb[index] ?? Number.NaN))
      const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
      console.log(line(page.title, own.toFixed(1), alone.toFixed(1), (own / alone).toFixed(2), spread))
    }

    console.log(`\nReaders per core, each with a choice every ${SECONDS_BETWEEN_CHOICES} s:`)
    for (const [share, counts] of [
      [0.1, [500, 1000]],
      [1, [100, 250]],
    ] as const) {
      for (const perCore of counts) {
        const rate = (perCore * cpus().length) / SECONDS_BETWEEN_CHOICES
        const before = await cpuOf(service.pid)
        const answers = await arrivals(rate, LOAD_SECONDS, () => {
          const number = Math.random() < share ? newNumber() : random(COMMON_CHOICES)
          return ask(pick(pages, number), number)
        })
        const cpu = ((await cpuOf(service.pid)) - before) / answers.length
        const mix = `${perCore} a core, ${share * 100}% new choices`
        console.log(`${mix}: ${sentenceOf(answers)}, ${cpu.toFixed(1)} ms of processor a page`)
        // Until nothing of this load is left.
        await setTimeout(3000)
      }
    }
  } finally {
    duckdb.end()
    await service.stop()
  }
}

/** Returns how readers ask: each with a token of their own, all from one address. */
async function readersOf(service: Service, pages: DemoPage[], tokensPerPage: number): Promise<Ask> {
  const tokens = new Map<DemoPage, string[]>()
  for (const page of pages) {
    const identities = page.isRestricted ? [{ ...READER, datasets: [page.datasetId] }] : []
    const own: string[] = []
    while (own.length < tokensPerPage / pages.length) own.push(await service.token(page, identities))
    tokens.set(page, own)
  }
  return async (page, number) => {
    const own = tokens.get(page) ?? []
    const started = performance.now()
    const answer = await fetch(`${service.origin}/embed-api/reports/${page.reportId}/data`, {
      method: 'POST',
      headers: {
        authorization: `EmbedToken ${own[random(own.length)]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ page: page.page, filters: number === undefined ? [] : filtersOf(number) }),
    })
    const text = await answer.text()
    const isAnswered = answer.ok && text.endsWith('"failures":{}}')
    return { isAnswered, ms: performance.now() - started }
  }
}

/** Runs `work` at random times, on average `rate` a second, whether or not it was answered. */
async function arrivals<T>(rate: number, seconds: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const works: Promise<T>[] = []
  const start = performance.now()
  let next = start
  for (let index = 0; next < start + seconds * 1000; index += 1) {
    await setTimeout(Math.max(0, next - performance.now()))
    works.push(work(index))
    next += (-Math.log(1 - Math.random()) / rate) * 1000
  }
  return Promise.all(works)
}

function sentenceOf(answers: Awaited<ReturnType<Ask>>[]): string {
  const times = answers.filter(({ isAnswered }) => isAnswered).map(({ ms }) => ms)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(0))
  const refused = answers.length - times.length
  return `${answers.length} pages, p50 ${p50}, p95 ${p95}, p99 ${p99} ms, ${refused} refused`
}

async function startDuckDb(folder: string) {
  const main = fileURLToPath(new URL('./servers/readers-duckdb.ts', import.meta.url))
  const child = fork(main, [JSON.stringify([folder])], { execPath: process.execPath, execArgv: [] })
  await once(child, 'message')
  return {
    /** @returns milliseconds of processor time of all pages */
    run: async (asked: Asked): Promise<number> => {
      const answered = once(child, 'message')
      child.send(asked)
      const [milliseconds] = await answered
      return Number(milliseconds)
    },
    end: () => child.disconnect(),
  }
}

/** Milliseconds of one tick of the processor times in /proc. */
const TICK_MS = 10

/** Returns the milliseconds of processor time that a process and its children have used (Linux). */
async function cpuOf(pid: number): Promise<number> {
  let ticks = 0
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    // Fields from the third on: the second may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(entry) !== pid && Number(fields[1]) !== pid) continue
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * TICK_MS
}

const random = (count: number) => Math.floor(Math.random() * count)
const pick = <T>(list: T[], index: number): T => list[index % list.length] as T

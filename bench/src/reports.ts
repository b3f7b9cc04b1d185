import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchBrowser } from '../../packages/e2e/src/browser/browser.ts'
import { embedder } from './embedder.ts'
import { startReportService } from './report-service.ts'
import { ensureReportData, reportId, workspaceId } from './reports-data.ts'

const small = 200_000
const large = 10_000_000

/** Upper bounds in milliseconds. */
const bounds: Partial<Record<Step, number>> = {
  'first paint': 1500,
  'filter change': 500,
  'page switch': 500,
  'filter of no summary': 500,
}
const steps = [
  'first paint',
  'filter change',
  'page switch',
  'page switch back',
  'filter of no summary',
] as const
type Step = (typeof steps)[number]
const rounds = 9

/**
 * Prints how long a page of six visuals takes over ten million rows and over 200,000, with the real
 * service, the real embed page, and a browser without caches. Each round uses a new filter, so that
 * no answer is cached.
 */
export const benchReports = async (): Promise<void> => {
  const page = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    answer.end(embedder)
  })
  page.listen(0, 'localhost')
  await once(page, 'listening')
  const origin = `http://localhost:${(page.address() as AddressInfo).port}`
  const browser = await launchBrowser()
  const sites = [await startService(small, origin), await startService(large, origin)] as const
  try {
    console.log(
      `\nReports: a page of six visuals over ${large} rows against ${small}; medians of ${rounds} rounds, ms.`,
    )
    for (const { rows, seconds } of sites)
      console.log(`${rows} rows were ready after ${seconds.toFixed(1)} s`)
    const taken = new Map<string, number[]>()
    for (let round = 0; round <= rounds; round++) {
      for (const site of sites) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
        const tab = await context.newPage()
        await tab.goto(origin)
        const found = await tab.evaluate<Record<Step, number>>(
          `walk(${JSON.stringify({ service: site.origin, id: reportId, token: await site.token({ workspaceId, reportId }), round })})`,
        )
        await context.close()
        // The first round warms up the processes.
        if (round === 0) continue
        for (const step of steps) {
          const name = `${site.rows} ${step}`
          taken.set(name, [...(taken.get(name) ?? []), found[step]])
        }
      }
    }
    print(taken)
  } finally {
    for (const site of sites) await site.stop()
    await browser.close()
    page.close()
  }
}

const print = (taken: Map<string, number[]>) => {
  console.log(
    `\n${'step'.padEnd(24)}${'small'.padStart(9)}${'large'.padStart(9)}${'ratio'.padStart(9)}${'bound'.padStart(9)}`,
  )
  for (const step of steps) {
    const [one, other] = [small, large].map((rows) => median(taken.get(`${rows} ${step}`) ?? []))
    if (one === undefined || other === undefined) continue
    const bound = bounds[step]
    const verdict = bound === undefined ? '' : other <= bound ? 'held' : 'EXCEEDED'
    console.log(
      `${step.padEnd(24)}${one.toFixed(0).padStart(9)}${other.toFixed(0).padStart(9)}${(other / one).toFixed(2).padStart(9)}${String(bound ?? '').padStart(9)} ${verdict}`,
    )
  }
}

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]

async function startService(rows: number, embedderOrigin: string) {
  const dataDir = await ensureReportData(rows)
  const service = await startReportService(dataDir, embedderOrigin, { REPORTS_MEMORY_MB: '4096' })
  return { rows, ...service }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { launchBrowser } from '../../packages/e2e/src/browser/browser.ts'
import { ensureReportData, reportId, workspaceId } from './data/reports-data.ts'
import { embedder } from './embedder.ts'
import { createSeries, median, tableLine } from './figures.ts'
import { startReportService } from './report-service.ts'

const small = 200_000
const large = 10_000_000

/** Upper bounds in milliseconds at the large size. */
const bounds: Partial<Record<Step, number>> = {
  'first paint': 1500,
  'filter change': 500,
  'page switch': 500,
  'unaggregated filter': 500,
}
const steps = [
  'first paint',
  'filter change',
  'page switch',
  'page switch back',
  'unaggregated filter',
] as const
type Step = (typeof steps)[number]
const rounds = 9

/**
 * Prints how long a page of six visuals takes over ten million rows and over 200,000, with the real
 * service, the real embed page, and a browser without caches. Each round uses a new filter, so that
 * no answer is cached. The steps are those of `walk` in embedder.ts.
 */
export const benchReports = async (): Promise<void> => {
  const embedderServer = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    answer.end(embedder)
  })
  embedderServer.listen(0, 'localhost')
  await once(embedderServer, 'listening')
  const origin = `http://localhost:${(embedderServer.address() as AddressInfo).port}`
  const browser = await launchBrowser()
  const services = [await startService(small, origin), await startService(large, origin)] as const
  try {
    console.log(
      `\nReports: a page of six visuals over ${large} rows against ${small}; medians of ${rounds} rounds, ms.`,
    )
    for (const { rows, seconds } of services)
      console.log(`${rows} rows were ready after ${seconds.toFixed(1)} s`)
    const times = createSeries()
    for (let round = 0; round <= rounds; round++) {
      for (const service of services) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
        const tab = await context.newPage()
        await tab.goto(origin)
        const stepMs = await tab.evaluate<Record<Step, number>>(
          `walk(${JSON.stringify({ service: service.origin, id: reportId, token: await service.token({ workspaceId, reportId }), round })})`,
        )
        await context.close()
        // The first round warms up the processes.
        if (round === 0) continue
        for (const step of steps) times.add(`${service.rows} ${step}`, stepMs[step])
      }
    }
    print(times)
  } finally {
    for (const service of services) await service.stop()
    await browser.close()
    embedderServer.close()
  }
}

const print = (times: ReturnType<typeof createSeries<number>>) => {
  const line = tableLine(24, 9)
  console.log(`\n${line('step', 'small', 'large', 'ratio', 'bound')}`)
  for (const step of steps) {
    const [smallMs, largeMs] = [median(times.of(`${small} ${step}`)), median(times.of(`${large} ${step}`))]
    const bound = bounds[step]
    const verdict = bound === undefined ? '' : largeMs <= bound ? 'held' : 'EXCEEDED'
    const figures = [smallMs.toFixed(0), largeMs.toFixed(0), (largeMs / smallMs).toFixed(2), bound ?? '']
    console.log(`${line(step, ...figures)} ${verdict}`)
  }
}

async function startService(rows: number, embedderOrigin: string) {
  const dataDir = await ensureReportData(rows)
  const service = await startReportService(dataDir, embedderOrigin, { REPORTS_MEMORY_MB: '4096' })
  return { rows, ...service }
}

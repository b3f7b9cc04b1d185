import { setTimeout } from 'node:timers/promises'
import { ensureReportData, reportId, workspaceId } from './data/reports-data.ts'
import { createSeries, quantile, tableLine } from './figures.ts'
import { startReportService } from './report-service.ts'
import type { Target } from './servers/load.ts'
import { startProcess } from './servers/process.ts'

const rows = 10_000_000
const rounds = 3
const callsOfARound = 150
const pauseMs = 20
const flooders = 40
const names = ['session', 'menu', 'embed'] as const
type Name = (typeof names)[number]

/**
 * Prints how long one caller of the portal waits while the report service on the same cores is
 * overloaded: forty readers of a page of six visuals over ten million rows, with filters that no
 * aggregation table serves.
 */
export const benchBeside = async (): Promise<void> => {
  const portal = await startProcess<{ calls: Record<Name, Target> }>('./portal-server.ts')
  const service = await startReportService(await ensureReportData(rows), 'http://localhost', {
    REPORTS_MEMORY_MB: '4096',
  })
  const taken = createSeries()
  let answered = 0
  let refused = 0
  try {
    const tokens = await Promise.all(
      Array.from({ length: flooders }, () => service.token({ workspaceId, reportId })),
    )
    const ask = async (token: string, signal: AbortSignal) => {
      const answer = await fetch(`${service.origin}/embed-api/reports/${reportId}/data`, {
        method: 'POST',
        headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ page: 'Custos', filters: [beneficiariesUnder(250_000)] }),
        signal,
      })
      await answer.arrayBuffer()
      if (answer.ok) answered += 1
      else refused += 1
    }
    // The first round is a warm-up, at rest and flooded.
    for (let round = 0; round <= rounds; round += 1) {
      for (const state of ['at rest', 'flooded'] as const) {
        const over = new AbortController()
        const flood = state === 'at rest' ? [] : tokens.map((token) => flooding(token, ask, over.signal))
        await setTimeout(1000)
        for (const name of names) {
          const times = await timesOf(portal.message.calls[name])
          if (round > 0) taken.add(name + state, ...times)
        }
        over.abort()
        await Promise.all(flood)
      }
    }
  } finally {
    await service.stop()
    await portal.end()
  }
  if (answered === 0) throw new Error('the flood got no answer')
  console.log(
    `\nThe portal beside a flooded report service: ${callsOfARound} calls, ${pauseMs} ms after the answer before, in each of ${rounds} rounds; the flood was answered ${answered} pages and ${refused} refusals.\n`,
  )
  console.log(line('call, ms', 'at rest p50', 'flooded p50', 'ratio', 'at rest p99', 'flooded p99', 'ratio'))
  for (const name of names) {
    const [rest, flooded] = [taken.of(`${name}at rest`), taken.of(`${name}flooded`)]
    const figures = [0.5, 0.99].flatMap((share) => {
      const [one, other] = [quantile(rest, share), quantile(flooded, share)]
      return [one.toFixed(1), other.toFixed(1), (other / one).toFixed(2)]
    })
    console.log(line(name, ...figures))
  }
}

/** Sends the next request as soon as the last is answered or refused. */
const flooding = async (
  token: string,
  ask: (token: string, signal: AbortSignal) => Promise<void>,
  over: AbortSignal,
) => {
  while (!over.aborted) {
    await ask(token, over).catch((error: unknown) => {
      if (!over.aborted) throw error
    })
  }
}

/** A new value each time, so that no answer is cached. */
const beneficiariesUnder = (about: number) => ({
  $schema: 'http://powerbi.com/product/schema#advanced',
  target: { table: 'Sinistros', column: 'beneficiario' },
  filterType: 0,
  logicalOperator: 'And',
  conditions: [{ operator: 'LessThan', value: about + Math.floor(Math.random() * 100_000) }],
})

/** Returns the milliseconds of each call. */
const timesOf = async ({ url, method = 'GET', headers: [headers = {}] = [], body }: Target) => {
  const times: number[] = []
  for (let call = 0; call < callsOfARound; call += 1) {
    const started = performance.now()
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    times.push(performance.now() - started)
    await setTimeout(pauseMs)
  }
  return times
}

const line = tableLine(12, 13)

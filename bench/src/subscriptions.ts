import { setTimeout } from 'node:timers/promises'
import { datasetId, ensureReportData, reportId, rowRole, workspaceId } from './data/reports-data.ts'
import { createSeries, quantile, tableLine } from './figures.ts'
import { startReportService } from './report-service.ts'
import type { Target } from './servers/load.ts'
import { startProcess } from './servers/process.ts'

const rows = 1_000_000
const recipients = 1_000
const identities = 40
const readers = 8
const pauseMs = 50
const restMs = 20_000

interface Sent {
  mails: number
  files: number
  seconds: number
}

/**
 * Prints how long a subscription with a thousand recipients of forty identities takes, and how long
 * readers wait for pages of the same report and calls of the portal during that time. The files are
 * drawn by the real service; the mail server is a real one of the same machine.
 */
export const benchSubscriptions = async (): Promise<void> => {
  const service = await startReportService(await ensureReportData(rows, [rowRole]), 'http://localhost')
  const portal = await startProcess<{ calls: Record<string, Target>; start: string; state: string }>(
    './subscriptions-server.ts',
    { origin: service.origin, application: service.application, recipients, identities },
  )
  const taken = createSeries()
  let sent: Sent | undefined
  try {
    const { calls, start, state } = portal.message
    const tokens = await Promise.all(
      Array.from({ length: readers }, (_, reader) =>
        service.token({ workspaceId, reportId }, [
          {
            username: `leitor${reader}`,
            roles: [rowRole.name],
            datasets: [datasetId],
            customData: String(reader),
          },
        ]),
      ),
    )
    const readPage = async (token: string, signal: AbortSignal): Promise<number> => {
      const started = performance.now()
      const answer = await fetch(`${service.origin}/embed-api/reports/${reportId}/data`, {
        method: 'POST',
        headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ page: 'Custos', filters: [beneficiariesUnder(250_000)] }),
        signal,
      })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
      return performance.now() - started
    }
    const measure = async (phase: string, isOver: () => Promise<boolean>) => {
      const over = new AbortController()
      const reading = tokens.map(async (token) => {
        while (!over.signal.aborted) {
          const ms = await readPage(token, over.signal).catch((error: unknown) => {
            if (!over.signal.aborted) throw error
          })
          if (ms !== undefined) taken.add(`page of a report ${phase}`, ms)
          await setTimeout(1_000)
        }
      })
      const calling = Object.entries(calls).map(async ([name, target]) => {
        while (!over.signal.aborted) {
          taken.add(`${name} ${phase}`, await timeOf(target))
          await setTimeout(pauseMs)
        }
      })
      while (!(await isOver())) await setTimeout(250)
      over.abort()
      await Promise.all([...reading, ...calling])
    }
    const over = performance.now() + restMs
    await measure('at rest', async () => performance.now() > over)
    await fetch(start, { method: 'POST' })
    await measure('while sending', async () => {
      sent = (await (await fetch(state)).json()) as Sent
      return sent.mails === recipients
    })
    const names = ['page of a report', ...Object.keys(calls)]
    console.log(
      `\n${recipients} recipients, ${identities} identities: ${sent?.files} files and ${sent?.mails} e-mails in ${sent?.seconds.toFixed(0)} s, beside ${readers} readers.\n`,
    )
    console.log(
      line('call, ms', 'at rest p50', 'sending p50', 'ratio', 'at rest p95', 'sending p95', 'ratio'),
    )
    for (const name of names) {
      const [rest, sending] = [taken.of(`${name} at rest`), taken.of(`${name} while sending`)]
      const figures = [0.5, 0.95].flatMap((share) => {
        const [one, other] = [quantile(rest, share), quantile(sending, share)]
        return [one.toFixed(1), other.toFixed(1), (other / one).toFixed(2)]
      })
      console.log(line(name, ...figures))
    }
  } finally {
    await portal.end()
    await service.stop()
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

const timeOf = async ({ url, method = 'GET', headers: [headers = {}] = [], body }: Target) => {
  const started = performance.now()
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return performance.now() - started
}

const line = tableLine(18, 13)

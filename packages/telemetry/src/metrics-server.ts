import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServiceMetrics } from './metrics.ts'

/** Milliseconds for which scrapes get the same text. */
const keptMs = 1_000

/** Serves `GET /metrics` on a separate port. Closing it also closes the metrics. */
export const serveMetrics = async (
  metrics: Pick<ServiceMetrics, 'text' | 'close'>,
  { port, host }: { port: number; host: string },
) => {
  let kept: { until: number; text: Promise<string> } | undefined
  const read = (): Promise<string> => {
    if (!kept || kept.until < performance.now())
      kept = { until: performance.now() + keptMs, text: metrics.text() }
    return kept.text
  }
  const server = createServer({ requestTimeout: 10_000 }, async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    const path = request.url?.split('?', 1)[0]
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path !== '/metrics' || !isRead) return void response.writeHead(404).end()
    try {
      const body = await read()
      response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      response.end(body)
    } catch {
      response.writeHead(500).end()
    }
  })
  server.listen({ port, host })
  await once(server, 'listening')
  const address = server.address() as { port: number }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/metrics`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      metrics.close()
    },
  }
}

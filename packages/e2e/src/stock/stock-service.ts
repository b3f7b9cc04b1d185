import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createRequire } from 'node:module'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureServiceFile, type ServiceFile } from '@bi-manager/reports/protocol/rest/service-file'
import { freePort } from '../../../../scripts/machines/ports.ts'
import { microsoftLikeHost } from '../browser/browser.ts'
import { copyReports } from '../services/demo.ts'
import { writeProtocolReport } from './protocol-report.ts'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url))
const main = fileURLToPath(new URL('../../../reports/src/main.ts', import.meta.url))

/**
 * The report service behind TLS on a Microsoft-like host name, and a
 * page at `harness` that loads the unmodified powerbi-client. `stranger`
 * serves the same page from an origin the service does not allow.
 */
export interface StockService {
  harness: string
  stranger: string
  api: string
  credentials: ServiceFile
}

/** Starts the service. @param demoData folder of a demo whose reports are copied */
export const startStockService = async (demoData: string, settings: Record<string, string> = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-stock-'))
  await copyReports(demoData, dataDir)
  await writeProtocolReport(dataDir)
  const credentials: ServiceFile = await ensureServiceFile(dataDir)
  const port = await freePort()
  const proxy = createTlsServer(
    { key: fixture('loopback-key.pem'), cert: fixture('loopback-cert.pem') },
    (incoming, outgoing) => {
      const { method, url, headers } = incoming
      const forwarded = request({ host: 'localhost', port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      incoming.pipe(forwarded)
    },
  )
  const tlsPort = await listen(proxy)
  const harness = createServer(servePage)
  const harnessPort = await listen(harness)
  const stranger = createServer(servePage)
  const strangerPort = await listen(stranger)
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      REPORTS_PORT: String(port),
      REPORTS_URL: `https://${microsoftLikeHost}:${tlsPort}`,
      REPORTS_DATA_DIR: dataDir,
      PUBLIC_URL: `http://localhost:${harnessPort}`,
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await untilReady(`http://localhost:${port}/readyz`)
  const service: StockService = {
    harness: `http://localhost:${harnessPort}`,
    stranger: `http://localhost:${strangerPort}`,
    api: `http://localhost:${port}`,
    credentials,
  }
  return {
    service,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      for (const server of [proxy, harness, stranger]) server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const page =
  '<!doctype html><html lang="pt-BR"><title>Cliente sem alterações</title><link rel="icon" href="data:,">' +
  '<div id="report" style="width:1000px;height:600px"></div>' +
  '<div id="second" style="width:600px;height:400px"></div><script src="/powerbi.js"></script>'

const client = readFileSync(createRequire(import.meta.url).resolve('powerbi-client/dist/powerbi.min.js'))

const servePage: RequestListener = ({ url }, outgoing) => {
  const isScript = url === '/powerbi.js'
  outgoing.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
  outgoing.end(isScript ? client : page)
}

const listen = async (server: Server): Promise<number> => {
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const untilReady = async (url: string): Promise<void> => {
  for (let i = 0; i < 600; i += 1) {
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not become ready`)
}

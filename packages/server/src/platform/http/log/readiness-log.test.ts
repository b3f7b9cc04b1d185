import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../../test/test-app.ts'
import { buildApp } from '../../../app.ts'

test('/readyz logs a check when it begins to fail and when it passes again', async () => {
  const lines: { msg: string; check?: string }[] = []
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  let status = 503
  const reports = createServer((_request, response) => void response.writeHead(status).end())
  reports.listen(0, '127.0.0.1')
  await once(reports, 'listening')
  onTestFinished(() => void reports.close())
  const { services, close } = await startTestApp()
  onTestFinished(close)
  const { config } = services
  const api = `http://127.0.0.1:${(reports.address() as AddressInfo).port}`
  const local = { ...config.bi.addresses.local, api }
  const server = await buildApp(
    {
      ...services,
      config: {
        ...config,
        logLevel: 'info',
        demoSeed: 'demonstracao',
        bi: { ...config.bi, addresses: { ...config.bi.addresses, local } },
      },
    },
    { logTo },
  )
  onTestFinished(() => server.close())

  const readiness = async () => (await server.inject('/readyz')).statusCode
  expect([await readiness(), await readiness()]).toEqual([503, 503])
  status = 200
  expect([await readiness(), await readiness()]).toEqual([200, 200])
  expect(lines.filter(({ check }) => check === 'relatorios').map(({ msg }) => msg)).toEqual([
    'not ready',
    'ready again',
  ])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLiveServices } from './live-services.ts'
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const browserSpan = 'b7ad6b7169203331'
const unsampled = 'a'.repeat(32)

/** Prints loaded modules on standard error, so that a test can see which are not. */
const recorder = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    if (/opentelemetry|prom-client/.test(resolved.url)) process.stderr.write('CARREGADO ' + resolved.url + '\\n')
    return resolved
  },
})`
let folder: string
let options: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bi-manager-traces-'))
  writeFileSync(join(folder, 'recorder.mjs'), recorder)
  options = `--import=${join(folder, 'recorder.mjs')}`
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('tracing with an endpoint', () => {
  let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>
  let logs: string
  let loaded: string
  beforeAll(async () => {
    receiver = await startOtlpReceiver()
    const live = await startLiveServices({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      NODE_OPTIONS: options,
    })
    await live.openReport({ traceparent: `00-${traceId}-${browserSpan}-01` })
    await live.openReport({ traceparent: `00-${unsampled}-${browserSpan}-00` })
    // The last spans are sent at the stop.
    await live.stop()
    logs = `${live.portal.output()}\n${live.reports.output()}`
    loaded = logs
  }, 120_000)
  afterAll(() => receiver.close())

  const spans = () => receiver.spans.filter((span) => span.traceId === traceId)
  const find = (service: string, name: string): ReceivedSpan => {
    const found = spans().find((span) => span.service === service && span.name === name)
    if (!found) throw new Error(`no ${name} of ${service} in ${spans().map((span) => span.name)}`)
    return found
  }

  test('a trace follows a person from the browser through the portal to the report service', () => {
    const embed = find('bi-manager-portal', 'POST /api/usuarios/relatorio/embed')
    expect(embed.parentId).toBe(browserSpan)
    const call = find('bi-manager-portal', 'provider generateToken')
    expect(call.parentId).toBe(embed.spanId)
    const answer = find('bi-manager-relatorios', 'POST /v1.0/myorg/GenerateToken')
    expect(answer.parentId).toBe(call.spanId)
    const data = find('bi-manager-relatorios', 'POST /embed-api/reports/:id/data')
    expect(data.parentId).toBe(browserSpan)
    expect(find('bi-manager-relatorios', 'report query').parentId).toBe(data.spanId)
  })

  test('a trace includes database statements, with placeholders for their values', () => {
    const view = find('bi-manager-portal', 'POST /api/usuarios/relatorio/:id/visualizacao')
    const statements = spans().filter(
      ({ parentId, attributes }) => parentId === view.spanId && attributes['db.query.text'],
    )
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.map(({ attributes }) => attributes['db.query.text']).join()).toContain('$1')
  })

  test('the portal puts no personal data, report, token or path into spans', () => {
    const sent = JSON.stringify(receiver.spans)
    expect(sent).toContain('http.route')
    for (const value of ['@exemplo', 'Simples', 'e0000000', 'Bearer', 'eyJ'])
      expect(sent).not.toContain(value)
  })

  test('tracing with an endpoint does not send a trace that the caller does not record, but logs its id', () => {
    expect(receiver.spans.filter((span) => span.traceId === unsampled)).toEqual([])
    expect(logs).toContain(`"traceId":"${unsampled}"`)
  })

  test('the portal logs a request that starts a trace with the id that is sent', () => {
    const begun = receiver.spans.filter(({ name }) => name === 'POST /api/usuarios/authorizer')
    expect(begun.length).toBeGreaterThan(0)
    for (const span of begun) expect(logs).toContain(`"traceId":"${span.traceId}"`)
  })

  test('the portal loads OpenTelemetry, as the counterpart of the test below', () => {
    expect(loaded).toMatch(/CARREGADO .*sdk-trace/)
  })
})

describe('without a tracing endpoint and metrics ports', () => {
  test('neither OpenTelemetry nor prom-client is loaded', async () => {
    const live = await startLiveServices({
      NODE_OPTIONS: options,
      METRICS_PORT: '',
      REPORTS_METRICS_PORT: '',
    })
    await live.openReport()
    await live.stop()
    expect(live.portal.output()).toContain('"msg":"started"')
    expect(`${live.portal.output()}${live.reports.output()}`).not.toContain('CARREGADO')
  }, 120_000)
})

describe('an unreachable collector', () => {
  test('an unreachable collector is logged, and delays neither requests nor the stop', async () => {
    const gone = await startOtlpReceiver()
    gone.close()
    const live = await startLiveServices({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.endpoint })
    await live.openReport()
    const since = performance.now()
    await live.stop()
    expect(performance.now() - since).toBeLessThan(15_000)
    expect(live.portal.output()).toContain('"msg":"stopped"')
    expect(live.portal.output()).toContain('"msg":"traces could not be sent"')
  }, 120_000)
})

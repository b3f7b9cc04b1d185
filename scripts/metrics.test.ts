import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLiveServices } from './vitest/live-services.ts'
import { hasPromtool, promtool } from './vitest/promtool.ts'

let live: Awaited<ReturnType<typeof startLiveServices>>
let portal: string
let reports: string
beforeAll(async () => {
  live = await startLiveServices()
  await live.openReport()
  await live.openReport()
  await expect(live.signIn('senha-errada')).rejects.toThrow('401')
  for (const path of ['/api/nada/1', '/api/nada/2', '/api/usuarios/relatorio/1/acesso']) {
    await (await fetch(live.portal.url + path)).text()
  }
  portal = await live.portalMetrics()
  reports = await live.reportMetrics()
}, 120_000)
afterAll(() => live?.stop())

const sample = (text: string, name: string, ...labels: string[]): number | undefined => {
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`${name}{`) && labels.every((label) => one.includes(label)))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

describe('the metrics of the portal', () => {
  test.runIf(hasPromtool)('pass promtool check metrics', () => {
    expect(promtool(['check', 'metrics'], portal)).toBe('')
  })

  test.each<[name: string, labels: string[], value: number]>([
    ['bimanager_sign_ins_total', ['method="password"', 'result="ok"'], 1],
    ['bimanager_sign_ins_total', ['method="password"', 'result="credenciais_invalidas"'], 1],
    ['bimanager_embeds_total', ['result="ok"'], 2],
    ['bimanager_report_rendered_seconds_count', [], 2],
    ['bimanager_report_rendered_seconds_sum', [], 1.8],
    ['bimanager_report_loaded_seconds_sum', [], 0.8],
    ['bimanager_http_request_duration_seconds_count', ['method="GET"', 'status="404"'], 2],
    [
      'bimanager_http_request_duration_seconds_count',
      ['method="POST"', 'route="/api/usuarios/relatorio/embed"', 'status="200"'],
      2,
    ],
    [
      'bimanager_provider_call_duration_seconds_count',
      ['provider="local"', 'operation="generateToken"', 'result="200"'],
      1,
    ],
    ['bimanager_cache_lookups_total', ['cache="embed_token"', 'result="hit"'], 1],
    ['bimanager_cache_lookups_total', ['cache="report_access"', 'result="miss"'], 1],
    ['bimanager_database_pool_size', [], 1],
    ['bimanager_mail_queue_length', [], 0],
    ['bimanager_build_info', ['version='], 1],
  ])('have %s with %j', (name, labels, value) => {
    expect(sample(portal, name, ...labels)).toBeCloseTo(value)
  })

  test('time statements and the event loop', () => {
    const count = 'bimanager_database_statement_duration_seconds_count'
    expect(sample(portal, count, 'result="ok"')).toBeGreaterThan(5)
    expect(sample(portal, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  })

  test('have no label that grows with people or records', () => {
    for (const value of ['admin', '@', '/nada/1', 'relatorio/1/', 'e0000000'])
      expect(portal).not.toContain(value)
  })
})

describe('the metrics of the report service', () => {
  test.runIf(hasPromtool)('pass promtool check metrics', () => {
    expect(promtool(['check', 'metrics'], reports)).toBe('')
  })

  test.each<[name: string, labels: string[], value: number]>([
    ['bimanager_report_query_duration_seconds_count', ['result="ok"'], 1],
    ['bimanager_cache_lookups_total', ['cache="report_answer"', 'result="hit"'], 1],
    ['bimanager_report_queries_waiting', [], 0],
    ['bimanager_reports_published', [], 2],
    ['bimanager_export_queue_length', [], 0],
    ['bimanager_export_queue_oldest_seconds', [], 0],
    [
      'bimanager_http_request_duration_seconds_count',
      ['route="/embed-api/reports/:id/data"', 'status="200"'],
      2,
    ],
  ])('have %s with %j', (name, labels, value) => {
    expect(sample(reports, name, ...labels)).toBe(value)
  })

  test('have no label that grows with people or reports', () => {
    for (const value of ['e0000000', 'Simples', '@']) expect(reports).not.toContain(value)
  })
})

describe('the port of the metrics', () => {
  test.each(['/', '/metrics/x', '/api/usuarios/menus'])('answers 404 for %s', async (path) => {
    expect((await fetch(`http://localhost:${live.metricsPort}${path}`)).status).toBe(404)
  })

  test('answers nothing but reads', async () => {
    const answer = await fetch(`http://localhost:${live.metricsPort}/metrics`, { method: 'POST' })
    expect(answer.status).toBe(404)
  })

  test('is not the port of the portal', async () => {
    expect((await fetch(`${live.portal.url}/metrics`)).headers.get('content-type')).not.toContain(
      'text/plain',
    )
  })
})

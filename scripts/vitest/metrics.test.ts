import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problems } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startLiveServices } from './live-services.ts'
import { hasPromtool, promtool } from './promtool.ts'

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
  test.runIf(hasPromtool)('the metrics of the portal pass promtool check metrics', () => {
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
    ['bimanager_queue_length', ['queue="mail"'], 0],
    ['bimanager_build_info', ['version='], 1],
  ])('the metrics of the portal contain %s with %j', (name, labels, value) => {
    expect(sample(portal, name, ...labels)).toBeCloseTo(value)
  })

  test('the metrics of the portal include statement times and event loop lag', () => {
    const count = 'bimanager_database_statement_duration_seconds_count'
    expect(sample(portal, count, 'result="ok"')).toBeGreaterThan(5)
    expect(sample(portal, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  })

  test('the metrics of the portal have no label that grows with users or records', () => {
    for (const value of ['admin', '@', '/nada/1', 'relatorio/1/', 'e0000000'])
      expect(portal).not.toContain(value)
  })
})

describe('the metrics of the report service', () => {
  test.runIf(hasPromtool)('the metrics of the report service pass promtool check metrics', () => {
    expect(promtool(['check', 'metrics'], reports)).toBe('')
  })

  test.each<[name: string, labels: string[], value: number]>([
    ['bimanager_report_query_duration_seconds_count', ['result="ok"'], 1],
    ['bimanager_cache_lookups_total', ['cache="report_answer"', 'result="hit"'], 1],
    ['bimanager_report_queries_waiting', [], 0],
    ['bimanager_reports_published', [], 2],
    ['bimanager_queue_length', ['queue="drawing"'], 0],
    ['bimanager_queue_length', ['queue="refreshes"'], 0],
    ['bimanager_queue_oldest_seconds', ['queue="drawing"'], 0],
    [
      'bimanager_http_request_duration_seconds_count',
      ['route="/embed-api/reports/:id/data"', 'status="200"'],
      2,
    ],
  ])('the metrics of the report service contain %s with %j', (name, labels, value) => {
    expect(sample(reports, name, ...labels)).toBe(value)
  })

  test('the metrics of the report service have no label that grows with users or reports', () => {
    for (const value of ['e0000000', 'Simples', '@']) expect(reports).not.toContain(value)
  })
})

describe('the metrics port', () => {
  test.each(['/', '/metrics/x', '/api/usuarios/menus'])(
    'the metrics port answers 404 for %s',
    async (path) => {
      expect((await fetch(`http://localhost:${live.metricsPort}${path}`)).status).toBe(404)
    },
  )

  test('the metrics port refuses other methods than GET', async () => {
    const answer = await fetch(`http://localhost:${live.metricsPort}/metrics`, { method: 'POST' })
    expect(answer.status).toBe(404)
  })

  test("the metrics port is separate from the portal's port", async () => {
    expect((await fetch(`${live.portal.url}/metrics`)).headers.get('content-type')).not.toContain(
      'text/plain',
    )
  })
})

describe('the files for operators', () => {
  /** Returns the names of all metrics, and of the series of histograms and counters. */
  const known = () =>
    new Set(
      [...`${portal}\n${reports}`.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    )
  const named = (text: string): string[] => [
    ...new Set([...text.matchAll(/\b(?:bimanager|nodejs|process)_\w+/g)].map(([name]) => name)),
  ]
  const folder = join(import.meta.dirname, '../../deploy')
  const dashboard = readFileSync(join(folder, 'grafana/bi-manager.json'), 'utf8')
  const rules = readFileSync(join(folder, 'prometheus/alertas.yml'), 'utf8')
  const ruleTests = readFileSync(join(folder, 'prometheus/alertas.teste.yml'), 'utf8')

  test.each([
    ['the alert rules', rules],
    ['the tests of the alert rules', ruleTests],
    ['the dashboard', dashboard],
  ])('the files for operators use only existing metrics: %s', (_, text) => {
    expect(named(text).length).toBeGreaterThan(5)
    expect(named(text).filter((name) => !known().has(name))).toEqual([])
  })

  test('the files for operators use only existing problem codes in the alert rules', () => {
    const codes = [...rules.matchAll(/result=~"([^"]+)"/g)]
      .flatMap(([, text = '']) => text.split('|'))
      .filter((code) => /^[a-z_]+$/.test(code))
      .filter((code) => !['timeout', 'unreachable', 'error'].includes(code))
    expect(codes.length).toBeGreaterThan(3)
    expect(codes.filter((code) => !(code in problems))).toEqual([])
  })

  test('the files for operators test each alert rule firing and not firing', () => {
    const { groups } = parse(rules) as { groups: { rules: { alert: string }[] }[] }
    const { tests } = parse(ruleTests) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[]
    }
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test)
    const namesOf = (isFiring: boolean) =>
      new Set(
        cases
          .filter(({ exp_alerts }) => exp_alerts.length > 0 === isFiring)
          .map(({ alertname }) => alertname),
      )
    const alerts = groups.flatMap((group) => group.rules.map(({ alert }) => alert)).sort()
    expect(alerts.length).toBeGreaterThan(10)
    expect([...namesOf(true)].sort()).toEqual(alerts)
    expect([...namesOf(false)].sort()).toEqual(alerts)
  })

  test('the files for operators show every metric of the services in the dashboard', () => {
    const shown = named(dashboard)
    const own = [...known()].filter((name) => /^bimanager_/.test(name) && !/_(sum|count)$/.test(name))
    expect(own.filter((name) => !shown.includes(name))).toEqual([])
  })

  test('the files for operators give each dashboard panel a unique position and the selected data source', () => {
    const { panels } = JSON.parse(dashboard) as {
      panels: { id: number; gridPos: object; targets?: object[] }[]
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(panels.length)
    for (const target of panels.flatMap(({ targets = [] }) => targets)) {
      expect(target).toMatchObject({ datasource: { uid: expect.stringMatching(/^\$\{fonte\}$/) } })
    }
  })

  describe.runIf(hasPromtool)('for Prometheus', () => {
    test.each([
      ['check', 'rules', 'alertas.yml'],
      ['check', 'config', 'prometheus.yml'],
      ['test', 'rules', 'alertas.teste.yml'],
    ])('the files for Prometheus pass promtool %s %s %s', (...args) => {
      const [command, subject, file] = args
      expect(promtool([command, subject, join(folder, 'prometheus', file)])).toBe('')
    })

    test('the files for Prometheus have valid expressions in the dashboard', () => {
      const { panels } = JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }
      const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      const readable = expressions.map((expr, index) => ({
        record: `painel:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }))
      const temporary = mkdtempSync(join(tmpdir(), 'painel-'))
      onTestFinished(() => rmSync(temporary, { recursive: true }))
      const file = join(temporary, 'rules.yml')
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'painel', rules: readable }] }))
      expect(promtool(['check', 'rules', file])).toBe('')
    })
  })
})

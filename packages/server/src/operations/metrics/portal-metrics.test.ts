import { databaseStatements } from '@bi-manager/telemetry/events'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database/test-database.ts'
import { createConnection } from '../../../test/reports.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { setTestRestore } from '../../platform/installation/test-environment.ts'
import { beginRun, endRun } from '../backup/runs/backup-runs.ts'
import { createPortalMetrics } from './portal-metrics.ts'

const { suite, publish, viewer } = embeddingSuite()
let metrics: ReturnType<typeof createPortalMetrics>
beforeEach(() => {
  metrics = createPortalMetrics(suite.app.services)
})
afterEach(() => metrics.close())

/** The lines of a metric, without its help. */
const lines = async (name: string): Promise<string[]> =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name))

const queueMail = (since: Date) =>
  sql`insert into mensagem (conteudo, criada_em, proxima_em) values ('selado', ${since}, ${since})`.execute(
    suite.app.db,
  )

describe('the metrics of the mail queue', () => {
  test('the metrics of the mail queue report its length and the age of its oldest message', async () => {
    await queueMail(new Date(Date.now() - 90_000))
    await queueMail(new Date())
    expect(await lines('bimanager_queue_length{queue="mail",service="portal"}')).toEqual([
      'bimanager_queue_length{queue="mail",service="portal"} 2',
    ])
    const [oldest = ''] = await lines('bimanager_queue_oldest_seconds{queue="mail",service="portal"}')
    expect(Number(oldest.split(' ')[1])).toBeGreaterThanOrEqual(90)
    expect(Number(oldest.split(' ')[1])).toBeLessThan(120)
  })

  test('the metrics of the mail queue are read from the database once for several requests', async () => {
    const asked: string[] = []
    const end = databaseStatements.subscribe(({ sql }) => asked.push(sql))
    await Promise.all([metrics.text(), metrics.text(), metrics.text()])
    await metrics.text()
    end()
    expect(asked.filter((text) => text.includes('"mensagem"'))).toHaveLength(1)
    // One statement per queue, and those for the last backup, the environment and expiring secrets.
    expect(asked).toHaveLength(10)
  })

  test('the metrics of the mail queue have no value while the database is unavailable, and the failure is counted', async () => {
    metrics.close()
    const { db, close } = await openTestDatabase({ alone: true })
    await close()
    metrics = createPortalMetrics({ ...suite.app.services, db })
    expect(await lines('bimanager_queue_length')).toEqual([])
    // The two readings fail in either order.
    expect((await lines('bimanager_metrics_read_failures_total')).sort()).toEqual([
      'bimanager_metrics_read_failures_total{source="operations",service="portal"} 1',
      'bimanager_metrics_read_failures_total{source="queues",service="portal"} 1',
    ])
  })
})

test('calls to the provider are counted by operation and outcome', async () => {
  suite.provider.answer('report', () => ({ delay: 1_500 }))
  suite.provider.answer('token', () => ({ body: { access_token: 'x', expires_in: 3599 } }))
  const { report, address } = await publish()
  const { post } = await viewer(report.idRelatorio)
  expect((await post('/usuarios/relatorio/embed', address)).status).toBe(504)
  const counts = await lines('bimanager_provider_call_duration_seconds_count')
  expect(counts.map((line) => line.replace(/.*provider=/, ''))).toEqual([
    '"microsoft",operation="token",result="200"} 1',
    '"microsoft",operation="getReport",result="timeout"} 1',
  ])
  expect(await lines('bimanager_embeds_total')).toEqual([
    'bimanager_embeds_total{kind="report",result="bi_sem_resposta",service="portal"} 1',
  ])
})

test('the database pool reports size, idle connections, waiting calls and limit', async () => {
  const pool = await lines('bimanager_database_pool_')
  expect(pool.map((line) => line.replace(/.*pool_(\w+).* (\d+)$/, '$1'))).toEqual([
    'size',
    'idle',
    'waiting',
    'limit',
  ])
  for (const line of pool) expect(Number(line.split(' ')[1])).toBeGreaterThanOrEqual(0)
})

test('the last backup and the first expiry of the connections are timestamps', async () => {
  expect(await lines('bimanager_backup_last_success_timestamp_seconds ')).toEqual([])
  metrics.close()
  await suite.app.services.writeAudit(suite.app.db, { action: 'backup.created', idUsuario: null })
  await createConnection(suite.app, { validadeSegredo: '2031-05-01' })
  await createConnection(suite.app, { validadeSegredo: '2030-05-01' })
  metrics = createPortalMetrics(suite.app.services)
  const [backup = ''] = await lines('bimanager_backup_last_success_timestamp_seconds{')
  expect(Number(backup.split(' ')[1])).toBeCloseTo(Date.now() / 1000, -2)
  const at = Date.parse('2030-05-01T00:00:00-03:00') / 1000
  expect(await lines('bimanager_expiry_timestamp_seconds')).toEqual([
    `bimanager_expiry_timestamp_seconds{kind="secret",source="powerbi",service="portal"} ${at}`,
  ])
})

test('a failed scheduled backup does not replace the last success', async () => {
  const { db } = suite.app
  const lastSuccess = async () => {
    metrics.close()
    metrics = createPortalMetrics(suite.app.services)
    return (await lines('bimanager_backup_last_success_timestamp_seconds{'))[0]?.split(' ')[1]
  }
  const run = async (end: Parameters<typeof endRun>[2], at: Date) => {
    const begun = await beginRun(db, { due: at, place: 'pasta', now: at })
    if (typeof begun !== 'object') throw new Error(`the run did not begin: ${begun}`)
    await endRun(db, begun.id, end, at)
  }
  const failed = { resultado: 'falhou', erro: 'sem espaço' } as const
  await run(failed, new Date('2026-01-01T02:00:00Z'))
  expect(await lastSuccess()).toBeUndefined()
  const good = { arquivo: 'a.bim', bytes: 1, sha256: 'x', verificada: true, aviso: null }
  await run(good, new Date('2026-01-02T02:00:00Z'))
  await run(failed, new Date('2026-01-03T02:00:00Z'))
  expect(Number(await lastSuccess())).toBe(Date.parse('2026-01-02T02:00:00Z') / 1000)
})

test('a failed or overdue backup is a problem, except in a restored test environment', async () => {
  const { db, clock } = suite.app
  const problems = async () => {
    metrics.close()
    metrics = createPortalMetrics(suite.app.services)
    return (await lines('bimanager_backup_problem{')).map((line) =>
      line.replace(/.*kind="(\w+)".* (\d)$/, '$1 $2'),
    )
  }
  const run = async (end: Parameters<typeof endRun>[2]) => {
    const now = suite.app.services.now()
    const begun = await beginRun(db, { due: null, place: 'pasta', now })
    if (typeof begun !== 'object') throw new Error(`the run did not begin: ${begun}`)
    await endRun(db, begun.id, end, now)
  }
  expect(await problems()).toEqual(['failed 0', 'overdue 1'])
  await run({ arquivo: 'a.tar.age', bytes: 1, sha256: 'x', verificada: true, aviso: null })
  expect(await problems()).toEqual(['failed 0', 'overdue 0'])
  // Without BACKUP_SCHEDULE, one is due each week.
  clock.offsetMs = 8 * 86_400_000
  await run({ resultado: 'falhou', erro: 'sem espaço' })
  expect(await problems()).toEqual(['failed 1', 'overdue 1'])
  await setTestRestore(db, { restauradaEm: '2026-01-02', copiaDe: '2026-01-01', bucket: null })
  expect(await problems()).toEqual([])
  await setTestRestore(db, null)
  clock.offsetMs = 0
})

test('closed metrics record nothing', async () => {
  metrics.close()
  const { report, address } = await publish()
  const { post } = await viewer(report.idRelatorio)
  expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
  expect(await metrics.text()).not.toContain('bimanager_embeds_total')
})

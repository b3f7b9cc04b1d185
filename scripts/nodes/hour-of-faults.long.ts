import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startProvider } from '../../packages/server/test/stand-ins/provider-stand-in.ts'
import { startSmtp } from '../../packages/server/test/stand-ins/smtp.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { until } from './bound-process.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { faketime, faultsOf, minFreeMegabytes, type Surroundings } from './faults.ts'
import { hourReport } from './hour-report.ts'
import { keepStreams } from './live-streams.ts'
import { addLoadData } from './load-data.ts'
import { gainsOf, sampleMemory } from './memory-samples.ts'
import { createMixedLoad } from './mixed-load.ts'
import { createTally } from './tally.ts'

/* HOUR_MINUTES (6 for a short run), HOUR_RATE actions per second, HOUR_REPORT output file. */

const minutes = Number(process.env.HOUR_MINUTES ?? 60)
const rate = Number(process.env.HOUR_RATE ?? 15)
const slotMs = (minutes * 60_000) / 12
const missing = ['haproxy', 'pgbouncer'].filter((name) => spawnSync(name, ['-V']).error)
if (!findPostgres()) missing.push('PostgreSQL 15')
/** Each fault fails about as many calls in a short run, which has fewer calls in total. */
const mostFailed = (0.001 * 60) / minutes

test.skipIf(missing.length > 0)(
  `${minutes} minutes of mixed load survive twelve faults${missing.map((name) => `, without ${name}`)}`,
  { timeout: (minutes + 15) * 60_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bi-manager-hour-'))
    const [clockFile, dataDir] = [join(folder, 'clock'), join(folder, 'data')]
    writeFileSync(clockFile, '+0\n')
    mkdirSync(dataDir)
    // A separate file system, so that filling it affects nothing else.
    const hasSmallDisk =
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'bi-manager', dataDir]).status === 0
    const provider = await startProvider()
    const smtp = await startSmtp()
    let cluster: Cluster | undefined
    let surroundings: Surroundings | undefined
    // Exports need the built embed page.
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../run.js'), 'build'])
    try {
      cluster = await startCluster({
        hasDemo: true,
        dataDir,
        settings: {
          SMTP_URL: smtp.url,
          MIN_FREE_MB: String(minFreeMegabytes),
          POWERBI_AUTHORITY_URL: provider.origin,
          POWERBI_API_URL: provider.origin,
          POWERBI_EMBED_URL: provider.origin,
        },
        settingsOf: (n) => (n === 2 && clockOf(clockFile)) || {},
      })
      surroundings = {
        cluster,
        provider,
        smtp,
        clockFile,
        hasSmallDisk,
        holdMs: slotMs / 5,
      }
      await prove(surroundings)
    } finally {
      await cluster?.stop()
      await closeAll(provider, surroundings?.smtp ?? smtp)
      if (hasSmallDisk) execFileSync('umount', ['-l', dataDir])
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

const closeAll = async (...servers: { close: () => Promise<void> }[]) => {
  for (const server of servers) await server.close().catch(() => {})
}

const clockOf = (file: string): Record<string, string> | undefined =>
  spawnSync('test', ['-e', faketime]).status === 0
    ? {
        LD_PRELOAD: faketime,
        FAKETIME_TIMESTAMP_FILE: file,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }
    : undefined

const prove = async (surroundings: Surroundings): Promise<void> => {
  const { cluster } = surroundings
  const tally = createTally()
  const load = await createMixedLoad(cluster, await addLoadData(cluster), tally)
  const streams = keepStreams(cluster.url, load.tokens, tally)
  const memory = sampleMemory(cluster, 60_000)
  const ending = new AbortController()
  const startedAt = Date.now()
  const loading = load.run(rate, ending.signal)
  const made: Parameters<typeof hourReport>[0]['made'] = []
  const faults = faultsOf(surroundings)
  for (const [n, fault] of faults.entries()) {
    await sleep(Math.max(0, startedAt + (n + 0.2) * slotMs - Date.now()))
    made.push({ fault, at: Date.now() })
    console.log(`${minuteOf(startedAt)} ${fault.name}${fault.absent ? `: ${fault.absent}` : ''}`)
    if (!fault.absent) await fault.make()
    const failed = () =>
      `${tally.failures.length} failed of ${tally.total()}, ${tally.lost.length} attempts lost`
    console.log(`${minuteOf(startedAt)} done; ${failed()}`)
  }
  await sleep(Math.max(0, startedAt + 12 * slotMs - Date.now()))
  ending.abort()
  await loading
  await streams.stop()
  memory.stop()
  const gains = gainsOf(memory.samples)
  const report = hourReport({
    minutes,
    rate,
    startedAt,
    tally,
    made,
    gains,
    streams: streams.counts,
    memory: memory.samples,
  })
  console.log(report)
  for (const [n, node] of [...cluster.nodes, ...cluster.reports].entries()) {
    console.log(`process ${n + 1}:\n${node.output().slice(-6_000)}`)
  }
  if (process.env.HOUR_REPORT) writeFileSync(process.env.HOUR_REPORT, report)

  await expectAllKept(surroundings, load.kept)
  expect(load.mistakes).toEqual([])
  expect(tally.failures.filter(({ isClear }) => !isClear)).toEqual([])
  expect(tally.failures.length / tally.total()).toBeLessThanOrEqual(mostFailed)
  const restarts = [0, 1, 2].map((n) => faults.reduce((sum, { restarts }) => sum + (restarts?.[n] ?? 0), 1))
  expect(cluster.nodes.map((node) => node.starts())).toEqual(restarts)
  expect(streams.counts.events).toBeGreaterThan(minutes)
  for (const [name, megabytes] of Object.entries(gains)) expect(megabytes, name).toBeLessThan(60)
}

const minuteOf = (startedAt: number) => `${((Date.now() - startedAt) / 60_000).toFixed(1)} min:`

/** Expects acknowledged rows in the database, each e-mail delivered, and an intact audit trail. */
const expectAllKept = async (
  surroundings: Surroundings,
  kept: { records: number[]; attachments: number[]; invited: string[] },
): Promise<void> => {
  const { cluster } = surroundings
  const numbers = async (table: string) =>
    (await cluster.pair.query<{ id: number }>(`select id from ${table}`)).map(({ id }) => Number(id))
  const [records, attachments] = [await numbers('prontuario'), await numbers('anexo')]
  expect(kept.records.filter((id) => !records.includes(id))).toEqual([])
  expect(kept.attachments.filter((id) => !attachments.includes(id))).toEqual([])
  const addressed = () => new Set(surroundings.smtp.received.flatMap(({ to }) => to?.[0]?.address ?? []))
  await until(
    'each invitation has arrived',
    () => kept.invited.every((email) => addressed().has(email)),
    180_000,
  )
  await until('every audit line is sealed', async () => {
    return (await cluster.pair.query('select 1 from auditoria_fila limit 1')).length === 0
  })
  const run = join(import.meta.dirname, '../run.js')
  const env = cluster.environment(0)
  const { stdout } = await promisify(execFile)(process.execPath, [run, 'audit-verify'], { env })
  console.log(stdout.trim())
}

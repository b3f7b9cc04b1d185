import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { reportsApi } from '@bi-manager/contract'
import { reportsOf, signedInClient } from '../../packages/e2e/src/people/api.ts'
import { people } from '../../packages/e2e/src/people/people.ts'
import { type Demo, startDemo } from '../../packages/e2e/src/services/demo.ts'
import { memoryOf } from '../../packages/e2e/src/services/process-memory.ts'
import { freePort } from '../../scripts/machines/ports.ts'
import { createSeries, median } from './figures.ts'

const rounds = 5
/** Milliseconds of load, and of rest before memory at rest is measured. */
const loadMs = 20_000
const restMs = 10_000

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))

/**
 * Prints how long the portal takes from its start to `/readyz`, compared with a Node that does
 * nothing, and the memory of the portal and the report service.
 */
export const benchStart = async (): Promise<void> => {
  const demo = await startDemo()
  try {
    const memory = await memoryUnderLoad(demo)
    await demo.end()
    await printStarts(demo.dataDir)
    console.log('\nResident memory, MB, with the demo: at rest and at the most under load.')
    for (const [name, label] of [
      ['server', 'portal'],
      ['reports', 'report service'],
      ['databases', 'its databases'],
    ] as const)
      console.log(
        `${label.padEnd(16)} at rest ${memory.rest[name]} · under load ${memory.load[name]} · ${restMs / 1000} s after it ${memory.after[name]}`,
      )
  } finally {
    await demo.stop()
  }
}

/**
 * Measures starts on an empty data folder, where the portal creates a database, and on the demo's.
 * Before a cold start, the system's disk cache is dropped.
 */
const printStarts = async (demoDir: string): Promise<void> => {
  const times = createSeries()
  for (let round = 0; round < rounds; round += 1) {
    for (const temperature of canDropDiskCache() ? (['cold', 'warm'] as const) : (['warm'] as const)) {
      const prepare = temperature === 'cold' ? dropDiskCache : () => {}
      times.add(`node -e 0, ${temperature}`, await timeNodeStart(prepare))
      const empty = await mkdtemp(join(tmpdir(), 'bi-manager-bench-'))
      times.add(`empty folder, ${temperature}`, await timePortalStart(empty, prepare))
      times.add(`the same again, ${temperature}`, await timePortalStart(empty, prepare))
      times.add(`the demo's folder, ${temperature}`, await timePortalStart(demoDir, prepare))
      await rm(empty, { recursive: true, force: true })
    }
  }
  console.log(`\nThe portal's start to /readyz; medians of ${rounds} rounds.`)
  if (!canDropDiskCache())
    console.log('Cold was not measured: only root can have the system forget what it has read.')
  for (const what of times.names()) {
    const ms = median(times.of(what))
    const bare = median(times.of(`node -e 0, ${what.split(', ').at(-1)}`))
    console.log(`${what.padEnd(26)}${ms.toFixed(0).padStart(8)} ms${(ms / bare).toFixed(1).padStart(8)}`)
  }
}

const timeNodeStart = async (prepare: () => void): Promise<number> => {
  prepare()
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  return performance.now() - startedAt
}

const timePortalStart = async (dataDir: string, prepare: () => void): Promise<number> => {
  const port = await freePort()
  prepare()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      // Set like `npm start` does.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)),
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '0',
    },
    stdio: 'ignore',
  })
  await untilReady(child, `http://localhost:${port}/readyz`)
  const ms = performance.now() - startedAt
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  return ms
}

const untilReady = async (child: ChildProcess, url: string): Promise<void> => {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    if (child.exitCode !== null) throw new Error(`the portal ended with ${child.exitCode}`)
    await sleep(10)
  }
}

const canDropDiskCache = (): boolean => process.getuid?.() === 0 && process.platform === 'linux'

const dropDiskCache = (): void => {
  execFileSync('sync')
  writeFileSync('/proc/sys/vm/drop_caches', '3')
}

type Memory = Record<string, number>

const memoryUnderLoad = async (demo: Demo): Promise<{ rest: Memory; load: Memory; after: Memory }> => {
  await sleep(restMs)
  const rest = memoryOf(demo.dataDir)
  const load = { ...rest }
  const until = Date.now() + loadMs
  const watch = setInterval(() => {
    for (const [name, now] of Object.entries(memoryOf(demo.dataDir)))
      load[name] = Math.max(load[name] ?? 0, now)
  }, 500)
  const readers = Object.values(people).flatMap((person) => [person, person])
  await Promise.all(readers.map((person) => readReports(demo, person, until))).finally(() =>
    clearInterval(watch),
  )
  await sleep(restMs)
  return { rest, load, after: memoryOf(demo.dataDir) }
}

/** Reads as fast as possible: the menu, a token of each report, and all its pages. */
const readReports = async (
  demo: Demo,
  person: (typeof people)[keyof typeof people],
  until: number,
): Promise<void> => {
  const { call, menu } = await signedInClient(demo.portal, person)
  while (Date.now() < until) {
    for (const { groupId, reportId } of reportsOf(await menu())) {
      const { embedToken } = await call(reportsApi.embed, { body: { groupId, reportId } })
      const headers = { authorization: `EmbedToken ${embedToken}`, 'content-type': 'application/json' }
      const address = `${demo.reports}/embed-api/reports/${reportId}`
      const definition = (await (await fetch(address, { headers })).json()) as { pages: { name: string }[] }
      for (const page of definition.pages) {
        const body = JSON.stringify({ page: page.name, filters: [] })
        const answer = await fetch(`${address}/data`, { method: 'POST', headers, body })
        if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
        await answer.arrayBuffer()
      }
    }
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { textsOf } from '../../test/exported-files.ts'
import {
  API_SCOPE,
  fixtureFiles,
  OTHER_GROUP,
  PLAIN_REPORT,
  plainReport,
  writeFiles,
} from '../../test/fixture.ts'
import { ensureServiceFile } from '../protocol/rest/service-file.ts'
import { findChromium } from './find-chromium.ts'
import { EXPORTS_DIR } from './job-files.ts'

/* Two processes of the service over one data folder, as behind a load balancer. */

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const chromium = await findChromium(process.env.CHROMIUM_PATH, process.env.PATH ?? '')
if (!chromium) console.warn('PULADO: as exportações de vários processos não rodaram, porque não há Chromium.')

const MANY_PAGES = 'e0000000-0000-4000-8000-000000000009'
const SECONDS = 1000

/** The service's start command serves the embed page from the build folder. */
beforeAll(async () => {
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url))
  if (chromium) await build({ configFile, logLevel: 'error' })
}, 120 * SECONDS)

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

const dataFolder = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'shared-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const [page] = plainReport.pages
  const pages = Array.from({ length: 20 }, (_, index) => ({ ...page, name: `P${index}` }))
  await writeFiles(dataDir, {
    ...fixtureFiles,
    'workspaces/two/many.json': { ...plainReport, id: MANY_PAGES, name: 'Longo', pages },
  })
  return dataDir
}

/** Starts a process of the service and returns API calls of a registered application. */
const startProcess = async (dataDir: string) => {
  const { tenantId, applications } = await ensureServiceFile(dataDir)
  const [application] = applications
  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      DRAIN_SECONDS: '0',
      REPORTS_DATA_DIR: dataDir,
      REPORTS_PORT: String(port),
      ...(chromium && { CHROMIUM_PATH: chromium }),
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  onTestFinished(() => stop('SIGKILL'))
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 30 * SECONDS }).toBe(true)

  const entra = await fetch(`${url}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: application?.clientId ?? '',
      client_secret: application?.clientSecret ?? '',
      scope: API_SCOPE,
    }),
  })
  const { access_token: token } = (await entra.json()) as { access_token: string }
  const call = (path: string, body?: object) =>
    fetch(`${url}/v1.0/myorg/groups/${OTHER_GROUP}/reports${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const ask = async (report: string) => {
    const answer = await call(`/${report}/ExportTo`, { format: 'PDF' })
    expect(answer.status).toBe(202)
    return ((await answer.json()) as { id: string }).id
  }
  const look = async (report: string, id: string) => {
    const answer = await call(`/${report}/exports/${id}`)
    return { code: answer.status, ...((await answer.json()) as Look) }
  }
  const file = async (report: string, id: string) => {
    const answer = await call(`/${report}/exports/${id}/file`)
    expect(answer.status).toBe(200)
    return textsOf(new Uint8Array(await answer.arrayBuffer()))
  }
  return { ask, look, file, stop, said: () => said }
}
type Look = { status?: string; percentComplete?: number; error?: { code: string } }

describe.skipIf(!chromium)('two processes over one data folder', { timeout: 600 * SECONDS }, () => {
  test('two processes over one data folder both return an export rendered by one of them, even after a restart', async () => {
    const dataDir = await dataFolder()
    const [a, b] = [await startProcess(dataDir), await startProcess(dataDir)]
    const id = await a.ask(PLAIN_REPORT)
    const look = async () => (await b.look(PLAIN_REPORT, id)).status
    await expect.poll(look, { timeout: 150 * SECONDS }).toBe('Succeeded')
    expect((await b.file(PLAIN_REPORT, id)).join()).toContain('Simples')
    expect((await b.look(MANY_PAGES, id)).code).toBe(404)
    await a.stop('SIGTERM')
    await b.stop('SIGTERM')
    const again = await startProcess(dataDir)
    expect((await again.file(PLAIN_REPORT, id)).join()).toContain('Simples')
  })

  test('one finishes the export of the other, which was killed during rendering', async () => {
    const dataDir = await dataFolder()
    const [a, b] = [await startProcess(dataDir), await startProcess(dataDir)]
    const id = await a.ask(MANY_PAGES)
    const begun = async () => (await b.look(MANY_PAGES, id)).percentComplete
    await expect.poll(begun, { timeout: 150 * SECONDS, interval: 20 }).toBeGreaterThan(0)
    await a.stop('SIGKILL')
    expect((await b.look(MANY_PAGES, id)).status).toBe('Running')
    const killed = performance.now()
    const look = async () => (await b.look(MANY_PAGES, id)).status
    await expect.poll(look, { timeout: 150 * SECONDS }).toBe('Succeeded')
    console.log(`taken over and finished after ${((performance.now() - killed) / 1000).toFixed(1)} s`)
    expect(await b.file(MANY_PAGES, id)).toHaveLength(20)
  })

  test('a service killed during rendering finishes the export after its restart, without a call', async () => {
    const dataDir = await dataFolder()
    const a = await startProcess(dataDir)
    const id = await a.ask(MANY_PAGES)
    const begun = async () => (await a.look(MANY_PAGES, id)).percentComplete
    await expect.poll(begun, { timeout: 150 * SECONDS, interval: 20 }).toBeGreaterThan(0)
    await a.stop('SIGKILL')
    const again = await startProcess(dataDir)
    const files = () => readdir(join(dataDir, EXPORTS_DIR))
    await expect.poll(files, { timeout: 150 * SECONDS, interval: 100 }).toContain(`${id}.2.pdf`)
    await expect
      .poll(async () => (await again.look(MANY_PAGES, id)).status, { timeout: 150 * SECONDS })
      .toBe('Succeeded')
    expect(await again.file(MANY_PAGES, id)).toHaveLength(20)
  })

  test('a damaged record answers 410 for its own export only, and is logged', async () => {
    const dataDir = await dataFolder()
    const a = await startProcess(dataDir)
    const [damaged, whole] = [await a.ask(PLAIN_REPORT), await a.ask(PLAIN_REPORT)]
    const look = async () => (await a.look(PLAIN_REPORT, whole)).status
    await expect.poll(look, { timeout: 150 * SECONDS }).toBe('Succeeded')
    await writeFile(join(dataDir, EXPORTS_DIR, `${damaged}.json`), '{"id":')
    const b = await startProcess(dataDir)
    for (const service of [a, b])
      expect(await service.look(PLAIN_REPORT, damaged)).toMatchObject({
        code: 410,
        error: { code: 'ExportDamaged' },
      })
    expect((await b.look(PLAIN_REPORT, whole)).status).toBe('Succeeded')
    expect(b.said()).toContain('an export is damaged')
    expect(b.said()).toContain(damaged)
  })
})

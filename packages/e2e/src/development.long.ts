import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePorts } from '../../../scripts/machines/ports.ts'
import { launchBrowser } from './browser/browser.ts'
import { waitForRendered } from './browser/report-frame.ts'
import { openBrowserProfile, type Visitor } from './browser/visitor.ts'
import { reportsOf, signedInClient } from './people/api.ts'
import { people } from './people/people.ts'

const root = join(import.meta.dirname, '../../..')

let checkout: string
let child: ChildProcess
let output = ''
let portal: string
let reports: string
let browser: Browser
let visitor: Visitor

beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), 'bi-manager-dev-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  for (const file of listed.toString().trim().split('\n')) {
    cpSync(join(root, file), join(checkout, file), { recursive: true })
  }
  // Some gigabytes less than a copy; the workspace's own packages are relative links.
  execFileSync('cp', ['-al', join(root, 'node_modules'), checkout])
  rmSync(join(checkout, 'node_modules/.vite'), { recursive: true, force: true })
  const [port, reportsPort] = await freePorts(2)
  portal = `http://localhost:${port}`
  reports = `http://localhost:${reportsPort}`
  child = spawn(process.execPath, ['scripts/run.js', 'dev'], {
    cwd: checkout,
    env: { ...process.env, PORT: String(port), REPORTS_PORT: String(reportsPort), DATA_DIR: 'data' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  await vi.waitFor(() => expect(output).toContain('Pronto:'), { timeout: 280_000, interval: 200 })
  browser = await launchBrowser()
  visitor = await openBrowserProfile(browser, { portal })
})

afterAll(async () => {
  await browser?.close()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  rmSync(checkout, { recursive: true, force: true })
})

test('npm run dev shows a saved change of each kind, without a manual reload', async () => {
  const { page } = visitor
  await page.goto(portal)
  const button = page.getByRole('button', { name: 'Acessar' })
  await button.waitFor()

  const web = await timed(
    'packages/web/src/accounts/sign-in/sign-in-form.tsx',
    'Acessar',
    'Acessar agora',
    () => page.getByRole('button', { name: 'Acessar agora' }).waitFor(),
  )

  await visitor.signIn(people.ana)
  const { menu } = await signedInClient(portal, people.ana)
  const [report] = reportsOf(await menu())
  await page.goto(portal + (report?.path ?? ''))
  await waitForRendered(page)

  const embed = await timed(
    'packages/reports/src/embed-page/view/visual/visual-frame.ts',
    'visual.title)',
    "'Novo título')",
    () => page.frameLocator('iframe').getByRole('heading', { name: 'Novo título' }).first().waitFor(),
  )

  await page.evaluate(() => Object.assign(globalThis, { isOld: true }))
  const server = await timed(
    'packages/server/src/operations/health/health.routes.ts',
    "'ativo'",
    "'novo'",
    () => untilAnswered(`${portal}/healthz`, 'novo'),
  )
  // The page reloads, and a password is verified by a worker of the new process.
  await page.waitForFunction(() => !('isOld' in globalThis))
  await signedInClient(portal, people.ana)
  // The reload of the report would compete with the next restart.
  await waitForRendered(page)

  const service = await timed('packages/reports/src/health.ts', "'ok'", "'novo'", () =>
    untilAnswered(`${reports}/healthz`, 'novo'),
  )

  const times = { web, embed, server, service }
  console.log(`milliseconds from save to visible: ${JSON.stringify(times)}`)
  const load = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
  expect(web / load).toBeLessThan(1_000)
  for (const time of [embed, server, service]) expect(time / load).toBeLessThan(3_000)
})

test('a file with a syntax error is reported in the terminal, and the server returns after its repair', async () => {
  const file = 'packages/server/src/operations/health/health.routes.ts'
  const good = readFileSync(join(checkout, file), 'utf8')
  output = ''
  writeFileSync(join(checkout, file), `${good}\nconst = 1`)
  await expect.poll(() => output, { timeout: 30_000 }).toContain('SyntaxError')
  expect(output).toContain('health.routes.ts')
  writeFileSync(join(checkout, file), good)
  await expect.poll(async () => (await fetch(`${portal}/healthz`)).status, { timeout: 60_000 }).toBe(200)
})

const untilAnswered = async (url: string, text: string) => {
  while (!(await (await fetch(url)).text()).includes(text)) await sleep(20)
}

/** Replaces text in a file and returns the milliseconds until the change is visible. */
const timed = async (file: string, from: string, to: string, visible: () => Promise<unknown>) => {
  const path = join(checkout, file)
  const before = readFileSync(path, 'utf8')
  expect(before, file).toContain(from)
  const since = performance.now()
  writeFileSync(path, before.replace(from, to))
  await visible()
  return Math.round(performance.now() - since)
}

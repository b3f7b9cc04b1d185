import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTestBrowser, whyNotRootWith } from '../../../scripts/machines/find-tools.ts'
import { API_SCOPE, OTHER_GROUP, PLAIN, visual } from '../../reports/test/fixture.ts'
import { launchBrowser } from './browser/browser.ts'
import { dataOf } from './browser/report-frame.ts'
import { installFromNpm } from './services/client-packages.ts'
import { startServiceAtMicrosoft } from './services/service-at-microsoft.ts'

/* Microsoft's wrappers of powerbi-client, as published: they embed a report at Microsoft's addresses. */

const repository = join(import.meta.dirname, '../../..')
const fixtures = join(import.meta.dirname, '../fixtures/clients/wrappers')
const minutes = 60_000
const REPORT = 'e0000000-0000-4000-8000-000000000051'

const why =
  whyNotRootWith(['unshare', 'openssl', 'npm']) ?? (findTestBrowser() ? undefined : 'Chromium is missing')
if (why) console.warn(`SKIPPED: the wrappers of powerbi-client: ${why}`)

const angular = '22.2.6'
const client = { 'powerbi-client': '2.24.1' }
/** Package → version, of the wrapper first. */
const wrappers = {
  react: { 'powerbi-client-react': '2.0.2', ...client, react: '19.3.1', 'react-dom': '19.3.1' },
  vue: { 'powerbi-client-vue-js': '1.1.2', ...client, vue: '3.5.45' },
  angular: {
    'powerbi-client-angular': '6.0.3',
    ...client,
    '@angular/common': angular,
    '@angular/compiler': angular,
    '@angular/core': angular,
    '@angular/platform-browser': angular,
    rxjs: '7.8.2',
  },
}
type Wrapper = keyof typeof wrappers

const pageOf = (name: string, query: string) => ({ name, displayName: name, visuals: [visual('n', query)] })
const files = {
  'workspaces/two/paged.json': {
    id: REPORT,
    name: 'Duas páginas',
    dataset: PLAIN,
    pages: [
      pageOf('Main', 'SELECT count(*) AS n FROM Claims'),
      pageOf('Second', 'SELECT sum(x) AS n FROM Claims'),
    ],
  },
}

describe.skipIf(why)(`wrappers of powerbi-client${why ? ` (skipped: ${why})` : ''}`, () => {
  let folder: string
  let service: Awaited<ReturnType<typeof startServiceAtMicrosoft>>
  let browser: Browser
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bi-manager-wrappers-'))
    service = await startServiceAtMicrosoft(folder, files)
    browser = await launchBrowser([service.names.resolverRules])
  }, 10 * minutes)
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(Object.keys(wrappers) as Wrapper[])(
    '%s renders a report, calls event handlers and changes the page',
    { timeout: 10 * minutes },
    async (wrapper) => {
      const built = await buildPage(join(folder, wrapper), wrapper)
      const server = await serve(built, service.pagePort, configOf(await embedToken()))
      const page = await browser.newPage({ ignoreHTTPSErrors: true })
      try {
        await page.goto(`http://localhost:${service.pagePort}/`)
        await expectRendered(page, [['2']])
        expect(await eventsOf(page)).toContain('loaded')
        await page.evaluate('window.events.length = 0; window.getReport().setPage("Second")')
        await expect.poll(() => eventsOf(page), { timeout: 30_000 }).toContain('pageChanged')
        await expectRendered(page, [['3']])
      } finally {
        await page.close()
        server.closeAllConnections()
        server.close()
      }
    },
  )

  const post = async (path: string, body: BodyInit, headers: Record<string, string>) => {
    const answer = await fetch(`${service.address}${path}`, { method: 'POST', body, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const embedToken = async (): Promise<string> => {
    const { tenantId, applications } = service.credentials
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: applications[0]?.clientId ?? '',
      client_secret: applications[0]?.clientSecret ?? '',
      scope: API_SCOPE,
    })
    const { access_token } = await post(`/${tenantId}/oauth2/v2.0/token`, form, {})
    const path = `/v1.0/myorg/groups/${OTHER_GROUP}/reports/${REPORT}/GenerateToken`
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    return (await post(path, JSON.stringify({ accessLevel: 'View' }), headers)).token
  }
})

const configOf = (accessToken: string) => ({
  type: 'report',
  id: REPORT,
  embedUrl: `https://app.powerbi.com/reportEmbed?reportId=${REPORT}&groupId=${OTHER_GROUP}`,
  accessToken,
  /** models.TokenType.Embed */
  tokenType: 1,
})

/** Installs the wrapper of npm and bundles the page. @returns the folder of the bundle */
async function buildPage(root: string, wrapper: Wrapper): Promise<string> {
  const versions: Record<string, string> = wrappers[wrapper]
  await installFromNpm(
    root,
    Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, `${name}@${version}`])),
  )
  for (const [name, version] of Object.entries(versions)) {
    const installed = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    expect([name, installed.version]).toEqual([name, version])
  }
  cpSync(join(fixtures, 'index.html'), join(root, 'index.html'))
  cpSync(join(fixtures, `${wrapper}.mjs`), join(root, 'page.mjs'))
  const vite = join(repository, 'node_modules/vite/bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: root })
  return join(root, 'dist')
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the bundle, with the configuration that its page reads. */
async function serve(folder: string, port: number, config: object): Promise<Server> {
  const script = `window.config = ${JSON.stringify(config)}
window.events = []
window.eventNames = ['loaded', 'rendered', 'pageChanged', 'error']`
  const server = createServer(({ url = '/' }, answer) => {
    const path = join(folder, url === '/' ? 'index.html' : url)
    const isConfig = url === '/config.js'
    if (!isConfig && !existsSync(path)) return answer.writeHead(404).end()
    answer.writeHead(200, { 'content-type': types[isConfig ? '.js' : extname(path)] ?? 'text/plain' })
    answer.end(isConfig ? script : readFileSync(path))
  }).listen(port, 'localhost')
  await once(server, 'listening')
  return server
}

const eventsOf = (page: Page) => page.evaluate<string[]>('window.events')

async function expectRendered(page: Page, rows: string[][]): Promise<void> {
  await expect.poll(() => eventsOf(page), { timeout: 60_000 }).toContain('rendered')
  expect(await eventsOf(page)).not.toContain('error')
  const frame = page.frames().find((found) => found.url().startsWith('https://app.powerbi.com/'))
  if (!frame) throw new Error('the report has no frame')
  await expect.poll(() => dataOf(frame), { timeout: 30_000 }).toEqual({ n: rows })
}

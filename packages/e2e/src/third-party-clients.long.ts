import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceFile } from '@bi-manager/reports/protocol/rest/service-file'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTestBrowser, whyNotRootWith } from '../../../scripts/machines/find-tools.ts'
import { endProcess } from '../../../scripts/nodes/bound-process.ts'
import { OTHER_GROUP, PLAIN, PLAIN_REPORT } from '../../reports/test/fixture.ts'
import { launchBrowser } from './browser/browser.ts'
import { dataOf } from './browser/report-frame.ts'
import { installFromNpm, npmInstall, unpackPythonPackages, whyNoPython } from './services/client-packages.ts'
import type { MicrosoftNames } from './services/microsoft-names.ts'
import { startServiceAtMicrosoft, untilAnswers } from './services/service-at-microsoft.ts'

/*
 * Microsoft's libraries and samples, and a command-line tool, as published: they call the report
 * service at Microsoft's addresses.
 */

const samples = join(process.env.SHARED_FOLDER ?? '', 'powerbi/samples')
const sampleOf = (language: string) => join(samples, language, 'Embed for your customers', 'AppOwnsData')
const client = (name: string) => join(import.meta.dirname, '../fixtures/clients', name)
const minutes = 60_000

const why = whyNotRootWith(['unshare', 'openssl', 'npm'])
const whyNoSamples = existsSync(samples) ? undefined : `Microsoft's samples are not at ${samples}`
const whyNoBrowser = findTestBrowser() ? undefined : 'Chromium is missing, so the samples show no report'
const because = (reason: string | undefined) => (reason ? ` (skipped: ${reason})` : '')
for (const reason of new Set([why, whyNoSamples, whyNoPython(), whyNoBrowser]))
  if (reason) console.warn(`SKIPPED: a part of the third-party clients: ${reason}`)

/** MSAL for Node: alias → version; the first is that of the lock file of Microsoft's sample. */
const msals = { 'msal-1': '1.12.1', 'msal-2': '2.16.3', 'msal-3': '3.8.10', 'msal-7': '7.2.3' }
/** What the Python sample's page loads from CDNs, which the browser compares with its hashes. */
const onCdns = {
  jquery: 'jquery@3.5.1',
  bootstrap: 'bootstrap@4.5.3',
  'powerbi-client': 'powerbi-client@2.15.1',
}
const bootstrap = 'https://cdn.jsdelivr.net/npm/bootstrap@4.5.3/dist'
const cdnFiles = {
  'https://code.jquery.com/jquery-3.5.1.min.js': 'jquery/dist/jquery.min.js',
  [`${bootstrap}/css/bootstrap.min.css`]: 'bootstrap/dist/css/bootstrap.min.css',
  [`${bootstrap}/js/bootstrap.min.js`]: 'bootstrap/dist/js/bootstrap.min.js',
  'https://cdnjs.cloudflare.com/ajax/libs/powerbi-client/2.15.1/powerbi.min.js':
    'powerbi-client/dist/powerbi.min.js',
}
const groups = ["Diretoria D'Oeste", 'Outro']

describe.skipIf(why)(`clients at Microsoft's addresses${because(why)}`, () => {
  let folder: string
  let service: Awaited<ReturnType<typeof startServiceAtMicrosoft>>
  let names: MicrosoftNames
  let credentials: ServiceFile
  /** The port of the sample that runs, whose page frames the report. */
  let samplePort: number

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bi-manager-clients-'))
    service = await startServiceAtMicrosoft(folder)
    credentials = service.credentials
    names = service.names
    samplePort = service.pagePort
  })
  afterAll(async () => {
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a sample's page; npm's packages answer for the CDNs. */
  const expectRendered = async (url: string) => {
    const modules = join(folder, 'cdn/node_modules')
    const browser = await launchBrowser([names.resolverRules])
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true })
      for (const [address, file] of Object.entries(cdnFiles))
        await page.route(address, (route) =>
          route.fulfill({ path: join(modules, file), headers: { 'access-control-allow-origin': '*' } }),
        )
      const rendered = page.waitForEvent('console', {
        predicate: (message) => message.text() === 'Report render successful',
        timeout: 60_000,
      })
      await page.goto(url)
      await rendered
      const frame = page.frames().find((found) => found.url().startsWith('https://app.powerbi.com/'))
      if (!frame) throw new Error('the report has no frame')
      expect(await dataOf(frame)).toEqual({ n: [['2']] })
    } finally {
      await browser.close()
    }
  }

  const application = () => {
    const [found] = credentials.applications
    if (!found) throw new Error('the service has no application')
    return found
  }
  const user = () => {
    const [found] = credentials.users
    if (!found) throw new Error('the service has no user')
    return found
  }
  const settings = () => ({
    TENANT: credentials.tenantId,
    CLIENT_ID: application().clientId,
    CLIENT_SECRET: application().clientSecret,
    USERNAME: user().username,
    PASSWORD: user().password,
  })
  const signedIn = () => ({
    ofApplication: groups,
    discovered: groups,
    ofUser: groups,
    refreshed: groups,
    username: user().username,
    tenantId: credentials.tenantId,
    isRefreshed: true,
  })

  describe('MSAL for Node', () => {
    const packages = () => join(folder, 'msal-node')
    beforeAll(
      () =>
        installFromNpm(
          packages(),
          Object.fromEntries(
            Object.entries(msals).map(([alias, version]) => [alias, `@azure/msal-node@${version}`]),
          ),
        ),
      10 * minutes,
    )

    test.each(Object.entries(msals))(
      '%s signs in, refreshes and reads the groups',
      async (alias, version) => {
        const path = join(packages(), 'node_modules', alias)
        expect(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')).version).toBe(version)
        const output = await names.run([process.execPath, client('msal-node.cjs'), path], settings())
        expect(JSON.parse(output)).toEqual({ ...signedIn(), isCached: true })
      },
    )

    test('a domain serves as the tenant', async () => {
      const path = join(packages(), 'node_modules/msal-3')
      const tenant = { TENANT: user().username.split('@')[1] ?? '' }
      const output = await names.run([process.execPath, client('msal-node.cjs'), path], {
        ...settings(),
        ...tenant,
      })
      expect(JSON.parse(output)).toMatchObject({ ofApplication: groups })
    })
  })

  describe('@powerbi-cli/powerbi-cli', () => {
    const cli = (...words: string[]) =>
      names.run([process.execPath, join(folder, 'cli/node_modules/powerbi-cli/bin/pbicli.js'), ...words])
    beforeAll(
      () => installFromNpm(join(folder, 'cli'), { 'powerbi-cli': '@powerbi-cli/powerbi-cli@1.3.3' }),
      10 * minutes,
    )

    test('@powerbi-cli/powerbi-cli signs in and reads groups, capacities, reports, datasets, schedules and refreshes', async () => {
      const { clientId, clientSecret } = application()
      await cli(
        'login',
        '--service-principal',
        '--no-azure',
        '-p',
        clientId,
        '-s',
        clientSecret,
        '-t',
        credentials.tenantId,
      )
      const read = async (...words: string[]) => JSON.parse(await cli(...words))
      const named = (rows: { name: string }[]) => rows.map(({ name }) => name)
      expect(named(await read('workspace', 'list'))).toEqual(groups)
      expect(await read('capacity', 'list')).toMatchObject([{ state: 'Active' }])
      expect(named(await read('report', 'list'))).toEqual(['Sinistralidade', 'Simples'])
      expect(named(await read('report', 'list', '-w', 'Outro'))).toEqual(['Simples'])
      const report = ['-w', OTHER_GROUP, '-r', PLAIN_REPORT]
      expect(await read('report', 'show', ...report)).toMatchObject({ name: 'Simples' })
      expect(await read('report', 'page', ...report)).toMatchObject([{ name: 'Main' }])
      const dataset = ['-w', 'Outro', '-d', PLAIN]
      expect(await read('dataset', 'show', ...dataset)).toMatchObject({ name: 'Simples' })
      expect(await read('dataset', 'refresh', 'show', ...dataset)).toMatchObject({ enabled: false })
      await cli('dataset', 'refresh', 'start', ...dataset, '--notify', 'none')
      expect(await read('dataset', 'refresh', 'history', ...dataset)).toMatchObject([
        { refreshType: 'ViaApi' },
        // The publication.
        { refreshType: 'OnDemand' },
      ])
      // A command of its own, whose address the user types.
      const typed = await read('rest', '--method', 'get', '--uri', `/Groups/${OTHER_GROUP}/Reports/`)
      expect(typed).toMatchObject({ value: [{ name: 'Simples' }] })
    })
  })

  describe.skipIf(whyNoPython())(`the portal answers MSAL for Python${because(whyNoPython())}`, () => {
    let modules: string
    beforeAll(async () => {
      modules = await unpackPythonPackages(join(folder, 'python'))
      await installFromNpm(join(folder, 'cdn'), onCdns)
    }, 10 * minutes)
    const python = () => ({ PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1' })

    test('the client signs in, refreshes and reads the groups', async () => {
      const output = await names.run(['/usr/bin/python3', client('msal_python.py')], {
        ...python(),
        ...settings(),
      })
      expect(JSON.parse(output)).toEqual(signedIn())
    })

    describe.skipIf(whyNoSamples)(`Microsoft's sample for Python${because(whyNoSamples)}`, () => {
      test.each(['ServicePrincipal', 'MasterUser'])('the sample embeds as %s', async (mode) => {
        const sample = join(folder, `sample-python-${mode}`)
        cpSync(sampleOf('Python'), sample, { recursive: true })
        fill(join(sample, 'config.py'), /^( *)(\w+) = '.*'/gm, {
          AUTHENTICATION_MODE: mode,
          WORKSPACE_ID: OTHER_GROUP,
          REPORT_ID: PLAIN_REPORT,
          TENANT_ID: credentials.tenantId,
          CLIENT_ID: application().clientId,
          CLIENT_SECRET: application().clientSecret,
          POWER_BI_USER: user().username,
          POWER_BI_PASS: user().password,
        })
        const command = ['/usr/bin/python3', '-m', 'flask', 'run', '--port', String(samplePort)]
        const flask = names.start(command, python(), sample)
        try {
          const url = `http://localhost:${samplePort}`
          const answer = await untilAnswers(`${url}/getembedinfo`)
          expect(await answer.json()).toMatchObject({
            accessToken: expect.any(String),
            tokenId: expect.any(String),
            reportConfig: [{ reportId: PLAIN_REPORT, reportName: 'Simples' }],
          })
          if (!whyNoBrowser) await expectRendered(url)
        } finally {
          await endProcess(flask, 'SIGTERM')
        }
      })
    })
  })

  describe.skipIf(whyNoSamples)(`Microsoft's sample for Node${because(whyNoSamples)}`, () => {
    const sample = () => join(folder, 'sample-node')
    beforeAll(async () => {
      cpSync(sampleOf('NodeJS'), sample(), { recursive: true })
      await npmInstall(sample())
    }, 10 * minutes)

    test.each(['ServicePrincipal', 'MasterUser'])('the sample embeds as %s', async (mode) => {
      fill(join(sample(), 'config/config.json'), /^( *)"(\w+)": "[^"]*"/gm, {
        authenticationMode: mode,
        clientId: application().clientId,
        workspaceId: OTHER_GROUP,
        reportId: PLAIN_REPORT,
        pbiUsername: user().username,
        pbiPassword: user().password,
        clientSecret: application().clientSecret,
        tenantId: credentials.tenantId,
      })
      const url = `http://localhost:${samplePort}`
      const server = names.start([process.execPath, 'src/server.js'], { PORT: String(samplePort) }, sample())
      try {
        const answer = await untilAnswers(`${url}/getEmbedToken`)
        expect(await answer.json()).toMatchObject({
          status: 200,
          accessToken: expect.any(String),
          embedUrl: [{ reportId: PLAIN_REPORT, reportName: 'Simples' }],
        })
        if (!whyNoBrowser) await expectRendered(url)
      } finally {
        await endProcess(server, 'SIGTERM')
      }
    })
  })
})

/** Fills in a sample's settings as its reader does. @throws Error for a setting that it lacks */
function fill(path: string, setting: RegExp, values: Record<string, string>) {
  const missing = new Set(Object.keys(values))
  const text = readFileSync(path, 'utf8').replace(setting, (line, _indent, name: string) => {
    const value = values[name]
    if (value === undefined) return line
    missing.delete(name)
    const quote = line.at(-1) ?? ''
    return `${line.slice(0, line.lastIndexOf(quote, line.length - 2))}${quote}${value}${quote}`
  })
  if (missing.size > 0) throw new Error(`${path} has no ${[...missing].join()}`)
  writeFileSync(path, text)
}

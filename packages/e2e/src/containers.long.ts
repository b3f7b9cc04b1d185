import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { get as getInClear, type IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  containerFolder,
  type Engine,
  ensureBaseImage,
  forgetImages,
  imageSize,
  openEngine,
  targets,
  whyNoContainers,
} from '../../../scripts/machines/containers.ts'
import { freePorts } from '../../../scripts/machines/ports.ts'
import { recipe } from '../../../scripts/nodes/manual-recipe.ts'
import { launchBrowser } from './browser/browser.ts'
import { exportAsPdf } from './browser/export-in-page.ts'
import { expectDrawn } from './browser/report-frame.ts'
import { openBrowserProfile, type Visitor } from './browser/visitor.ts'
import {
  importReports,
  openFirstReport,
  registerConnection,
  registerWorkspace,
  replaceFirstPassword,
} from './pages/first-report.ts'
import { people } from './people/people.ts'

/*
 * Runs the manual's chapter 'Com contêineres' with podman, in a copy of the repository.
 * KEEP_IMAGES=1 reuses the layers of an earlier run, which stay in the temporary folder (3 GB).
 */

const reason = whyNoContainers()
const repository = join(import.meta.dirname, '../../..')
// Compose names a project after its folder.
const copy = join(containerFolder(), 'bi-manager')
const services = ['portal', 'reports', 'database', 'proxy'] as const
const hosts = { portal: 'bi.empresa.com.br', reports: 'relatorios.empresa.com.br' }
const email = 'voce@empresa.com.br'
const password = 'Girassol de inverno 58'
const isCold = !process.env.KEEP_IMAGES

describe.skipIf(reason)(`containers${reason ? ` (skipped: ${reason})` : ''}`, () => {
  let engine: Engine
  let browser: Browser
  let started: number
  let env: Record<string, string>
  const executed = new Set<string>()
  /** Runs a block of the manual as the operator does. @returns what it printed */
  const manual = (name: string, replaced: Record<string, string> = {}) => {
    executed.add(name)
    const script = recipe(`contêineres: ${name}`, replaced, 'instalacao')
    return engine.run(['sh', '-euc', script], { cwd: copy, env })
  }
  const nameOf = (service: string) => `bi-manager_${service}_1`
  const exec = (service: string, ...command: string[]) =>
    engine.run(['podman', 'exec', nameOf(service), ...command])
  const minutesSince = (start: number) => `${((Date.now() - start) / 60_000).toFixed(1)} min`

  beforeAll(async () => {
    engine = await openEngine()
    console.log(`base image: ${await ensureBaseImage(engine)}`)
    for (const difference of engine.differences) console.log(`differs: ${difference}`)
    console.log('differs: ports other than 80 and 443; the browser maps both names to this machine')
    await removeContainers(engine)
    await forgetImages(engine, { layers: isCold })
    copyRepository()
    const [http, https] = await freePorts(2)
    env = { HTTP_PORT: String(http), HTTPS_PORT: String(https) }
    browser = await launchBrowser([
      `--host-resolver-rules=MAP *.empresa.com.br:443 127.0.0.1:${env.HTTPS_PORT}`,
    ])
    started = Date.now()
    await manual('nomes e e-mail')
    await manual('certificado interno')
    await manual('iniciar')
    console.log(
      `${isCold ? 'built from the base image' : 'built from earlier layers'} and ready: ${minutesSince(started)}`,
    )
    for (const target of targets) console.log(`${target}: ${await imageSize(engine, target)} MB`)
  }, 1_800_000)
  afterAll(async () => {
    await browser?.close()
    if (engine) await removeContainers(engine)
    await engine?.stop()
  })

  const visitPortal = () =>
    openBrowserProfile(browser, { portal: `https://${hosts.portal}`, ignoreHTTPSErrors: true })
  const expectReport = async (visitor: Visitor, what: string) => {
    await visitor.goto('/')
    await visitor.signIn({ email, password, name: 'Administrador' })
    await expectDrawn(await openFirstReport(visitor), what)
    await visitor.close()
  }

  test('the first administrator opens a report through TLS and exports it as PDF', {
    timeout: 300_000,
  }, async () => {
    const generated = /^Senha: (.+)$/m.exec(await manual('primeira senha'))?.[1] ?? ''
    await manual('publicar')
    const { applications } = JSON.parse(await manual('credenciais'))
    const [{ clientId, clientSecret }] = applications
    const visitor = await visitPortal()
    await replaceFirstPassword(visitor, { email, generated, password })
    const connected = await registerConnection(visitor, {
      name: 'Relatórios da casa',
      username: clientId,
      secret: clientSecret,
    })
    await connected.getByRole('button', { name: 'Testar conexão' }).click()
    await visitor.page.getByText('A conexão enxerga 1 grupo').waitFor()
    const registered = await registerWorkspace(visitor, {
      connection: ['casa', 'Relatórios da casa'],
      group: ['minha', 'Minha área'],
      name: 'Diretoria',
    })
    await importReports(visitor, registered, 'Diretoria')
    await expectDrawn(await openFirstReport(visitor), 'the first report')
    console.log(`from an empty folder to a rendered report: ${minutesSince(started)}`)
    const pdf = await exportAsPdf(visitor.page)
    expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-')
    expect(pdf.length).toBeGreaterThan(10_000)
    await visitor.close()
  })

  test("the proxy's certificate is of the authority that the manual copies", async () => {
    await manual('autoridade')
    const options = {
      host: '127.0.0.1',
      port: env.HTTPS_PORT,
      path: '/readyz',
      servername: hosts.portal,
      headers: { host: hosts.portal },
      ca: readFileSync(join(copy, 'autoridade.crt')),
    }
    const [response]: IncomingMessage[] = await once(get(options), 'response')
    response?.resume()
    expect(response?.statusCode).toBe(200)
  })

  test('the proxy redirects pages to HTTPS and refuses API calls without it', async () => {
    const status = async (host: string, path: string) => {
      const options = { host: '127.0.0.1', port: env.HTTP_PORT, path, headers: { host } }
      const [response]: IncomingMessage[] = await once(getInClear(options), 'response')
      response?.resume()
      return response?.statusCode
    }
    expect(await status(hosts.portal, '/saidibi')).toBe(301)
    expect(await status(hosts.portal, '/api/usuarios/menus')).toBe(403)
    expect(await status(hosts.reports, '/reportEmbed')).toBe(403)
  })

  test('the image of the portal has no build tool, no package manager of Node and no test', async () => {
    const look = `command -v npm gcc make python3 git curl strip
      ls -d /app/node_modules/vite /app/node_modules/rolldown /app/node_modules/typescript /app/node_modules/vitest
      find /app -path '*/node_modules' -prune -o -name '*.test.ts' -print
      true`
    const command = ['--network=none', '--entrypoint=sh', 'bi-manager/portal', '-c', look]
    expect(await engine.run(['podman', 'run', '--rm', ...command])).toBe('')
  })

  test('the image of the portal has the pages and pictures of the manual', async () => {
    const look =
      'cd /app/packages/web/dist/assets && ls usar-*.js sign-in-desktop-light-*.png && test ! -e /app/docs'
    const command = ['--network=none', '--entrypoint=sh', 'bi-manager/portal', '-c', look]
    expect(await engine.run(['podman', 'run', '--rm', ...command])).toMatch(
      /^sign-in-.*\.png\nusar-.*\.js\n$/,
    )
  })

  test.each(services)(
    '%s runs without root, without capabilities, and cannot write its file system',
    async (service) => {
      expect(await exec(service, 'id', '-u')).toBe('10001\n')
      const status = await exec(service, 'cat', '/proc/1/status')
      expect(status).toMatch(/^CapBnd:\t0+$/m)
      expect(status).toMatch(/^CapEff:\t0+$/m)
      expect(status).toMatch(/^NoNewPrivs:\t1$/m)
      expect(status).toMatch(/^Seccomp:\t2$/m)
      await expect(exec(service, 'touch', '/usr/x')).rejects.toThrow(/Read-only file system/)
    },
  )

  test('a health check fails when its service does not answer', async () => {
    const check = () => engine.run(['podman', 'healthcheck', 'run', nameOf('portal')])
    await check()
    await engine.run(['podman', 'stop', '-t', '60', nameOf('database')])
    await expect.poll(() => succeeds(check()), { timeout: 30_000, interval: 1000 }).toBe(false)
    await engine.run(['podman', 'start', nameOf('database')])
    await expect.poll(() => succeeds(check()), { timeout: 60_000, interval: 1000 }).toBe(true)
  })

  test('secrets are in files of mode 0600 in volumes, in no log, no image and no environment', async () => {
    const files = {
      database: ['/secrets/database-url'],
      portal: ['/secrets/database-url', '/data/app-secret.key', '/data/reports/service.json'],
      reports: ['/data/service.json'],
    }
    const secrets: string[] = []
    for (const [service, paths] of Object.entries(files)) {
      for (const path of paths) {
        expect(await exec(service, 'stat', '-c', '%a %u', path), path).toBe('600 10001\n')
        secrets.push(...secretsIn(await exec(service, 'cat', path)))
      }
    }
    expect(secrets.length).toBeGreaterThanOrEqual(5)
    for (const secret of secrets) expect(secret.length).toBeGreaterThanOrEqual(20)
    const shown = await Promise.all([
      ...services.map((service) => engine.run(['sh', '-c', 'podman logs "$0" 2>&1', nameOf(service)])),
      engine.run(['podman', 'inspect', ...services.map(nameOf)]),
      ...targets.map((target) => engine.run(['podman', 'image', 'inspect', `bi-manager/${target}`])),
      ...services.map((service) => exec(service, 'cat', '/proc/1/environ')),
    ])
    for (const secret of secrets) expect(shown.filter((text) => text.includes(secret))).toEqual([])
    // The report service does not get the database's password.
    await expect(exec('reports', 'ls', '/secrets/database-url')).rejects.toThrow(/No such file/)
  })

  test("the backup of the manual's command holds the database, the reports and the keys", async () => {
    await manual('cópia')
    const names = execFileSync('tar', ['-tf', join(copy, 'copias.tar')], { encoding: 'utf8' })
    expect(names).toMatch(/\/manifest\.json$/m)
    expect(names).toMatch(/\/tables\/usuario\./)
    expect(names).toMatch(/\/files\/reports\/datasets\/atendimentos\/atendimentos\.csv$/m)
    expect(names).toMatch(/\/keys\/app-secret\.key$/m)
  })

  test('an update keeps what was written, and the password of the database', {
    timeout: 600_000,
  }, async () => {
    const before = await exec('portal', 'cat', '/secrets/database-url')
    const [container] = await Promise.all([
      engine.run(['podman', 'inspect', '-f', '{{.Id}}', nameOf('portal')]),
    ])
    await manual('atualizar')
    expect(await engine.run(['podman', 'inspect', '-f', '{{.Id}}', nameOf('portal')])).not.toBe(container)
    expect(await exec('portal', 'cat', '/secrets/database-url')).toBe(before)
    await expectReport(await visitPortal(), 'the report after an update')
  })

  test('stopping and starting keeps what was written', { timeout: 300_000 }, async () => {
    await manual('parar')
    expect(await engine.run(['podman', 'ps', '-q'])).toBe('')
    await manual('iniciar')
    await expectReport(await visitPortal(), 'the report after a stop')
    await manual('parar')
  })

  test('the demo of one line opens a report', { timeout: 600_000 }, async () => {
    const [portal, reports] = await freePorts(2)
    const running = manual('demonstração', {
      '127.0.0.1:3000:': `127.0.0.1:${portal}:`,
      '127.0.0.1:3001:': `127.0.0.1:${reports}:`,
    })
    const failed = running.then(
      () => undefined,
      (error: Error) => error,
    )
    const demoBrowser = await launchBrowser([
      `--host-resolver-rules=MAP localhost:3000 127.0.0.1:${portal},MAP localhost:3001 127.0.0.1:${reports}`,
    ])
    const isReady = () =>
      fetch(`http://127.0.0.1:${portal}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    // It may build the image first, and a busy machine needs minutes for that and for the start.
    await expect.poll(isReady, { timeout: 400_000, interval: 1000 }).toBe(true)
    const visitor = await openBrowserProfile(demoBrowser, { portal: 'http://localhost:3000' })
    await visitor.goto('/')
    await visitor.signIn(people.ana)
    await expectDrawn(await openFirstReport(visitor), "a report of the container's demo")
    await visitor.close()
    await demoBrowser.close()
    const ids = (await engine.run(['podman', 'ps', '-q'])).trim()
    await engine.run(['podman', 'stop', '-t', '30', ids])
    await failed
    // --rm removed the container.
    expect(await engine.run(['podman', 'ps', '-aq'])).toBe('')
  })

  test('every command of the chapter was run', () => {
    const text = readFileSync(join(repository, 'docs/manual/instalacao.md'), 'utf8')
    const chapter = /^## Com contêineres$(.*?)(?=^## |$(?![\s\S]))/ms.exec(text)?.[1] ?? ''
    const blocks = [...chapter.matchAll(/^```sh\n(?:# contêineres: (.*)\n)?/gm)].map(([, name]) => name)
    expect(blocks.length).toBeGreaterThan(5)
    expect(new Set(blocks)).toEqual(executed)
  })
})

const succeeds = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  )

/** What an operator gets with `git clone`. */
const copyRepository = (): void => {
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  const files =
    'git ls-files -co --exclude-standard -z | xargs -0 ls -d 2>/dev/null | tar -c -T - | tar -x -C "$0"'
  execFileSync('sh', ['-c', files, copy], { cwd: repository })
}

const removeContainers = async ({ run }: Engine): Promise<void> => {
  await run(['sh', '-c', 'podman rm -af -t 5 && podman volume prune -f && podman network prune -f'])
}

/** The random parts of a file: passwords, keys and tokens. */
const secretsIn = (text: string): string[] => {
  const url = /:\/\/[^:]+:([^@]+)@/.exec(text)
  if (url?.[1]) return [url[1]]
  const values = [...text.matchAll(/"(?:signingKey|clientSecret|password)": "([^"]+)"/g)]
  if (values.length > 0) return values.map(([, value = '']) => value)
  return [text.trim()]
}

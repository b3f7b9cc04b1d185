import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_UPLOAD_BYTES } from '@bi-manager/contract'
import { formOf, multipartOf } from '@bi-manager/server/test/multipart'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { freePorts } from '../../../../../scripts/machines/ports.ts'
import { launchBrowser } from '../../browser/browser.ts'
import { expectDrawn, waitForRendered } from '../../browser/report-frame.ts'
import { openBrowserProfile } from '../../browser/visitor.ts'
import { people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'
import { callThrough, hosts, makeCertificate } from '../../services/proxied.ts'

/* Uses deploy/nginx and deploy/caddy as they are, except for ports, paths and the certificate. */

const example = (path: string) =>
  readFileSync(join(import.meta.dirname, '../../../../../deploy', path), 'utf8')
const has = (...command: string[]) => spawnSync(command[0] ?? '', command.slice(1)).status === 0

interface Ports {
  https: number
  http: number
  portal: number
  reports: number
}

interface Files {
  folder: string
  certificate: string
  key: string
}

/** Writes the proxy's configuration. @returns the commands to check it and to run it */
type Prepare = (ports: Ports, files: Files) => { check: string[]; run: string[] }

const nginx: Prepare = ({ https, http, portal, reports }, { folder, certificate, key }) => {
  const sites = example('nginx/bi-manager.conf')
    .replaceAll(/listen 443/g, `listen 127.0.0.1:${https}`)
    .replaceAll(/listen 80;/g, `listen 127.0.0.1:${http};`)
    .replaceAll(/ *listen \[::\].*\n/g, '')
    .replaceAll('127.0.0.1:3000', `localhost:${portal}`)
    .replaceAll('127.0.0.1:3001', `localhost:${reports}`)
    .replaceAll('/etc/ssl/bi-manager/certificado.pem', certificate)
    .replaceAll('/etc/ssl/bi-manager/chave.pem', key)
  writeFileSync(join(folder, 'bi-manager.conf'), sites)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')
  const main = join(folder, 'nginx.conf')
  // Included as in Debian's nginx.conf.
  writeFileSync(
    main,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${paths} include ${folder}/bi-manager.conf; }`,
  )
  return { check: ['nginx', '-t', '-c', main], run: ['nginx', '-c', main] }
}

const caddy: Prepare = ({ https, http, portal, reports }, { folder, certificate, key }) => {
  const sites = example('caddy/Caddyfile')
    .replaceAll('127.0.0.1:3000', `localhost:${portal}`)
    .replaceAll('127.0.0.1:3001', `localhost:${reports}`)
    .replaceAll(/^((?!http:)\S+\.empresa\.com\.br) \{$/gm, `$1 {\n\ttls ${certificate} ${key}`)
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n}\n${sites}`)
  const of = (command: string) => ['caddy', command, '--config', file, '--adapter', 'caddyfile']
  return { check: of('validate'), run: of('run') }
}

const isThere = has('openssl', 'version')
describe.each([
  ['nginx', nginx, isThere && has('nginx', '-v')],
  ['caddy', caddy, isThere && has('caddy', 'version')],
] as const)('behind %s with TLS', (name, prepare, isInstalled) => {
  describe.skipIf(!isInstalled)(`(needs ${name} and openssl)`, () => {
    let browser: Browser
    let demo: Demo
    let proxy: ChildProcess
    let files: Files
    let ports: Ports
    let call: ReturnType<typeof callThrough>
    beforeAll(async () => {
      // nginx's workers run as another user, so the folder must be readable.
      const folder = mkdtempSync(join(tmpdir(), `bi-manager-${name}-`))
      chmodSync(folder, 0o755)
      mkdirSync(join(folder, 'data'))
      files = { folder, ...makeCertificate(folder) }
      const [https, http, portal, reports] = await freePorts(4)
      ports = { https, http, portal, reports }
      demo = await startDemo(
        {
          PORT: String(ports.portal),
          REPORTS_PORT: String(ports.reports),
          PUBLIC_URL: `https://${hosts.portal}`,
          REPORTS_URL: `https://${hosts.reports}`,
          REPORTS_INTERNAL_URL: `http://localhost:${ports.reports}`,
          TRUST_PROXY: 'true',
          LOG_LEVEL: 'info',
          LOG_FORMAT: 'json',
          REPORTS_TRUST_PROXY: 'true',
        },
        inject('demoData'),
      )
      const { check, run } = prepare(ports, files)
      const [program = '', ...args] = run
      execFileSync(check[0] ?? '', check.slice(1), { stdio: 'pipe' })
      const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
      proxy = spawn(program, args, { env, stdio: 'ignore' })
      call = callThrough(ports.https, hosts.portal, files.certificate)
      const status = () =>
        call('/readyz').then(
          ({ status }) => status,
          () => 0,
        )
      await vi.waitUntil(async () => (await status()) === 200, { timeout: 20_000, interval: 200 })
      browser = await launchBrowser([
        `--host-resolver-rules=MAP *.empresa.com.br:443 127.0.0.1:${ports.https}`,
      ])
    })
    afterAll(async () => {
      await browser?.close()
      if (proxy && proxy.exitCode === null) {
        const ended = once(proxy, 'exit')
        proxy.kill('SIGTERM')
        await ended
      }
      await demo?.stop()
      rmSync(files.folder, { recursive: true, force: true })
    })

    const signIn = async ({ email, password }: { email: string; password: string }) => {
      const { text } = await call('/api/usuarios/authorizer', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: email, password }),
      })
      const { access_token, usuario_id } = JSON.parse(text)
      return { authorization: `Bearer ${access_token}`, usuario_id: String(usuario_id) }
    }

    test('a person signs in and opens a report', { timeout: 120_000 }, async () => {
      const visitor = await openBrowserProfile(browser, {
        portal: `https://${hosts.portal}`,
        ignoreHTTPSErrors: true,
      })
      await visitor.goto('/')
      await visitor.signIn(people.ana)
      await visitor.main.locator('a[href^="/relatorio-embed/"]').first().click()
      const frame = await waitForRendered(visitor.page)
      expect(new URL(frame.url()).origin).toBe(`https://${hosts.reports}`)
      await expectDrawn(frame, `a report through ${name}`)
      await visitor.close()
    })

    test('the proxy redirects HTTP to HTTPS for pages, and refuses it for the API', async () => {
      const inTheClear = async (host: string, path: string) => {
        const options = { host: '127.0.0.1', port: ports.http, path, headers: { host } }
        const [response]: IncomingMessage[] = await once(get(options), 'response')
        response?.resume()
        return response
      }
      const page = await inTheClear(hosts.portal, '/usuario')
      expect([301, 308]).toContain(page?.statusCode)
      const to = new URL(page?.headers.location ?? '')
      expect([to.protocol, to.hostname, to.pathname]).toEqual(['https:', hosts.portal, '/usuario'])
      for (const [host, path] of [
        [hosts.portal, '/api/usuarios/menus'],
        [hosts.portal, '/mcp'],
        [hosts.reports, '/v1.0/myorg/groups'],
      ] as const) {
        const refused = await inTheClear(host, path)
        expect([refused?.statusCode, refused?.headers.location], path).toEqual([403, undefined])
      }
    })

    test('headers with underscores reach the portal', async () => {
      const { authorization, usuario_id } = await signIn(people.ana)
      const menu = (id: string) => call('/api/usuarios/menus', { headers: { authorization, usuario_id: id } })
      expect((await menu(usuario_id)).status).toBe(200)
      const refused = await menu('999')
      expect([refused.status, JSON.parse(refused.text).codigo]).toEqual([403, 'identidade_divergente'])
    })

    test('live events are forwarded without buffering', async () => {
      const { authorization } = await signIn(people.ana)
      const started = Date.now()
      const isOpen = (text: string) => text.includes(': aberto')
      const { status, headers } = await call('/api/usuarios/eventos', { headers: { authorization } }, isOpen)
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
      // The next line is the heartbeat, after 20 s: an earlier answer was not buffered.
      expect(Date.now() - started).toBeLessThan(15_000)
    })

    test('a file of 10 MB reaches the portal, and a larger one is refused', {
      timeout: 60_000,
    }, async () => {
      const { authorization } = await signIn(people.helena)
      const upload = async (bytes: Buffer) => {
        const fields = { titulo_anexo: 'Laudo', tipo_anexo: 'PDF', descricao_anexo: 'Tórax' }
        const form = await multipartOf(formOf(fields, { bytes, name: 'laudo.pdf', type: 'application/pdf' }))
        const { status, text } = await call('/api/anexos', {
          method: 'POST',
          headers: {
            authorization,
            'x-finalidade': 'Atendimento',
            'content-type': form.type,
            'content-length': String(form.bytes.length),
          },
          body: form.bytes,
        })
        return [status, text.startsWith('{') ? JSON.parse(text).codigo : text.slice(0, 100)]
      }
      expect(await upload(pdfOf(MAX_UPLOAD_BYTES))).toEqual([201, undefined])
      expect(await upload(Buffer.alloc(MAX_UPLOAD_BYTES + 1))).toEqual([413, 'arquivo_grande_demais'])
    })

    test("the portal sees the caller's address, whatever X-Forwarded-For the caller sends", async () => {
      const { authorization } = await signIn(people.ana)
      const headers = { authorization, 'x-forwarded-for': '203.0.113.9' }
      await call('/api/usuarios/menus', { headers, localAddress: '127.0.0.5' })
      await expect.poll(demo.output).toContain('"address":"127.0.0.5"')
      expect(demo.output()).not.toContain('203.0.113.9')
    })
  })
})

/** Returns a PDF of one page without text, padded to exactly `length` bytes. */
const pdfOf = (length: number): Buffer => {
  const build = (noise: number): Buffer => {
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>',
      `<</Length ${noise}>>\nstream\n${' '.repeat(noise)}\nendstream`,
    ]
    let body = '%PDF-1.4\n'
    const offsets = objects.map((object, n) => {
      const offset = body.length
      body += `${n + 1} 0 obj\n${object}\nendobj\n`
      return `${String(offset).padStart(10, '0')} 00000 n \n`
    })
    const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join('')}`
    return Buffer.from(
      `${body}${table}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
      'latin1',
    )
  }
  const rest = build(length).length - length
  return build(length - rest)
}

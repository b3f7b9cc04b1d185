import { copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../test/calls/endpoints.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { plainBrand } from '../brand/brand.ts'
import { errorHandler } from './errors/error-handler.ts'
import { portalPages } from './pages/portal-pages.ts'
import { securityHeaders } from './security-headers.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp(
  { RATE_LIMIT_PER_MINUTE: '1000000', PUBLIC_URL: 'https://bi.exemplo.com.br' },
  { resets: false },
)
beforeAll(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})

type Headers = Awaited<ReturnType<typeof admin.get>>['headers']

/** Expects the headers that every answer has. */
const expectSafe = (headers: Headers, what: string): void => {
  expect(headers, what).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'strict-transport-security': 'max-age=31536000',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  const policy = String(headers['content-security-policy'])
  expect(policy, what).toMatch(/default-src 'none'/)
  expect(policy, what).toContain("frame-ancestors 'none'")
  expect(policy, what).toContain("base-uri 'none'")
  expect(policy, what).not.toMatch(/unsafe|\*|http:(?!\/\/localhost)| data:.*script/)
  // The product uses no cookies, so there is no cross-site request to forge.
  for (const name of ['set-cookie', 'server', 'x-powered-by']) expect(headers, what).not.toHaveProperty(name)
}

describe('every call of the API', () => {
  test('every call of the API sends all security headers and no-store, with any status and caller', async () => {
    const seen = new Set<number>()
    for (const { method, url } of endpoints.filter(({ url }) => !/eventos|sair|sessoes/.test(url))) {
      for (const who of [app.anonymous, admin]) {
        const path = url.replace(/:\w+/g, '2000000000')
        const send = { GET: who.get, POST: who.post, PUT: who.put, DELETE: who.del }[method]
        const { status, headers } = await send(path)
        seen.add(status)
        expectSafe(headers, `${method} ${path} ${status}`)
        expect(headers['cache-control'], `${method} ${path}`).toBe('no-store')
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining([200, 401, 404, 422]))
  })

  test.each(['!/api/nada', '!/healthz', '!/readyz', '!/assets/nada.js'])(
    'every call of the API sends all security headers: %s',
    async (url) => {
      expectSafe((await app.anonymous.get(url)).headers, url)
    },
  )
})

test('an address that cannot be decoded runs no hook and still gets the security headers', async () => {
  const { status, headers } = await app.anonymous.get('!/api/%zz')
  expect(status).toBe(400)
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
})

/** Inline scripts and styles: the policy must allow each by nonce or hash. */
const inlineElements = (html: string): string[] =>
  (html.match(/<(script|style)\b[^>]*>/g) ?? []).filter((tag) => !/\bsrc=/.test(tag))

describe('pages', () => {
  test('the API description has no inline script and no inline event handler', async () => {
    for (const url of ['!/api/docs', '!/api/docs/']) {
      const { status, headers, body } = await app.anonymous.get(url)
      if (status >= 300 && status < 400) continue
      expect(status).toBe(200)
      expectSafe(headers, url)
      const tags = inlineElements(String(body))
      expect(tags.filter((tag) => tag.startsWith('<script'))).toEqual([])
      expect(String(body)).not.toMatch(/\son\w+=|\sstyle="/)
    }
  })

  test('the portal’s page has the nonce on every inline script and style', async () => {
    const root = await mkdtemp(join(tmpdir(), 'bi-manager-page-'))
    await copyFile(new URL('../../../../web/index.html', import.meta.url), join(root, 'index.html'))
    const server = Fastify()
    await server.register(errorHandler)
    await server.register(securityHeaders, { https: true })
    await server.register(portalPages, {
      root,
      readBrand: async () => plainBrand,
      frameOrigins: ['https://app.powerbi.com'],
    })
    for (const url of ['/', '/saidibi', '/login?returnTo=//x', '/relatorio-embed/1/2/3/4']) {
      const { statusCode, headers, body } = await server.inject(url)
      expect(statusCode).toBe(200)
      expectSafe(headers, url)
      const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
      expect(nonce?.length).toBeGreaterThanOrEqual(22)
      const tags = inlineElements(body)
      expect(tags.length).toBeGreaterThan(0)
      for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`)
      expect(body).not.toMatch(/\son\w+=|\sstyle="/)
    }
    await server.close()
  })

  test('only the PDF worker may load scripts, from its own origin only', async () => {
    const root = await mkdtemp(join(tmpdir(), 'bi-manager-worker-'))
    await copyFile(new URL('../../../../web/index.html', import.meta.url), join(root, 'index.html'))
    await mkdir(join(root, 'assets'))
    for (const name of ['pdf.worker.min-x1.mjs', 'index-x1.js']) {
      await writeFile(join(root, 'assets', name), 'export {}')
    }
    const server = Fastify()
    await server.register(errorHandler)
    await server.register(securityHeaders, { https: true })
    await server.register(portalPages, { root, readBrand: async () => plainBrand, frameOrigins: [] })
    const policyOf = async (name: string) =>
      (await server.inject(`/assets/${name}`)).headers['content-security-policy']
    expect(await policyOf('pdf.worker.min-x1.mjs')).toBe("default-src 'none'; script-src 'self'")
    expect(await policyOf('index-x1.js')).toMatch(/^default-src 'none';(?!.*script-src)/)
    await server.close()
  })

  test('HSTS is sent only behind TLS', async () => {
    const plain = await app.anotherServer({
      config: { ...app.services.config, publicUrl: 'http://localhost:3000' },
    })
    const { headers } = await plain.inject('/api/portal')
    expect(headers).not.toHaveProperty('strict-transport-security')
    await plain.close()
  })
})

test.each([
  ['another site', 'cross-site', 403],
  ['another name of the site', 'same-site', 403],
  ['the portal itself', 'same-origin', 201],
  ['the address bar', 'none', 201],
])('a call before sign-in from a page of %s is answered', async (_, site, expected) => {
  const { status } = await app.anonymous.post('/telao/codigo', undefined, { 'sec-fetch-site': site })
  expect(status).toBe(expected)
})

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { plainBrand } from '../brand/brand.ts'
import { errorHandler } from './errors/error-handler.ts'
import { sessionGuard } from './guard/session-guard.ts'
import { linkPaths } from './pages/link-paths.ts'
import { portalPages } from './pages/portal-pages.ts'

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '120' }, { resets: false })

describe('the guard', () => {
  test('the guard refuses to start while a route states no permission, and names the route', async () => {
    const server = Fastify()
    await server.register(sessionGuard, {
      tokenKeys: [{ id: 'k', key: 'x'.repeat(43) }],
      callsPerMinute: 600,
      countCall: () => ({ current: 1, ttl: 60_000 }),
      callsPerPerson: 1_200,
      countPersonCall: () => ({ current: 1, ttl: 60_000 }),
      findCaller: async () => undefined,
      findKiosk: async () => undefined,
      findVisit: async () => undefined,
      findKeyCaller: async () => undefined,
      noteKeyUse: async () => undefined,
      signInNetworks: true,
    })
    server.get('/aberta', { config: { permission: 'public' } }, async () => 'ok')
    server.get('/esquecida', async () => 'ok')
    await expect(server.ready()).rejects.toThrow(/GET \/esquecida/)
  })
})

describe('health', () => {
  test('GET /healthz and GET /readyz answer JSON without a session', async () => {
    expect(await app.anonymous.get('!/healthz')).toMatchObject({ status: 200, body: { situacao: 'ativo' } })
    expect(await app.anonymous.get('!/readyz')).toMatchObject({
      status: 200,
      body: { situacao: 'pronto', banco: true },
    })
  })
})

describe('hostile addresses', () => {
  test.each([
    '!//api/usuarios/menus',
    '!/api//usuarios/menus',
    '!/API/usuarios/menus',
    '!/api/usuarios/menus/',
    '!/api/usuarios/%6denus%2f',
    '!/api/usuarios/sessao/../menus',
    '!/api/usuarios;x/menus',
    '!/api/%2e%2e/api/usuarios/menus',
    '!/%61pi/usuarios/menus',
  ])('%s gives no access without a session', async (url) => {
    const { status, body } = await app.anonymous.get(url)
    expect([401, 404]).toContain(status)
    expect(body.codigo).toMatch(/^(sessao_ausente|nao_encontrado)$/)
  })
})

describe('values that no database holds', () => {
  test.each(['0', '-1', '1e0', '0x1', '%201', '2147483648', '99999999999'])(
    'the portal answers 404 for id %s',
    async (id) => {
      const { post } = await app.as(await createUser(app))
      const answer = await post(`/usuarios/relatorio/${id}/visualizacao`, {
        carregadoMs: 1,
        renderizadoMs: 1,
      })
      expect([answer.status, answer.body.codigo]).toEqual([404, 'nao_encontrado'])
    },
  )

  test('the portal answers 422 at the field of a name with a lone surrogate', async () => {
    const { post } = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { status, body } = await post('/responsavel', '{"nomeResponsavel":"Maria \\ud800"}')
    expect([status, body.campos]).toEqual([
      422,
      { nomeResponsavel: 'Retire os caracteres que não podem ser gravados.' },
    ])
  })

  test('the portal answers 422 to a name with a NUL', async () => {
    const body = { username: 'ana\0@demo.local', password: 'x' }
    expect((await app.anonymous.post('/usuarios/authorizer', body)).status).toBe(422)
  })
})

describe('limits', () => {
  test('too many calls of one session answer 429 with Retry-After; another session is unaffected', async () => {
    const busy = await app.as(await createUser(app))
    const calm = await app.as(await createUser(app))
    const answers = []
    for (let i = 0; i < 121; i += 1) answers.push(await busy.get('/usuarios/sessao'))
    const last = answers.at(-1)
    expect(answers.slice(0, 120).every(({ status }) => status === 200)).toBe(true)
    expect([last?.status, last?.body.codigo]).toEqual([429, 'muitas_tentativas'])
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await calm.get('/usuarios/sessao')).status).toBe(200)
  })

  test('invalid tokens and other spellings of the address do not multiply the allowance', async () => {
    const statuses = []
    for (let i = 0; i < 130; i += 1) {
      const headers = { authorization: `Bearer lixo${i}` }
      statuses.push((await app.anonymous.get(i % 2 ? '/portal' : '!/%61pi/portal', headers)).status)
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(120)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the portal pages', () => {
  test('the portal pages carry a strict policy with a fresh nonce, for every address outside the API', async () => {
    const root = await mkdtemp(join(tmpdir(), 'bi-manager-pages-'))
    await mkdir(join(root, 'assets'))
    await writeFile(
      join(root, 'index.html'),
      '<script nonce="__CSP_NONCE__"></script><meta content="__CSP_NONCE__">',
    )
    await writeFile(join(root, 'assets', 'app-1.js'), 'x')
    const server = Fastify()
    await server.register(errorHandler)
    await server.register(portalPages, {
      root,
      readBrand: async () => plainBrand,
      frameOrigins: ['https://app.powerbi.com', 'http://localhost:3001'],
    })
    const pages = [await server.inject('/'), await server.inject('/relatorio-embed/a/b/c/d')]
    const nonces = pages.map(({ statusCode, body, headers }) => {
      expect(statusCode).toBe(200)
      const [, nonce = ''] = /nonce="([^"]+)"/.exec(body) ?? []
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`)
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
      expect(policy).toContain('frame-src https://app.powerbi.com http://localhost:3001')
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(body).not.toContain('__CSP_NONCE__')
      expect(headers['cache-control']).toBe('no-store')
      return nonce
    })
    expect(new Set(nonces).size).toBe(2)
    for (const path of [...Object.values(linkPaths), '/visita', '/visita/entrar']) {
      const link = `${path}?token=x`
      expect((await server.inject(link)).headers['referrer-policy']).toBe('no-referrer')
    }
    expect((await server.inject('/assets/app-1.js')).headers['cache-control']).toMatch(/immutable/)
    for (const gone of [
      '/assets/gone.js',
      '/.env',
      '/recovery-password.bak',
      '/convite.backup',
      '/index.html.old',
    ]) {
      expect((await server.inject(gone)).statusCode).toBe(404)
    }
    const beyond = await server.inject({ url: '/assets/app-1.js', headers: { range: 'bytes=99999-' } })
    expect(beyond.statusCode).toBeLessThan(500)
    expect((await server.inject('/assets/../../package.json')).statusCode).toBeLessThan(500)
    expect((await server.inject('/api/nada')).statusCode).toBe(404)
    await server.close()
  })
})

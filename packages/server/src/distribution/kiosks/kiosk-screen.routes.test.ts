import { KIOSK_CODE_LETTERS, KIOSK_CREDENTIAL } from '@bi-manager/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectedScreen, createKiosk, waitingScreen } from '../../../test/distribution/kiosks.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' })

const start = async (fields: Parameters<typeof createKiosk>[2] = {}) => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const report = await createReport(app, { idGrupoRelatorio })
  const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
  const kiosk = await createKiosk(app, [report.idRelatorio], fields)
  const { idTelao } = kiosk
  const credential = await connectedScreen(app, { idTelao, conectadaPor: admin.idUsuario })
  const screen = app.withHeaders({ authorization: `Bearer ${credential}` })
  return { report, admin, kiosk, credential, screen }
}

describe('POST /telao/codigo', () => {
  test('POST /telao/codigo returns a code of letters that do not look alike, and keeps digests only', async () => {
    const { status, body } = await app.anonymous.post('/telao/codigo')
    expect(status).toBe(201)
    expect(body.codigo).toMatch(new RegExp(`^[${KIOSK_CODE_LETTERS}]{8}$`))
    expect(body.credencial).toMatch(KIOSK_CREDENTIAL)
    expect(Date.parse(body.expiraEm) - app.services.now().getTime()).toBeGreaterThan(595_000)
    const stored = JSON.stringify(await app.db.selectFrom('telaoCodigo').selectAll().execute())
    expect(stored).not.toContain(body.codigo)
    expect(stored).not.toContain(body.credencial)
  })

  test('POST /telao/codigo gives one network 60 codes in 15 minutes, and keeps no expired one', async () => {
    for (let n = 0; n < 60; n += 1) expect((await app.anonymous.post('/telao/codigo')).status).toBe(201)
    expect((await app.anonymous.post('/telao/codigo')).status).toBe(429)
    app.clock.offsetMs = 16 * 60_000
    expect((await app.anonymous.post('/telao/codigo')).status).toBe(201)
    expect(await app.db.selectFrom('telaoCodigo').select('marca').execute()).toHaveLength(1)
  })

  const askFrom = (remoteAddress: string) =>
    app.app.inject({ method: 'POST', url: '/api/telao/codigo', remoteAddress })

  test('POST /telao/codigo counts a /56 of IPv6 as one network', async () => {
    for (let n = 0; n < 60; n += 1) {
      expect((await askFrom(`2001:db8:1:12${n.toString(16).padStart(2, '0')}::1`)).statusCode).toBe(201)
    }
    expect((await askFrom('2001:db8:1:12ff::1')).statusCode).toBe(429)
    expect((await askFrom('2001:db8:1:1300::1')).statusCode).toBe(201)
  })

  test('POST /telao/codigo replaces the oldest codes of the network with the most when a thousand screens wait', async () => {
    const own = await askFrom('198.51.100.7')
    const now = app.services.now().getTime()
    // Of a /48, which has 256 networks of subscribers.
    const rows = Array.from({ length: 999 }, (_, n) => ({
      marcaCodigo: `c${n}`,
      marca: `m${n}`,
      dispositivo: null,
      endereco: `2001:db8:1:${n.toString(16)}::1`,
      rede: '2001:db8:1',
      criadoEm: new Date(now + n),
      expiraEm: new Date(now + 60_000),
    }))
    await app.db.insertInto('telaoCodigo').values(rows).execute()
    const later = await askFrom('203.0.113.9')
    expect(later.statusCode).toBe(201)
    for (const { credencial } of [own.json(), later.json()]) {
      const { body } = await app.anonymous.post('/telao/espera', { credencial })
      expect(body).toEqual({ situacao: 'AGUARDANDO' })
    }
    const left = await app.db.selectFrom('telaoCodigo').select('marca').execute()
    expect(left).toHaveLength(1_000)
    expect(left.map(({ marca }) => marca)).not.toContain('m0')
    expect(left.map(({ marca }) => marca)).toContain('m1')
  })

  test('POST /telao/codigo answers a page of another origin without permission to read the code', async () => {
    const origin = 'https://outra.example'
    const { headers } = await app.anonymous.post('/telao/codigo', undefined, { origin })
    const preflight = await app.app.inject({
      method: 'OPTIONS',
      url: '/api/telao/codigo',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    for (const answer of [headers, preflight.headers]) {
      expect(Object.keys(answer).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})

describe('the credential of a screen', () => {
  test('the credential of a screen opens nothing while its code is not confirmed', async () => {
    const { credencial } = await waitingScreen(app)
    const screen = app.withHeaders({ authorization: `Bearer ${credencial}` })
    const { status, body } = await screen.get('/telao/rotacao')
    expect([status, body.codigo]).toEqual([401, 'telao_desconectado'])
    const unknown = await app.anonymous.post('/telao/espera', { credencial: `${credencial.slice(0, -1)}_` })
    expect([unknown.status, unknown.body.codigo]).toEqual([400, 'codigo_tela_vencido'])
  })

  test('the credential of a screen is known by its digest, and expires', async () => {
    const { screen, credential } = await start()
    expect((await screen.get('/telao/rotacao')).status).toBe(200)
    expect(JSON.stringify(await app.db.selectFrom('telaoTela').selectAll().execute())).not.toContain(
      credential,
    )
    app.clock.offsetMs = 25 * 3_600_000
    expect((await screen.get('/telao/rotacao')).status).toBe(401)
  })

  test('the credential of a screen notes when the screen was last seen, at most once a minute', async () => {
    const { screen } = await start()
    const seen = async () =>
      (await app.db.selectFrom('telaoTela').select('vistaEm').executeTakeFirst())?.vistaEm
    await screen.get('/telao/rotacao')
    const first = await seen()
    expect(first).toBeInstanceOf(Date)
    app.clock.offsetMs = 30_000
    await screen.get('/telao/rotacao')
    expect(await seen()).toEqual(first)
    app.clock.offsetMs = 61_000
    await screen.get('/telao/rotacao')
    expect(await seen()).not.toEqual(first)
  })

  test.each(['Basic', 'bearer', 'Bearer  '])(
    'the credential of a screen is not read after %s',
    async (scheme) => {
      const { credential } = await start()
      const screen = app.withHeaders({ authorization: `${scheme} ${credential}` })
      expect((await screen.get('/telao/rotacao')).status).toBe(401)
    },
  )

  test('the credential of a deleted connector is gone, and a session of a person is none', async () => {
    const { screen, admin } = await start()
    const session = await app.as(admin)
    const { status, body } = await session.get('/telao/rotacao')
    expect([status, body.codigo]).toEqual([403, 'sem_permissao'])
    await app.db.deleteFrom('usuario').where('idUsuario', '=', admin.idUsuario).execute()
    expect((await screen.get('/telao/rotacao')).status).toBe(401)
  })
})

describe('GET /telao/rotacao', () => {
  test('GET /telao/rotacao returns the look and the pages, and no page of an inactive kiosk', async () => {
    const { screen, report, kiosk } = await start({ nome: 'Recepção', aparencia: 'ESCURO' })
    const { body } = await screen.get('/telao/rotacao')
    expect(body).toEqual({
      nome: 'Recepção',
      aparencia: 'ESCURO',
      ativo: true,
      paginas: [
        {
          idTelaoPagina: kiosk.pages[0],
          idRelatorio: report.idRelatorio,
          nomeRelatorio: 'Relatório',
          pagina: null,
          tituloPagina: null,
          segundos: 30,
        },
      ],
      motivo: null,
    })
    await app.db.updateTable('telao').set({ ativo: false }).execute()
    expect((await screen.get('/telao/rotacao')).body).toMatchObject({ ativo: false, paginas: [] })
  })
})

describe('the rate limit', () => {
  /** The calls of ten screens of one network, and of the network, at a server with a low limit. */
  const startLimited = async (callsPerMinute: number) => {
    const { admin, kiosk, credential } = await start()
    const { config } = app.services
    const limited = await app.anotherServer({ config: { ...config, callsPerMinute } })
    onTestFinished(() => limited.close())
    const call = async (authorization: string | undefined, url = '/api/telao/rotacao') => {
      const headers = authorization ? { authorization } : {}
      return (await limited.inject({ url, headers, remoteAddress: '198.51.100.7' })).statusCode
    }
    const others = []
    for (let n = 0; n < 9; n += 1) {
      const { idTelao } = await createKiosk(app, [])
      others.push(await connectedScreen(app, { idTelao, conectadaPor: admin.idUsuario }))
    }
    const screens = [credential, ...others].map((one) => `Bearer ${one}`)
    return { call, screens, kiosk }
  }

  test('the rate limit counts the calls of each screen apart, not those of their network together', async () => {
    const { call, screens } = await startLimited(20)
    for (let n = 0; n < 15; n += 1) for (const one of screens) expect(await call(one)).toBe(200)
    const [first, second] = screens
    const statuses = []
    for (let n = 0; n < 10; n += 1) statuses.push(await call(first))
    expect(statuses.slice(-4)).toEqual([429, 429, 429, 429])
    expect(await call(second)).toBe(200)
    expect(await call(undefined, '/api/portal')).toBe(200)
  })

  test('the rate limit counts credentials that no screen has for their network, and leaves its screens alone', async () => {
    const { call, screens } = await startLimited(20)
    for (const one of screens) expect(await call(one)).toBe(200)
    const statuses = []
    for (let n = 0; n < 30; n += 1) statuses.push(await call(`Bearer telao_${'a'.repeat(41)}${10 + n}`))
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20)
    expect(statuses.at(-1)).toBe(429)
    for (const one of screens) expect(await call(one)).toBe(200)
  })

  test('the rate limit counts a disconnected screen for its network again', async () => {
    const { call, screens, kiosk } = await startLimited(20)
    const [first] = screens
    expect(await call(first)).toBe(200)
    await app.db.deleteFrom('telaoTela').where('idTelao', '=', kiosk.idTelao).execute()
    const statuses = []
    for (let n = 0; n < 30; n += 1) statuses.push(await call(first))
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    expect(await call(undefined, '/api/portal')).toBe(429)
  })
})

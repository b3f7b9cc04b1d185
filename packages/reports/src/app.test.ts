import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  claimsDataset,
  type Files,
  GROUP,
  REPORT,
  type Service,
  serviceWith,
  startService,
  UNKNOWN,
} from '../test/fixture.ts'

describe('GET /healthz and /readyz', () => {
  test('/healthz returns 200 at once, and /readyz when the data is loaded', async () => {
    const service = await startService()
    try {
      expect((await service.app.inject('/healthz')).statusCode).toBe(200)
      const early = await service.app.inject('/readyz')
      const token = await service.entraToken()
      const tooEarly = await service.rest(token, 'GET', '/groups')
      // Loading takes several turns of the event loop, and both calls came before the first.
      expect([early.statusCode, early.json()]).toEqual([503, { situacao: 'carregando' }])
      expect([tooEarly.statusCode, tooEarly.json().error?.code]).toEqual([503, 'ServiceUnavailable'])
      await service.loaded
      const ready = await service.app.inject('/readyz')
      expect([ready.statusCode, ready.json()]).toEqual([
        200,
        { situacao: 'pronto', relatorios: 2, avisos: 0 },
      ])
    } finally {
      await service.stop()
    }
  })
})

describe('malformed requests', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
    await service.loaded
    await service.app.listen({ port: 0 })
  })
  afterAll(() => service.stop())

  test.each(['/%ff', '/embed-api/%', '/v1.0/myorg/groups/%zz'])(
    'the service returns 400 for the URL %s',
    async (url) => {
      const answer = await service.app.inject({ url })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: { code: 'InvalidRequest', message: expect.stringMatching(/\w/) } },
      ])
    },
  )

  test.each([
    ['bytes that are not HTTP', 'ISTO NAO E HTTP\r\n\r\n', '400 Bad Request'],
    ['unterminated headers', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, '431 '],
  ])("the service answers %s in Power BI's format", async (_name, sent, status) => {
    const said = await talk(service.app, (socket) => socket.write(sent))
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    expect(JSON.parse(said.split('\r\n\r\n')[1] ?? '').error.code).toBe('InvalidRequest')
  })

  test("the service returns 404 in Power BI's format for an unknown URL", async () => {
    const answer = await service.app.inject('/nada')
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NotFound'])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('the service closes a connection whose body does not arrive', async () => {
    const { app } = await serviceWith()
    expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([30_000, 20_000])
    // Short limits for the test; the server checks them every 5 s.
    app.server.requestTimeout = 1
    app.server.headersTimeout = 1
    await app.listen({ port: 0 })
    const start = Date.now()
    const head = 'POST /embed-api/x HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    const said = await talk(app, (socket) => socket.write(`${head}content-length: 9\r\n\r\n{`))
    expect(said).toContain('HTTP/1.1 ')
    expect(Date.now() - start).toBeLessThan(12_000)
  }, 20_000)

  /** Returns everything that the service sends until it closes the connection. */
  async function talk({ server }: Pick<Service['app'], 'server'>, speak: (socket: Socket) => void) {
    const address = server.address()
    const socket = connect(typeof address === 'object' && address ? address.port : 0, 'localhost')
    await once(socket, 'connect')
    speak(socket)
    return text(socket)
  }
})

const keptLog = () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { settings: { env: { LOG_LEVEL: 'trace' }, options: { logTo: stream } }, log: () => lines.join('') }
}

/** Starts a service and records its log. */
const loggedService = async (files: Files = {}) => {
  const { settings, log } = keptLog()
  return { service: await serviceWith({ files, ...settings }), log }
}

test('the service logs no failure when it is stopped while loading', async () => {
  const { settings, log } = keptLog()
  const files = { 'datasets/claims/claims.csv': `id,operadora,sexo\n${'1,CNU,F\n'.repeat(1_000_000)}` }
  const service = await startService({ files, ...settings })
  const loading = expect(service.loaded).rejects.toThrow(/abort/i)
  await service.stop()
  await loading
  expect(log()).not.toContain('could not be loaded')
})

test('the service logs no data when a file is refused or a query fails', async () => {
  const table = { file: 'claims.csv', csv: { types: { id: 'integer' } } }
  const people = (name: string) => `id,peso\n${'1,2\n'.repeat(30)}1,${name}\n`
  const broken = (id: string, file: string) => ({ id, name: 'x', tables: { Claims: { ...table, file } } })
  const { service, log } = await loggedService({
    'datasets/nearly/dataset.json': broken(UNKNOWN, 'c.csv'),
    'datasets/nearly/c.csv': people('Fulano Quase-Numero'),
    'datasets/refused/dataset.json': broken(UNKNOWN.replace('9', '8'), 'c.csv'),
    'datasets/refused/c.csv': 'id\n1\nFulano Sem-Numero\n',
    'datasets/claims/dataset.json': {
      ...claimsDataset,
      roles: [...claimsDataset.roles, { name: 'falha', rows: { Claims: 'CAST(operadora AS INTEGER) > 0' } }],
    },
  })
  expect(log()).toContain(
    'nearly/dataset.json: tables.Claims: c.csv: a coluna peso fica como texto: na linha 32, o valor',
  )
  expect(log()).toContain(
    'refused/dataset.json: tables.Claims: c.csv: linha 3: coluna id: o valor não é um número inteiro',
  )
  const token = await service.embedToken(['falha'])
  const question = { target: { table: 'Claims', column: 'sexo' } }
  const values = await service.embed(token, 'POST', `/reports/${REPORT}/values`, question)
  expect([values.statusCode, values.json().error.code]).toEqual([500, 'QueryFailed'])
  const data = await service.data(token)
  expect(data.json().failures.ids.code).toBe('QueryFailed')
  expect(log().match(/Conversion Error/g)?.length).toBeGreaterThan(1)
  for (const value of ['Fulano', 'BRADESCO', 'CNU', 'SANTA_CASA']) {
    expect(log()).not.toContain(value)
    expect(values.body + data.body).not.toContain(value)
  }
})

test('the service logs no tokens, secrets or identities', async () => {
  const { service, log: logged } = await loggedService()
  await service.oauth({ ...service.clientForm, client_secret: 'segredo-errado' })
  const entra = await service.entraToken()
  const [user] = service.credentials.users
  const { id_token, refresh_token, client_info } = (
    await service.oauth({
      grant_type: 'password',
      client_id: service.clientForm.client_id,
      username: user?.username ?? '',
      password: user?.password ?? '',
      scope: 'openid offline_access',
      client_info: '1',
    })
  ).json()
  const basic = Buffer.from(`${service.clientForm.client_id}:segredo-errado`).toString('base64')
  await service.app.inject({
    method: 'POST',
    url: '/organizations/oauth2/token',
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: `grant_type=refresh_token&refresh_token=${refresh_token}`,
  })
  await service.app.inject('/common/UserRealm/ana%40x.br?api-version=1.0')
  await service.app.inject('/common/userrealm/ana@x.br/')
  await service.app.inject('/common/%75serrealm/ana@x.br')
  const token = await service.embedToken(['por-usuario'], { customData: 'dado-do-usuario' })
  await service.data(token)
  await service.data(`${token}x`)
  await service.rest(entra, 'GET', `/groups/${GROUP}/reports/${REPORT}`)
  const log = logged()
  expect(log).toContain(`/embed-api/reports/${REPORT}/data`)
  for (const secret of [
    entra,
    token,
    id_token,
    refresh_token,
    client_info,
    basic,
    'segredo-errado',
    'ana@x.br',
    'ana%40x.br',
    'dado-do-usuario',
    service.credentials.signingKey,
    service.clientForm.client_secret,
    service.credentials.users[0]?.password ?? '',
  ]) {
    expect(log).not.toContain(secret)
  }
})

import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { GROUP, REPORT, serviceWith } from '../../test/fixture.ts'

const LIMIT = 5
const limited = () => serviceWith({ env: { REPORTS_RATE_LIMIT_PER_MINUTE: String(LIMIT) } })
type Service = Awaited<ReturnType<typeof limited>>

const publicCalls: [string, (service: Service) => Promise<{ statusCode: number }>, ...number[]][] = [
  ['wrong client secrets', ({ oauth, clientForm }) => oauth({ ...clientForm, client_secret: 'x' }), 401],
  ['successful calls of the token endpoint', ({ oauth, clientForm }) => oauth(clientForm), 200],
  [
    'wrong client secrets of the v1 endpoint, by Basic authentication',
    ({ app, clientForm: { client_id } }) =>
      app.inject({
        method: 'POST',
        url: '/Common/OAuth2/Token/',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${btoa(`${client_id}:x`)}`,
        },
        payload: 'grant_type=password',
      }),
    401,
  ],
  [
    'unknown refresh tokens',
    ({ oauth, clientForm: { client_id } }) =>
      oauth({ grant_type: 'refresh_token', client_id, refresh_token: 'x' }),
    400,
  ],
  ['discovery', ({ app }) => app.inject('/common/discovery/instance'), 400],
  ['user realms', ({ app }) => app.inject('/common/userrealm/ana@x.br'), 200],
  ['documents of a tenant', ({ app }) => app.inject('/common/v2.0/.well-known/openid-configuration'), 200],
  // 503 until the page has been built.
  ['the embed page', ({ app }) => app.inject('/reportEmbed?x=1'), 200, 503],
  ['data without a token', ({ embed }) => embed(undefined, 'POST', `/reports/${REPORT}/data`), 403],
  ['data with a forged token', ({ embed }) => embed('x.y.z', 'GET', `/reports/${REPORT}`), 403],
  ['REST calls without a token', ({ rest }) => rest(undefined, 'GET', '/groups'), 401],
  ['REST calls with a forged token', ({ rest }) => rest('x.y.z', 'GET', '/groups'), 403],
  ['unknown URLs', ({ app }) => app.inject('/nada'), 404],
]

test.each(publicCalls)('the service limits calls per address: %s', async (_name, call, ...statuses) => {
  const service = await limited()
  for (let made = 0; made < LIMIT; made += 1) expect(statuses).toContain((await call(service)).statusCode)
  const answer = await service.app.inject({ url: '/reportEmbed' })
  expect([(await call(service)).statusCode, answer.statusCode]).toEqual([429, 429])
  expect(answer.headers['retry-after']).toBeDefined()
  expect(answer.json().error.code).toBe('TooManyRequests')
  const elsewhere = await service.app.inject({ url: '/nada', remoteAddress: '10.0.0.9' })
  expect(elsewhere.statusCode).toBe(404)
})

test('calls with a valid token are not limited', async () => {
  const service = await limited()
  const entra = await service.entraToken()
  const token = await service.embedToken(['todos'])
  for (let made = 0; made < 3 * LIMIT; made += 1) {
    expect((await service.data(token)).statusCode).toBe(200)
    expect((await service.rest(entra, 'GET', `/groups/${GROUP}`)).statusCode).toBe(200)
  }
  for (let made = 0; made < LIMIT; made += 1) await service.app.inject('/nada')
  // Guesses at the same address do not block callers with a token.
  expect((await service.app.inject('/nada')).statusCode).toBe(429)
  expect((await service.data(token)).statusCode).toBe(200)
  expect((await service.app.inject('/healthz')).statusCode).toBe(200)
})

/** The limit counts IPv6 addresses by /64, as networkOf of the portal does. */
const forwarded: [address: string, spellings: string[], other: string][] = [
  [
    '192.0.2.66',
    ['192.0.2.66:1', '192.0.2.66:51234', '::ffff:192.0.2.66', '::FFFF:c000:242', '[::ffff:192.0.2.66]:9'],
    '192.0.2.67:1',
  ],
  [
    '2001:db8::1',
    ['[2001:db8::1]:1', '[2001:db8::1]:443', '2001:0DB8:0:0::0001', '[2001:db8::1]', '2001:db8::1%eth0'],
    '[2001:db8:0:1::1]:1',
  ],
  [
    'fe80::1',
    ['fe80::1%eth0', 'fe80::1%eth1', '[fe80::1%25eth0]:443', '[fe80::1%eth0]:9', 'fe80:0::1'],
    'fe80:0:0:1::1%eth0',
  ],
]

test.each(forwarded)(
  'the limit and the log have the address %s, whatever a proxy writes',
  async (address, spellings, other) => {
    const lines: string[] = []
    const logTo = new Writable({
      write: (line, _encoding, done) => {
        lines.push(String(line))
        done()
      },
    })
    const env = {
      REPORTS_RATE_LIMIT_PER_MINUTE: String(spellings.length),
      REPORTS_TRUST_PROXY: 'true',
      LOG_LEVEL: 'info',
    }
    const { app } = await serviceWith({ env, options: { logTo } })
    const callFrom = async (text: string) =>
      (await app.inject({ url: '/nada', headers: { 'x-forwarded-for': text } })).statusCode
    for (const spelling of spellings) expect(await callFrom(spelling), spelling).toBe(404)
    for (const spelling of spellings) expect(await callFrom(spelling), spelling).toBe(429)
    const logged = lines.map((line) => JSON.parse(line).address).filter(Boolean)
    expect(logged).toEqual(Array(2 * spellings.length).fill(address))
    expect(await callFrom(other)).toBe(404)
  },
)

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startOidcStandIn } from '../../../test/stand-ins/oidc-stand-in.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { createOidcClient, OidcFailure } from './oidc-client.ts'

let provider: Awaited<ReturnType<typeof startOidcStandIn>>
beforeAll(async () => {
  provider = await startOidcStandIn()
})
afterAll(() => provider.close())
const app = useTestApp(
  () => ({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'portal',
    SIGN_IN_FAILURES_PER_ADDRESS: '1000',
  }),
  { resets: false },
)
beforeAll(async () => {
  await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
})
beforeEach(async () => {
  provider.next.token = (good) => good
  provider.next.answer = undefined
})

const code = 'codigo-muito-secreto'
const enter = async () => {
  const { url: _, ...attempt } = (await app.anonymous.post('/login/oidc/inicio')).body
  provider.expectNonce(attempt.nonce)
  const retorno = `code=${code}&state=${attempt.estado}`
  return app.anonymous.post('/login/oidc', { ...attempt, retorno })
}

const clientOf = () =>
  createOidcClient({
    settings: {
      issuer: provider.issuer,
      clientId: 'portal',
      clientSecret: 'segredo-do-portal',
      clientSecretExpires: undefined,
      name: 'x',
      trustEmail: false,
      timeoutMs: 5_000,
    },
    redirectUri: 'http://localhost:3000/entrar/oidc',
    now: () => new Date(),
  })

const lastReason = async () => {
  const { detalhes } = await app.db
    .selectFrom('auditoria')
    .select('detalhes')
    .where('acao', '=', 'session.refused')
    .orderBy('idAuditoria', 'desc')
    .executeTakeFirstOrThrow()
  return detalhes.razao
}

type Change = typeof provider.next.token
const claiming =
  (claims: Record<string, unknown>): Change =>
  (good) => ({ ...good, claims: { ...good.claims, ...claims } })
const seconds = () => Math.floor(Date.now() / 1000)

const forgeries: [what: string, change: () => Change][] = [
  ['signed with another key', () => (good) => ({ ...good, signedWith: 'other' })],
  [
    'that names a key that is not published',
    () => (good) => ({ ...good, header: { alg: 'RS256', kid: 'b' } }),
  ],
  [
    'that is unsigned (alg none)',
    () => (good) => ({ ...good, header: { alg: 'none' }, signedWith: 'nothing' }),
  ],
  ['with its signature removed', () => (good) => ({ ...good, signedWith: 'nothing' })],
  [
    'signed with the public key as a secret',
    () => (good) => ({ ...good, header: { alg: 'HS256' }, signedWith: 'public key' }),
  ],
  ['for another application', () => claiming({ aud: 'outro' })],
  [
    'for several applications, authorized for another one',
    () => claiming({ aud: ['portal', 'outro'], azp: 'outro' }),
  ],
  ['of another issuer', () => claiming({ iss: 'https://mal.exemplo' })],
  ['that has expired', () => claiming({ exp: seconds() - 330, iat: seconds() - 600 })],
  ['that is not valid yet', () => claiming({ nbf: seconds() + 330 })],
  ['without an expiry', () => claiming({ exp: undefined })],
  ['without a subject', () => claiming({ sub: undefined })],
  ['with another nonce', () => claiming({ nonce: 'outro' })],
  ['without a nonce', () => claiming({ nonce: undefined })],
]

test('the portal accepts a valid token of the stand-in, so that the refusals below are due to the forgery', async () => {
  expect((await enter()).status).toBe(200)
})

describe('refuses a token', () => {
  test.each(forgeries)('the portal refuses a token: %s', async (_, change) => {
    provider.next.token = change()
    expect(await enter()).toMatchObject({ status: 401, body: { codigo: 'entrada_recusada' } })
  })
})

describe('a provider whose clock differs', () => {
  test.each([-240, 240])('a provider whose clock differs by %i seconds is accepted', async (by) => {
    const now = seconds() + by
    provider.next.token = claiming({ iat: now, nbf: now, exp: now + 60 })
    expect((await enter()).status).toBe(200)
  })

  test.each([-420, 420])(
    'a provider whose clock differs by %i seconds gets a sentence and an audit reason of its own',
    async (by) => {
      const now = seconds() + by
      provider.next.token = claiming({ iat: now, nbf: now, exp: now + 60 })
      const { status, body } = await enter()
      expect([status, body.detail]).toEqual([401, expect.stringMatching(/^O relógio do provedor/)])
      expect(await lastReason()).toBe('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')
    },
  )
})

test('an issuer with another slash at its end gets a sentence and a reason of its own', async () => {
  const sentence = /OIDC_ISSUER\) não é, letra por letra/
  provider.next.token = claiming({ iss: `${provider.issuer}/` })
  const { status, body } = await enter()
  expect([status, body.detail]).toEqual([503, expect.stringMatching(sentence)])
  expect(await lastReason()).toBe('issuer')
})

test('an issuer configured with another slash refuses the start, and is audited once', async () => {
  const issuer = `${provider.issuer}/realms/empresa`
  provider.next.metadata = { issuer: `${issuer}/` }
  const other = await startTestApp({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'portal' })
  onTestFinished(async () => {
    provider.next.metadata = {}
    await other.close()
  })
  for (let n = 0; n < 2; n += 1) {
    const { status, body } = await other.anonymous.post('/login/oidc/inicio')
    expect([status, body.detail]).toEqual([
      503,
      expect.stringMatching(/OIDC_ISSUER\) não é, letra por letra/),
    ])
  }
  const rows = await other.db
    .selectFrom('auditoria')
    .select('detalhes')
    .where('acao', '=', 'session.refused')
    .execute()
  expect(rows.map(({ detalhes }) => detalhes.razao)).toEqual(['issuer'])
})

test.each([
  ['that the portal refuses', 'maria.exemplo.com.br', /^O portal não aceita o e-mail/, 'email_refused'],
  ['that is missing', undefined, /^O provedor de identidade não informou/, 'email_missing'],
])('an e-mail %s gets a sentence and an audit reason of its own', async (_, email, sentence, reason) => {
  provider.next.token = claiming({ email, sub: 'outra' })
  const { status, body } = await enter()
  expect([status, body.detail]).toEqual([401, expect.stringMatching(sentence)])
  expect(await lastReason()).toBe(reason)
})

describe('a token answer of the provider', () => {
  test.each([
    ['invalid_grant', 400, 401],
    ['invalid_client', 401, 503],
    ['unauthorized_client', 400, 503],
    ['temporarily_unavailable', 400, 503],
    ['server_error', 500, 503],
  ])('%s with status %i makes the portal answer %i', async (error, status, expected) => {
    provider.next.answer = { status, body: { error, error_description: `sobre ${code}` } }
    expect((await enter()).status).toBe(expected)
  })

  test.each([
    ['that is not JSON', '<html>'],
    ['without a token', { token_type: 'Bearer' }],
    ['without an ID token', { access_token: 'a', token_type: 'Bearer' }],
  ])('%s is refused with 401', async (_, body) => {
    provider.next.answer = { status: 200, body }
    expect((await enter()).status).toBe(401)
  })

  test('a token answer of the provider of endless length is cut off', async () => {
    provider.next.answer = { status: 200, body: JSON.stringify({ access_token: 'x'.repeat(2_000_000) }) }
    expect((await enter()).status).toBe(503)
  })
})

test('the cause of a refusal contains no code, verifier, secret or claim', async () => {
  const client = clientOf()
  const answers = [
    { status: 400, body: { error: 'invalid_grant', error_description: `no ${code} segredo-do-portal` } },
    { status: 500, body: { error: code } },
    undefined,
  ]
  provider.next.token = claiming({ aud: 'outro' })
  for (const answer of answers) {
    provider.next.answer = answer
    const { url: _, ...attempt } = await client.start()
    provider.expectNonce(attempt.nonce)
    const back = { ...attempt, retorno: `code=${code}&state=${attempt.estado}` }
    const error: unknown = await client.finish(back).catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(Problem)
    const { cause } = error as Problem
    expect(cause).toBeInstanceOf(OidcFailure)
    const { message, reason, stack } = cause as OidcFailure
    const text = [message, reason, stack, JSON.stringify(cause)].join()
    for (const secret of [code, attempt.verificador, attempt.nonce, 'segredo-do-portal', 'maria']) {
      expect(text).not.toContain(secret)
    }
    expect((cause as OidcFailure).cause).toBeUndefined()
  }
})

describe('a discovery document', () => {
  test.each([
    ['of another issuer', () => ({ issuer: 'https://mal.exemplo' })],
    ['without an authorization endpoint', () => ({ authorization_endpoint: undefined })],
    [
      'whose authorization endpoint is not an http(s) address',
      () => ({ authorization_endpoint: 'javascript:alert(1)' }),
    ],
    ['without a token endpoint', () => ({ token_endpoint: undefined })],
    ['without a key set address', () => ({ jwks_uri: undefined })],
  ])('%s is not used', async (_, metadata) => {
    provider.next.metadata = metadata()
    const failure = await clientOf()
      .start()
      .catch((error: unknown) => error)
    provider.next.metadata = {}
    expect(failure).toMatchObject({ codigo: 'provedor_indisponivel', cause: expect.any(OidcFailure) })
  })
})

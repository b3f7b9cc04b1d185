import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type OidcProvider,
  signInAtProvider,
  startOidcProvider,
} from '../../../test/stand-ins/oidc-provider.ts'
import {
  auditOf,
  type Entrance,
  maria,
  publicUrl,
  redirectUri,
  signInAt,
} from '../../../test/stand-ins/oidc-sign-in.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let provider: OidcProvider
let at: Entrance
beforeAll(async () => {
  provider = await startOidcProvider({ redirectUris: [redirectUri] })
})
afterAll(() => provider.close())
const app = useTestApp(() => ({ PUBLIC_URL: publicUrl, ...provider.settings }))
beforeAll(async () => {
  at = signInAt(app, provider)
})
beforeEach(() => provider.people.clear())

test('POST /login/oidc/inicio returns a provider address with PKCE, state and nonce, and stores nothing', async () => {
  const { url, estado, nonce, verificador } = await at.start()
  const { origin, searchParams } = new URL(url)
  expect(origin).toBe(provider.issuer)
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'portal',
    redirect_uri: redirectUri,
    response_type: 'code',
    response_mode: 'query',
    scope: 'openid profile email',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: estado,
    nonce,
  })
  expect(url).not.toContain(verificador)
  const again = await at.start()
  expect([again.estado, again.nonce, again.verificador]).not.toEqual([estado, nonce, verificador])
})

describe('POST /login/oidc refuses', () => {
  beforeEach(async () => {
    await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
  })
  const refused = { status: 401, body: { codigo: 'entrada_recusada' } }
  const reasons = async () => (await auditOf(app, 'session.refused')).map(({ detalhes }) => detalhes.razao)

  test('POST /login/oidc refuses a state, nonce or verifier of another attempt', async () => {
    const other = await at.start()
    for (const wrong of ['estado', 'nonce', 'verificador']) {
      expect(await at.finish({ ...(await at.comeBack()), [wrong]: other[wrong] })).toMatchObject(refused)
    }
    expect(await reasons()).toEqual([
      'OAUTH_INVALID_RESPONSE',
      'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
      'invalid_grant',
    ])
  })

  test('POST /login/oidc refuses a code that was used, invented or issued to another application', async () => {
    const back = await at.comeBack()
    expect((await at.finish(back)).status).toBe(200)
    expect(await at.finish(back)).toMatchObject(refused)
    const invented = back.retorno.replace(/code=[^&]+/, 'code=inventado')
    expect(await at.finish({ ...back, retorno: invented })).toMatchObject(refused)

    const { url, ...attempt } = await at.start()
    const elsewhere = url.replace('client_id=portal', `client_id=${provider.otherClient}`)
    const retorno = await signInAtProvider(elsewhere, maria.sub, redirectUri)
    expect(await at.finish({ ...attempt, retorno })).toMatchObject(refused)
    expect(await reasons()).toEqual(Array(3).fill('invalid_grant'))
  })

  test('POST /login/oidc refuses a response of another provider, or one without an issuer', async () => {
    const back = await at.comeBack()
    const issuer = encodeURIComponent(provider.issuer)
    expect(back.retorno).toContain(`iss=${issuer}`)
    for (const retorno of [
      back.retorno.replace(issuer, encodeURIComponent('https://mal.exemplo')),
      back.retorno.replace(`iss=${issuer}`, 'x=1'),
      `${back.retorno}&state=outro`,
      'lixo',
      '?',
    ]) {
      expect(await at.finish({ ...back, retorno })).toMatchObject(refused)
    }
    // None of these attempts has consumed the code.
    expect((await at.finish({ ...back, retorno: `?${back.retorno}` })).status).toBe(200)
  })

  test('POST /login/oidc refuses a person who cancelled at the provider', async () => {
    const { url, ...attempt } = await at.start()
    const retorno = await signInAtProvider(url, 'desconhecida', redirectUri)
    expect(retorno).toContain('error=access_denied')
    expect(await at.finish({ ...attempt, retorno })).toMatchObject(refused)
    expect(await reasons()).toEqual(['access_denied'])
  })

  test('POST /login/oidc refuses a flood from one address, not counting successful sign-ins', async () => {
    const { url: _, ...attempt } = await at.start()
    for (let i = 0; i < 3; i += 1) expect((await at.finish(await at.comeBack())).status).toBe(200)
    const wrong = { ...attempt, retorno: `code=x&state=${attempt.estado}` }
    for (let i = 0; i < 100; i += 1) expect((await at.finish(wrong)).status).toBe(401)
    const { status, headers } = await at.finish(wrong)
    expect([status, headers['retry-after']]).toEqual([429, expect.any(String)])
  })

  test('POST /login/oidc refuses a malformed body', async () => {
    for (const body of [{}, { retorno: '', estado: 'a', nonce: 'b', verificador: 'c' }, 'lixo']) {
      expect((await at.finish(body)).status).toBeGreaterThanOrEqual(400)
      expect((await at.finish(body)).status).toBeLessThan(500)
    }
  })
})

test('POST /login/oidc accepts the e-mail from the ID token itself', async () => {
  const direct = await startOidcProvider({ redirectUris: [redirectUri], claimsInToken: true })
  const portal = await startTestApp({ PUBLIC_URL: publicUrl, ...direct.settings })
  try {
    const user = await createUser(portal, { emailUsuario: 'maria@exemplo.com.br' })
    expect((await signInAt(portal, direct).enter()).body.usuario_id).toBe(user.idUsuario)
  } finally {
    await portal.close()
    await direct.close()
  }
})

describe('a provider that', () => {
  const away = { status: 503, body: { codigo: 'provedor_indisponivel' } }
  let portal: TestApp | undefined
  afterEach(async () => {
    await portal?.close()
    portal = undefined
  })

  test('a provider that was unavailable is retried by the next sign-in', async () => {
    const first = await startOidcProvider({ redirectUris: [redirectUri] })
    portal = await startTestApp({ PUBLIC_URL: publicUrl, ...first.settings })
    await first.close()
    const begin = () => portal?.anonymous.post('/login/oidc/inicio')
    expect(await begin()).toMatchObject(away)
    const port = Number(new URL(first.issuer).port)
    const back = await startOidcProvider({ redirectUris: [redirectUri], port })
    expect((await begin())?.status).toBe(200)

    const { comeBack, finish } = signInAt(portal, back)
    const returned = await comeBack()
    await back.close()
    expect(await finish(returned)).toMatchObject(away)
  })

  test('a provider that does not answer is waited for no longer than configured', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    portal = await startTestApp({
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: 'portal',
      OIDC_TIMEOUT_SECONDS: '1',
    })
    const began = performance.now()
    expect(await portal.anonymous.post('/login/oidc/inicio')).toMatchObject(away)
    expect(performance.now() - began).toBeLessThan(10_000)
    silent.closeAllConnections()
    silent.close()
  })

  test("a provider that rejects the portal's client secret gives 503 and points to an administrator", async () => {
    const settings = { ...provider.settings, OIDC_CLIENT_SECRET: 'outro segredo' }
    portal = await startTestApp({ PUBLIC_URL: publicUrl, ...settings })
    const { status, body } = await signInAt(portal, provider).enter()
    expect(status).toBe(503)
    expect(body.detail).toContain('Avise um administrador')
  })
})

describe('the portal', () => {
  test('the portal without a provider answers 404 to OIDC calls', async () => {
    const portal = await startTestApp()
    try {
      for (const url of ['/login/oidc/inicio', '/login/oidc']) {
        expect(await portal.anonymous.post(url)).toMatchObject({ status: 404 })
      }
      expect((await portal.anonymous.get('/portal')).body).toMatchObject({
        entradaComSenha: true,
        provedorIdentidade: null,
      })
    } finally {
      await portal.close()
    }
  })

  test('the portal without password sign-in accepts the provider only', async () => {
    const portal = await startTestApp({
      PUBLIC_URL: publicUrl,
      ...provider.settings,
      PASSWORD_SIGN_IN: 'false',
    })
    try {
      const user = await createUser(portal, { emailUsuario: 'maria@exemplo.com.br' })
      const answer = await portal.anonymous.post('/usuarios/authorizer', {
        username: user.emailUsuario,
        password: user.password,
      })
      expect(answer).toMatchObject({ status: 403, body: { codigo: 'senha_desativada' } })
      expect((await signInAt(portal, provider).enter()).status).toBe(200)
      expect((await portal.anonymous.get('/portal')).body).toMatchObject({ entradaComSenha: false })
    } finally {
      await portal.close()
    }
  })
})

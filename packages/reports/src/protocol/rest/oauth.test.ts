import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_SCOPE, type Service, serviceWith, startService, UNKNOWN } from '../../../test/fixture.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.loaded
})
afterAll(() => service.stop())

const passwordForm = () => ({
  grant_type: 'password',
  client_id: service.clientForm.client_id,
  username: service.credentials.users[0]?.username ?? '',
  password: service.credentials.users[0]?.password ?? '',
  scope: 'openid',
})

describe('the token endpoint accepts', () => {
  test('the token endpoint accepts an application with its secret', async () => {
    const answer = await service.oauth(service.clientForm)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({
      token_type: 'Bearer',
      expires_in: 3599,
      ext_expires_in: 3599,
      access_token: expect.any(String),
    })
    expect((await service.rest(answer.json().access_token, 'GET', '/groups')).statusCode).toBe(200)
  })

  test.each([
    'openid',
    API_SCOPE,
    'openid profile offline_access',
    'https://analysis.windows.net/powerbi/api/Report.Read.All',
  ])('the token endpoint accepts a master user with scope %s', async (scope) => {
    const answer = await service.oauth({ ...passwordForm(), scope })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 3599, scope })
    expect((await service.rest(answer.json().access_token, 'GET', '/groups')).statusCode).toBe(200)
  })

  test('the token endpoint accepts a user name and a tenant in another case', async () => {
    const form = { ...passwordForm(), username: passwordForm().username.toUpperCase() }
    expect((await service.oauth(form, service.credentials.tenantId.toUpperCase())).statusCode).toBe(200)
  })

  test("the token endpoint accepts an application and a master user for the tenant 'organizations'", async () => {
    for (const form of [service.clientForm, passwordForm()]) {
      const answer = await service.oauth(form, 'organizations')
      expect(answer.statusCode).toBe(200)
      expect((await service.rest(answer.json().access_token, 'GET', '/groups')).statusCode).toBe(200)
    }
  })
})

/** Reads the claims of a token without a check. */
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('a master user gets', () => {
  test('a master user gets an id token, client_info and a refresh token, as MSAL asks for them', async () => {
    const scope = `${API_SCOPE} openid profile offline_access`
    const answer = await service.oauth({ ...passwordForm(), scope, client_info: '1' })
    const { id_token, client_info, refresh_token } = answer.json()
    const { tenantId } = service.credentials
    expect(refresh_token).toEqual(expect.any(String))
    const { uid, utid } = JSON.parse(Buffer.from(client_info, 'base64').toString())
    expect([uid, utid]).toEqual([expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-/), tenantId])
    expect(claimsOf(id_token)).toMatchObject({
      ver: '2.0',
      iss: `http://localhost:3001/${tenantId}/v2.0`,
      aud: service.clientForm.client_id,
      oid: uid,
      tid: tenantId,
      preferred_username: passwordForm().username,
      exp: service.clock.now / 1000 + 3599,
    })
    const again = await service.oauth({
      ...passwordForm(),
      scope,
      username: 'RELATORIOS@local',
      client_info: '1',
    })
    expect(again.json().client_info).toBe(client_info)
  })

  test.each([
    ['no id token without openid', API_SCOPE, 'id_token'],
    ['no refresh token without offline_access', 'openid', 'refresh_token'],
    ['no client_info unasked', 'openid offline_access', 'client_info'],
  ])('a master user gets %s', async (_name, scope, field) => {
    expect(Object.keys((await service.oauth({ ...passwordForm(), scope })).json())).not.toContain(field)
  })
})

describe('client credentials', () => {
  test("client credentials accept OpenID's scopes beside .default, without a user's tokens", async () => {
    const scope = `openid profile ${API_SCOPE} offline_access`
    const answer = await service.oauth({ ...service.clientForm, scope, client_info: '1' })
    expect(answer.statusCode).toBe(200)
    expect(Object.keys(answer.json())).toEqual(['token_type', 'expires_in', 'ext_expires_in', 'access_token'])
  })

  test.each(['openid', `${API_SCOPE} tudo`, 'https://analysis.windows.net/powerbi/api/Report.Read.All'])(
    'client credentials refuse the scope %s',
    async (scope) => {
      const answer = await service.oauth({ ...service.clientForm, scope })
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_scope'])
    },
  )
})

/** Posts a form to a path below the tenant. */
const post = (path: string, form: Record<string, string>, authorization?: string) =>
  service.app.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(authorization && { authorization }),
    },
    payload: new URLSearchParams(form).toString(),
  })

describe('Basic authentication', () => {
  const basic = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`
  const ask = (authorization: string, form: Record<string, string> = {}) =>
    post(
      `/${service.credentials.tenantId}/oauth2/v2.0/token`,
      { grant_type: 'client_credentials', scope: API_SCOPE, ...form },
      authorization,
    )

  test('Basic authentication opens the API, with and without client_id in the form', async () => {
    const { client_id, client_secret } = service.clientForm
    const header = basic(client_id, client_secret)
    for (const form of [undefined, { client_id: client_id.toUpperCase() }]) {
      const answer = await ask(header, form)
      expect(answer.statusCode, answer.body).toBe(200)
      expect((await service.rest(answer.json().access_token, 'GET', '/groups')).statusCode).toBe(200)
    }
  })

  test('Basic authentication is refused with wrong, contradictory or unreadable credentials', async () => {
    const { client_id, client_secret } = service.clientForm
    const right = basic(client_id, client_secret)
    const refusals: [string, Record<string, string>, number, string, number][] = [
      [basic(client_id, 'x'), {}, 401, 'invalid_client', 7000215],
      [basic(UNKNOWN, client_secret), {}, 400, 'unauthorized_client', 700016],
      [right, { client_id: UNKNOWN }, 400, 'invalid_request', 9002313],
      [right, { client_secret }, 400, 'invalid_request', 9002313],
      ['Basic eA==', {}, 401, 'invalid_client', 7000218],
      [basic(client_id, ''), {}, 401, 'invalid_client', 7000218],
    ]
    for (const [header, form, status, error, code] of refusals) {
      const answer = await ask(header, form)
      expect([answer.statusCode, answer.json().error, answer.json().error_codes]).toEqual([
        status,
        error,
        [code],
      ])
      expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic' : undefined)
    }
  })
})

describe('the v1 token endpoint', () => {
  const RESOURCE = 'https://analysis.windows.net/powerbi/api'
  const v1 = (form: Record<string, string>, tenant = service.credentials.tenantId) =>
    post(`/${tenant}/oauth2/token`, form)
  const withResource = (form: Record<string, string>, resource = RESOURCE) => {
    const { scope: _v2, ...rest } = form
    return { ...rest, resource }
  }

  test.each([RESOURCE, `${RESOURCE}/`])(
    'the v1 token endpoint answers an application for %s, with numbers as texts',
    async (resource) => {
      const answer = await v1(withResource(service.clientForm, resource))
      const now = service.clock.now / 1000
      expect(answer.json()).toEqual({
        token_type: 'Bearer',
        expires_in: '3599',
        ext_expires_in: '3599',
        expires_on: String(now + 3599),
        not_before: String(now),
        resource: RESOURCE,
        access_token: expect.any(String),
      })
      expect((await service.rest(answer.json().access_token, 'GET', '/groups')).statusCode).toBe(200)
    },
  )

  test('the v1 token endpoint answers a master user with a refresh token, which it renews', async () => {
    for (const tenant of ['common', 'organizations', 'local']) {
      const answer = await v1({ ...withResource(passwordForm()), scope: 'openid' }, tenant)
      expect(answer.json()).toMatchObject({ scope: 'user_impersonation', refresh_token: expect.any(String) })
      expect(claimsOf(answer.json().id_token)).toMatchObject({ ver: '1.0', upn: passwordForm().username })
      const { client_id } = service.clientForm
      const { refresh_token } = answer.json()
      const renewed = await v1({ grant_type: 'refresh_token', client_id, refresh_token }, tenant)
      expect([renewed.statusCode, Object.keys(renewed.json())]).toEqual([
        200,
        expect.arrayContaining(['access_token', 'refresh_token', 'id_token']),
      ])
    }
  })

  test.each<[string, () => Record<string, string>, number, string, number]>([
    ['no resource', () => service.clientForm, 400, 'invalid_request', 900144],
    [
      'another resource',
      () => withResource(service.clientForm, 'https://graph.microsoft.com'),
      400,
      'invalid_resource',
      500011,
    ],
    [
      'a wrong secret',
      () => withResource({ ...service.clientForm, client_secret: 'x' }),
      401,
      'invalid_client',
      7000215,
    ],
    [
      'a wrong password',
      () => withResource({ ...passwordForm(), password: 'x' }),
      400,
      'invalid_grant',
      50126,
    ],
  ])('the v1 token endpoint refuses %s', async (_name, form, status, error, code) => {
    const answer = await v1(form())
    expect([answer.statusCode, answer.json().error, answer.json().error_codes]).toEqual([
      status,
      error,
      [code],
    ])
  })
})

describe('the tenant', () => {
  test('the tenant may be a domain of its users, or one of the service file', async () => {
    expect((await service.oauth(service.clientForm, 'Local')).statusCode).toBe(200)
    expect((await service.oauth(service.clientForm, 'contoso.com')).statusCode).toBe(400)
    const other = await serviceWith({
      files: { 'service.json': { ...service.credentials, tenantDomains: ['Contoso.com'] } },
    })
    expect((await other.oauth(service.clientForm, 'contoso.com')).statusCode).toBe(200)
  })

  test('the tenant is not common for a password in v2, nor for an application', async () => {
    const user = await service.oauth(passwordForm(), 'common')
    expect([user.statusCode, user.json().error_codes]).toEqual([400, [9001023]])
    const { scope: _v2, ...form } = service.clientForm
    const client = await post('/common/oauth2/token', {
      ...form,
      resource: 'https://analysis.windows.net/powerbi/api',
    })
    expect([client.statusCode, client.json().error_codes]).toEqual([400, [90002]])
  })
})

describe('the token endpoint refuses', () => {
  const client = (change: object) => () => ({ ...service.clientForm, ...change })
  const user = (change: object) => () => ({ ...passwordForm(), ...change })
  const without = (name: string) => () =>
    Object.fromEntries(Object.entries(service.clientForm).filter(([key]) => key !== name))

  test.each<[string, () => Record<string, string>, number, string, number]>([
    ['a wrong secret', client({ client_secret: 'x' }), 401, 'invalid_client', 7000215],
    ['no secret', without('client_secret'), 401, 'invalid_client', 7000218],
    ['an unknown application', client({ client_id: UNKNOWN }), 400, 'unauthorized_client', 700016],
    [
      'an unknown application with a password',
      user({ client_id: UNKNOWN }),
      400,
      'unauthorized_client',
      700016,
    ],
    ['a wrong scope', client({ scope: 'https://graph.microsoft.com/.default' }), 400, 'invalid_scope', 70011],
    ['a wrong scope with a password', user({ scope: 'openid tudo' }), 400, 'invalid_scope', 70011],
    ['no scope', without('scope'), 400, 'invalid_request', 900144],
    ['another grant', client({ grant_type: 'device_code' }), 400, 'unsupported_grant_type', 70003],
    [
      'a grant named like an inherited property',
      client({ grant_type: 'constructor' }),
      400,
      'unsupported_grant_type',
      70003,
    ],
    ['no grant', without('grant_type'), 400, 'invalid_request', 900144],
    ['a wrong password', user({ password: 'x' }), 400, 'invalid_grant', 50126],
    ['an unknown user', user({ username: 'x' }), 400, 'invalid_grant', 50126],
    ['a user with a wrong secret', user({ client_secret: 'x' }), 401, 'invalid_client', 7000215],
  ])('the token endpoint refuses %s', async (_name, form, status, error, code) => {
    const answer = await service.oauth(form())
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual({
      error,
      error_description: expect.stringMatching(`^AADSTS${code}: `),
      error_codes: [code],
      timestamp: '2026-03-01 12:00:00Z',
      trace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      correlation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      error_uri: `https://login.microsoftonline.com/error?code=${code}`,
    })
  })

  test('the token endpoint refuses an unknown tenant', async () => {
    const answer = await service.oauth(service.clientForm, 'common')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_request', error_codes: [90002] })
  })

  test('the token endpoint refuses a body that is not a form', async () => {
    const url = `/${service.credentials.tenantId}/oauth2/v2.0/token`
    const answer = await service.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_request', error_codes: [900144] })
  })
})

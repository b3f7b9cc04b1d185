import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_SCOPE, type Service, startService, UNKNOWN } from '../../test/fixture.ts'

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
  it('an application with its secret', async () => {
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

  it.each([
    'openid',
    API_SCOPE,
    'openid profile offline_access',
    'https://analysis.windows.net/powerbi/api/Report.Read.All',
  ])('a master user with scope %s', async (scope) => {
    const answer = await service.oauth({ ...passwordForm(), scope })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 3599, scope })
    expect((await service.rest(answer.json().access_token, 'GET', '/groups')).statusCode).toBe(200)
  })

  it('a user name and a tenant in another case', async () => {
    const form = { ...passwordForm(), username: passwordForm().username.toUpperCase() }
    expect((await service.oauth(form, service.credentials.tenantId.toUpperCase())).statusCode).toBe(200)
  })

  it("an application and a master user for the tenant 'organizations'", async () => {
    for (const form of [service.clientForm, passwordForm()]) {
      const answer = await service.oauth(form, 'organizations')
      expect(answer.statusCode).toBe(200)
      expect((await service.rest(answer.json().access_token, 'GET', '/groups')).statusCode).toBe(200)
    }
  })
})

describe('the token endpoint refuses', () => {
  const client = (change: object) => () => ({ ...service.clientForm, ...change })
  const user = (change: object) => () => ({ ...passwordForm(), ...change })
  const without = (name: string) => () =>
    Object.fromEntries(Object.entries(service.clientForm).filter(([key]) => key !== name))

  it.each<[string, () => Record<string, string>, number, string, number]>([
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
  ])('%s', async (_name, form, status, error, code) => {
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

  it('an unknown tenant', async () => {
    const answer = await service.oauth(service.clientForm, 'common')
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_request', error_codes: [90002] })
  })

  it('a body that is not a form', async () => {
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

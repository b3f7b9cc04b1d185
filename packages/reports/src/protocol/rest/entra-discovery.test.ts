import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService, UNKNOWN } from '../../../test/fixture.ts'

const PUBLIC = 'https://bi.example.org'
const MICROSOFT = 'login.microsoftonline.com'

let service: Service
let tenantId: string
beforeAll(async () => {
  service = await startService({ env: { REPORTS_URL: PUBLIC } })
  await service.loaded
  tenantId = service.credentials.tenantId
})
afterAll(() => service.stop())

const get = (url: string, host = 'bi.example.org') => service.app.inject({ url, headers: { host } })

describe('/.well-known/openid-configuration', () => {
  test('/.well-known/openid-configuration names the endpoints of v1 and v2 at the public address', async () => {
    const v2 = (await get(`/${tenantId}/v2.0/.well-known/openid-configuration`)).json()
    expect(v2).toMatchObject({
      issuer: `${PUBLIC}/${tenantId}/v2.0`,
      authorization_endpoint: `${PUBLIC}/${tenantId}/oauth2/v2.0/authorize`,
      token_endpoint: `${PUBLIC}/${tenantId}/oauth2/v2.0/token`,
      jwks_uri: `${PUBLIC}/${tenantId}/discovery/v2.0/keys`,
    })
    const v1 = (await get(`/${tenantId}/.well-known/openid-configuration`)).json()
    expect(v1).toMatchObject({
      issuer: `${PUBLIC}/${tenantId}/`,
      token_endpoint: `${PUBLIC}/${tenantId}/oauth2/token`,
    })
    for (const { jwks_uri } of [v1, v2])
      expect((await get(new URL(jwks_uri).pathname)).json()).toEqual({ keys: [] })
  })

  test.each(['organizations', 'common'])(
    '/.well-known/openid-configuration keeps the name %s in its addresses',
    async (name) => {
      const answer = await get(`/${name.toUpperCase()}/v2.0/.well-known/openid-configuration`)
      expect(answer.json()).toMatchObject({
        issuer: `${PUBLIC}/{tenantid}/v2.0`,
        token_endpoint: `${PUBLIC}/${name}/oauth2/v2.0/token`,
      })
    },
  )

  test("/.well-known/openid-configuration finds the tenant by a domain of its users, at Microsoft's address too", async () => {
    const answer = await get('/LOCAL/v2.0/.well-known/openid-configuration', MICROSOFT)
    expect(answer.json().token_endpoint).toBe(`https://${MICROSOFT}/${tenantId}/oauth2/v2.0/token`)
  })

  test('/.well-known/openid-configuration refuses an unknown tenant', async () => {
    for (const tenant of [UNKNOWN, 'contoso.com', 'consumers']) {
      const answer = await get(`/${tenant}/v2.0/.well-known/openid-configuration`)
      expect([answer.statusCode, answer.json().error, answer.json().error_codes]).toEqual([
        400,
        'invalid_tenant',
        [90002],
      ])
    }
  })

  test.each(['evil.example', `${MICROSOFT}.evil.example`, `evil.example@${MICROSOFT}`, ''])(
    '/.well-known/openid-configuration never repeats the foreign host %o, to which clients would send their secrets',
    async (host) => {
      const { body } = await get(`/${tenantId}/v2.0/.well-known/openid-configuration`, host)
      expect(JSON.parse(body).token_endpoint).toMatch(`${PUBLIC}/`)
      expect(body).not.toContain('evil')
      const forwarded = await service.app.inject({
        url: `/${tenantId}/v2.0/.well-known/openid-configuration`,
        headers: { host: 'bi.example.org', 'x-forwarded-host': MICROSOFT },
      })
      expect(forwarded.json().token_endpoint).toMatch(`${PUBLIC}/`)
    },
  )
})

describe('/common/discovery/instance', () => {
  const discover = (authority: string, version = '1.1') =>
    get(
      `/common/discovery/instance?api-version=${version}&authorization_endpoint=${encodeURIComponent(authority)}`,
    )

  test.each([
    [`https://${MICROSOFT}/x/oauth2/v2.0/authorize`, `https://${MICROSOFT}/x/v2.0`],
    ['https://login.windows.net/common/oauth2/authorize', 'https://login.windows.net/common'],
    ['https://bi.example.org/x/oauth2/v2.0/authorize', `${PUBLIC}/x/v2.0`],
  ])('/common/discovery/instance knows %s', async (authority, base) => {
    const answer = await discover(authority)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      tenant_discovery_endpoint: `${base}/.well-known/openid-configuration`,
      'api-version': '1.1',
    })
    const hosts: string[] = answer.json().metadata.flatMap(({ aliases }: { aliases: string[] }) => aliases)
    expect(hosts).toContain(new URL(authority).host)
  })

  test.each(['https://evil.example/x/oauth2/v2.0/authorize', 'x', '', `https://${MICROSOFT}:1/x`])(
    '/common/discovery/instance refuses %o',
    async (authority) => {
      const answer = await discover(authority)
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_instance'])
      expect(answer.body).not.toContain('evil')
    },
  )
})

describe('/common/userrealm/{user}', () => {
  test('/common/userrealm/{user} answers the same for users that exist and that do not', async () => {
    const of = async (user: string) =>
      (await get(`/common/UserRealm/${encodeURIComponent(user)}?api-version=1.0`)).json()
    const existing = await of(service.credentials.users[0]?.username ?? '')
    expect(existing).toEqual({
      ver: '1.0',
      account_type: 'Managed',
      domain_name: 'local',
      cloud_instance_name: 'microsoftonline.com',
      cloud_audience_urn: 'urn:federation:MicrosoftOnline',
    })
    expect(await of('ninguem@local')).toEqual(existing)
  })
})

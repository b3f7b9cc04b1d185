import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { API_SCOPE, type Service, startService, writeFiles } from '../../../test/fixture.ts'
import { buildApp } from '../../app.ts'
import { SIGN_INS } from './refresh-tokens.ts'

const SCOPE = `${API_SCOPE} openid profile offline_access`
const API = API_SCOPE.replace('/.default', '')
const OTHER = 'c0000000-0000-4000-8000-000000000009'
const DAY = 24 * 3600_000

let service: Service
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.stop())

const ofPassword = ({ credentials, clientForm }: Service) => ({
  grant_type: 'password',
  client_id: clientForm.client_id,
  username: credentials.users[0]?.username ?? '',
  password: credentials.users[0]?.password ?? '',
  scope: SCOPE,
})
const signIn = async (more: object = {}): Promise<string> =>
  (await service.oauth({ ...ofPassword(service), ...more })).json().refresh_token
const refresh = (token: string, more: Record<string, string> = {}) =>
  service.oauth({
    grant_type: 'refresh_token',
    client_id: service.clientForm.client_id,
    refresh_token: token,
    ...more,
  })
const refusal = async (token: string, more: Record<string, string> = {}) => {
  const answer = await refresh(token, more)
  return [answer.statusCode, answer.json().error, answer.json().error_codes?.[0]]
}
const signIns = () => readdir(join(service.dataDir, SIGN_INS))

test('a refresh answers a token for the same user, and the next refresh token', async () => {
  const first = await signIn()
  const answer = await refresh(first, { client_info: '1' })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json()).toEqual({
    token_type: 'Bearer',
    scope: SCOPE,
    expires_in: 3599,
    ext_expires_in: 3599,
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    id_token: expect.any(String),
    client_info: expect.any(String),
  })
  const { access_token, refresh_token } = answer.json()
  await service.loaded
  expect((await service.rest(access_token, 'GET', '/groups')).statusCode).toBe(200)
  expect(refresh_token).not.toBe(first)
  expect((await refresh(refresh_token)).statusCode).toBe(200)
  expect(await signIns()).toHaveLength(1)
})

test.each([
  ['the same scopes', SCOPE],
  ['fewer', 'openid'],
  ['a permission of the whole API', `${API}/Report.Read.All offline_access`],
])('a refresh may ask for %s', async (_name, scope) => {
  const answer = await refresh(await signIn(), { scope })
  expect([answer.statusCode, answer.json().scope]).toEqual([200, scope])
})

test.each([
  ['another permission', `${API}/Report.Read.All openid offline_access`, `${API}/Dataset.ReadWrite.All`],
  ['the whole API', `${API}/Report.Read.All offline_access`, API_SCOPE],
  ['an id token', `${API_SCOPE} offline_access`, 'openid'],
])('a refresh that asks for %s is refused, and its token stays valid', async (_name, granted, scope) => {
  const token = await signIn({ scope: granted })
  expect(await refusal(token, { scope })).toEqual([400, 'invalid_scope', 70011])
  expect((await refresh(token)).json().scope).toBe(granted)
})

test('a folder that cannot be used is no fault of the token', async () => {
  const token = await signIn()
  await rename(join(service.dataDir, SIGN_INS), join(service.dataDir, 'moved'))
  await writeFiles(service.dataDir, { [SIGN_INS]: 'a file' })
  expect(await refusal(token)).toEqual([500, 'server_error', 90033])
  await rm(join(service.dataDir, SIGN_INS))
  await rename(join(service.dataDir, 'moved'), join(service.dataDir, SIGN_INS))
  expect((await refresh(token)).statusCode).toBe(200)
})

test('a redeemed token is refused, and ends its sign-in alone', async () => {
  const other = await signIn()
  const first = await signIn()
  const { refresh_token: second } = (await refresh(first)).json()
  expect(await refusal(first)).toEqual([400, 'invalid_grant', 50173])
  expect(await refusal(second)).toEqual([400, 'invalid_grant', 50173])
  expect((await refresh(other)).statusCode).toBe(200)
})

test('of several simultaneous redemptions at most one succeeds', async () => {
  const token = await signIn()
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)))
  expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(1)
})

test('a token ends a day after the sign-in, however often it is refreshed', async () => {
  let token = await signIn()
  for (let half = 0; half < 2; half += 1) {
    service.clock.now += DAY / 2 - 60_000
    const answer = await refresh(token)
    expect(answer.statusCode).toBe(200)
    token = answer.json().refresh_token
  }
  service.clock.now += 120_000
  expect(await refusal(token)).toEqual([400, 'invalid_grant', 700082])
  await signIn()
  expect(await signIns()).toHaveLength(1)
})

test('a token serves only the application that it was issued to', async () => {
  const [application] = service.credentials.applications
  const stranger = { clientId: OTHER, clientSecret: 'outro-segredo-qualquer' }
  await restart({ applications: [application, stranger] })
  const token = await signIn()
  const stolen = { client_id: OTHER, client_secret: stranger.clientSecret }
  expect(await refusal(token, stolen)).toEqual([400, 'invalid_grant', 70000])
  expect((await refresh(token)).statusCode).toBe(200)
})

test('a token that was issued for a secret is not refreshed without it', async () => {
  const { client_secret } = service.clientForm
  const token = await signIn({ client_secret })
  expect(await refusal(token)).toEqual([400, 'invalid_grant', 70000])
  expect(await refusal(token, { client_secret: 'x' })).toEqual([401, 'invalid_client', 7000215])
  expect((await refresh(token, { client_secret })).statusCode).toBe(200)
})

test.each<[string, () => object]>([
  [
    'the password changes',
    () => ({ users: [{ username: 'relatorios@local', password: 'outra-senha-longa' }] }),
  ],
  ['the user is removed', () => ({ users: [] })],
  [
    'the secret changes',
    () => ({
      applications: [{ clientId: service.clientForm.client_id, clientSecret: 'outro-segredo-qualquer' }],
    }),
  ],
])('a token ends when %s', async (_name, change) => {
  const token = await signIn()
  await restart(change())
  expect(await refusal(token)).toEqual([400, 'invalid_grant', 50173])
  expect(await signIns()).toEqual([])
})

test('a token is valid after a restart, and ends when the signing key changes', async () => {
  const first = await signIn()
  await restart({})
  const second = (await refresh(first)).json().refresh_token
  await restart({ signingKey: 'x'.repeat(43) })
  expect(await refusal(second)).toEqual([400, 'invalid_grant', 70000])
})

test.each(['x', '', 'a'.repeat(300)])('the service refuses the malformed token %.10s', async (token) => {
  expect(await refusal(token)).toEqual(
    token ? [400, 'invalid_grant', 70000] : [400, 'invalid_request', 900144],
  )
})

test('the service refuses an access token, an id token and a changed refresh token', async () => {
  const { refresh_token, access_token, id_token } = (await service.oauth(ofPassword(service))).json()
  const changed = `${refresh_token.slice(0, -2)}${refresh_token.endsWith('AA') ? 'BB' : 'AA'}`
  for (const token of [access_token, id_token, changed])
    expect(await refusal(token)).toEqual([400, 'invalid_grant', 70000])
  // Neither is a refresh or id token an access token.
  await service.loaded
  for (const token of [refresh_token, id_token])
    expect((await service.rest(token, 'GET', '/groups')).statusCode).toBe(403)
})

test('a sign-in without offline_access leaves nothing behind', async () => {
  expect(await signIn({ scope: 'openid' })).toBeUndefined()
  await expect(signIns()).rejects.toThrow(/ENOENT/)
})

test('a folder that cannot be written costs the refresh token only', async () => {
  await writeFiles(service.dataDir, { [SIGN_INS]: 'a file' })
  const answer = await service.oauth(ofPassword(service))
  expect([answer.statusCode, answer.json().refresh_token]).toEqual([200, undefined])
  await rm(join(service.dataDir, SIGN_INS))
  expect(await signIn()).toEqual(expect.any(String))
})

/** Starts the service again on its data folder, with changed credentials. */
const restart = async (change: object) => {
  const { config, clock, dataDir, app, credentials } = service
  await app.close()
  await writeFiles(dataDir, { 'service.json': { ...credentials, ...change } })
  const again = await buildApp(config, { now: () => clock.now })
  const oauth: Service['oauth'] = (form, tenant = credentials.tenantId) =>
    again.app.inject({
      method: 'POST',
      url: `/${tenant}/oauth2/v2.0/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })
  const { stop } = service
  service = {
    ...service,
    app: again.app,
    oauth,
    stop: async () => {
      await again.app.close()
      await stop()
    },
  }
}

import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectedScreen, createKiosk } from '../../../test/distribution/kiosks.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/** The requests of these tests come from a proxy on this machine. */
const app = useTestApp({ TRUST_PROXY: 'true' })
const [office, branch, elsewhere] = ['203.0.113.9', '192.0.2.7', '198.51.100.7'] as const
const [officeOnly, branchOnly] = [['203.0.113.0/24'], ['192.0.2.0/24']]

const setRoles = (redes: { redesAdmin?: string[]; redesUsuario?: string[] }) =>
  app.db
    .updateTable('configuracao')
    .set({ redesAdmin: [], redesUsuario: [], ...redes })
    .execute()
afterEach(() => setRoles({}))

const screenOf = async (one: Pick<TestApp, 'db' | 'services' | 'withHeaders'>, idTelao: number) => {
  const { idUsuario } = await createUser(one, { tipoUsuario: 'ADMIN' })
  const credential = await connectedScreen(one, { idTelao, conectadaPor: idUsuario })
  const headers = { authorization: `Bearer ${credential}` }
  const call = async (address: string, path = '/telao/rotacao') =>
    one.withHeaders({ ...headers, 'x-forwarded-for': address }).get(path)
  return Object.assign(call, { credential })
}

let kiosk: Awaited<ReturnType<typeof createKiosk>>
let call: Awaited<ReturnType<typeof screenOf>>
beforeEach(async () => {
  kiosk = await createKiosk(app, [])
  call = await screenOf(app, kiosk.idTelao)
})
const statuses = async () =>
  Promise.all([office, branch, elsewhere].map(async (address) => (await call(address)).status))
const setKiosk = (redes: string[]) =>
  app.db.updateTable('telao').set({ redes }).where('idTelao', '=', kiosk.idTelao).execute()

test('a kiosk without networks is shown where people of a role may use the portal', async () => {
  await setRoles({ redesAdmin: officeOnly })
  expect(await statuses()).toEqual([200, 200, 200])
  await setRoles({ redesAdmin: officeOnly, redesUsuario: branchOnly })
  expect(await statuses()).toEqual([200, 200, 403])
  const { body } = await call(elsewhere)
  expect([body.codigo, body.detail]).toEqual(['rede_de_telao', expect.stringContaining('rede desta tela')])
  await setRoles({})
  expect((await call(elsewhere)).status).toBe(200)
})

test('networks of a kiosk replace those of the roles, from the next call on', async () => {
  await setRoles({ redesAdmin: officeOnly, redesUsuario: officeOnly })
  await setKiosk(branchOnly)
  expect(await statuses()).toEqual([403, 200, 403])
  const paths = ['/telao/paginas/1/dados', '/telao/rotacao']
  for (const path of paths) expect((await call(office, path)).body.codigo).toBe('rede_de_telao')
  await setKiosk([])
  expect(await statuses()).toEqual([200, 403, 403])
})

test('a refused screen is not noted as seen', async () => {
  await setKiosk(branchOnly)
  const seen = async () =>
    (await app.db.selectFrom('telaoTela').select('vistaEm').executeTakeFirst())?.vistaEm
  await call(elsewhere)
  expect(await seen()).toBeNull()
  await call(branch)
  expect(await seen()).toBeInstanceOf(Date)
})

test('calls with the credential of a screen from another network do not use up its limit', async () => {
  await setKiosk(branchOnly)
  const limited = await app.anotherServer({ config: { ...app.services.config, callsPerMinute: 20 } })
  onTestFinished(() => limited.close())
  const from = async (remoteAddress: string) => {
    const headers = { authorization: `Bearer ${call.credential}` }
    return (await limited.inject({ url: '/api/telao/rotacao', headers, remoteAddress })).statusCode
  }
  expect(await from(branch)).toBe(200)
  const refused = []
  for (let n = 0; n < 25; n += 1) refused.push(await from(elsewhere))
  expect(new Set(refused)).toEqual(new Set([403, 429]))
  expect(await from(branch)).toBe(200)
  // Also from a network that was removed from the list.
  await setKiosk(officeOnly)
  for (let n = 0; n < 25; n += 1) await from(branch)
  expect(await from(office)).toBe(200)
})

test('SIGN_IN_NETWORKS=false switches off the networks of the roles, not those of a kiosk', async () => {
  const open = await startTestApp({ SIGN_IN_NETWORKS: 'false', TRUST_PROXY: 'true' })
  onTestFinished(() => open.close())
  await open.db
    .updateTable('configuracao')
    .set({ redesAdmin: officeOnly, redesUsuario: officeOnly })
    .execute()
  onTestFinished(async () => {
    await open.db.updateTable('configuracao').set({ redesAdmin: [], redesUsuario: [] }).execute()
  })
  const free = await screenOf(open, (await createKiosk(open, [])).idTelao)
  const bound = await screenOf(open, (await createKiosk(open, [], { redes: branchOnly })).idTelao)
  expect([(await free(elsewhere)).status, (await bound(elsewhere)).status]).toEqual([200, 403])
})

import { userEntity } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countWaitingForLocks } from '../../../test/database/waiting-for-locks.ts'
import { mailsOf } from '../../../test/mails.ts'
import { type OidcProvider, startOidcProvider } from '../../../test/stand-ins/oidc-provider.ts'
import {
  auditOf,
  type Entrance,
  maria,
  publicUrl,
  redirectUri,
  signInAt,
} from '../../../test/stand-ins/oidc-sign-in.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import { endSessionsOf } from '../sessions/end-sessions.ts'
import { deleteIdentities } from './identities.repository.ts'

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

const unlink = (id: number) => `/usuarios/${id}/provedor/desligar`

test('an ADMIN sees when an account was linked; unlinking ends its sessions and is audited', async () => {
  const admin = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  const boss = await app.as(admin)
  const user = await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
  expect((await boss.get(`/usuarios/${user.idUsuario}`)).body.provedorDesde).toBeNull()
  const { access_token } = (await at.enter()).body
  const own = app.withHeaders({ authorization: `Bearer ${access_token}` })
  const { provedorDesde } = (await boss.get(`/usuarios/${user.idUsuario}`)).body
  expect(Date.parse(provedorDesde)).toBeGreaterThan(Date.now() - 60_000)

  expect((await boss.post(unlink(user.idUsuario))).status).toBe(204)
  expect((await own.get('/usuarios/sessao')).status).toBe(401)
  expect((await boss.get(`/usuarios/${user.idUsuario}`)).body.provedorDesde).toBeNull()
  expect(await auditOf(app, 'account.unlinked')).toEqual([
    {
      idUsuario: admin.idUsuario,
      objeto: `usuario:${user.idUsuario}`,
      detalhes: { identidades: [{ emissor: provider.issuer, sujeito: 'maria' }], sessoesEncerradas: 1 },
    },
  ])
  expect(await mailsOf(app)).toMatchObject([
    { para: user.emailUsuario, mail: { modelo: 'provedor_desligado', por: 'Marina Alves' } },
  ])
  const again = await boss.post(unlink(user.idUsuario))
  expect([again.status, again.body.codigo]).toEqual([409, 'identidade_ausente'])
})

test('another identity with the same confirmed e-mail can be linked after the unlinking', async () => {
  const boss = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const user = await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
  await at.enter()
  const renewed = { ...maria, sub: 'maria-de-novo' }
  expect((await at.enter(renewed)).body.codigo).toBe('conta_nao_ligada')
  await boss.post(unlink(user.idUsuario))
  expect((await at.enter(renewed)).body.usuario_id).toBe(user.idUsuario)
  expect((await app.as(user)).signedIn.usuario_id).toBe(user.idUsuario)
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a sign-in started before the unlinking opens no session after it',
  async () => {
    const { idUsuario } = await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
    await at.enter()
    const back = await at.comeBack()
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const unlinking = inTransaction(app.db, async (tx) => {
      await lockRow(tx, userEntity, idUsuario)
      locked()
      await mayCommit
      await deleteIdentities(tx, idUsuario)
      await endSessionsOf(tx, idUsuario, { now: new Date(), kept: undefined })
    })
    await isLocked
    const entered = at.finish(back)
    await expect.poll(() => countWaitingForLocks(app.db), { timeout: 10_000 }).toBe(1)
    commit()
    await unlinking
    const { status, body } = await entered
    expect([status, body.codigo]).toEqual([401, 'entrada_recusada'])
    const open = app.db.selectFrom('sessao').select('idSessao').where('encerradaEm', 'is', null)
    expect(await open.where('idUsuario', '=', idUsuario).execute()).toEqual([])
  },
)

test("unlinking is refused for the caller's own, a missing and an unlinked account", async () => {
  const admin = await createUser(app, { tipoUsuario: 'ADMIN', emailUsuario: 'maria@exemplo.com.br' })
  const boss = await app.as(admin)
  await at.enter()
  const other = await createUser(app)
  for (const [id, status, codigo] of [
    [admin.idUsuario, 409, 'propria_conta'],
    [999_999, 404, 'nao_encontrado'],
    [other.idUsuario, 409, 'identidade_ausente'],
  ] as const) {
    const answer = await boss.post(unlink(id))
    expect([answer.status, answer.body.codigo]).toEqual([status, codigo])
  }
  expect((await boss.get(`/usuarios/${admin.idUsuario}`)).body.provedorDesde).not.toBeNull()
})

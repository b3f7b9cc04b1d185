import { beforeAll, describe, expect, test } from 'vitest'
import { allowKeys, createKey } from '../../../../test/accounts/api-keys.ts'
import { openStream } from '../../../../test/accounts/live-stream.ts'
import { codeNow, giveSecondFactor } from '../../../../test/accounts/second-factor.ts'
import { countWaitingForLocks } from '../../../../test/database/waiting-for-locks.ts'
import type { TestApp } from '../../../../test/test-app.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser, password } from '../../../../test/users.ts'
import { createLink } from '../../../accounts/credentials/account-links.ts'
import { inTransaction } from '../../db/transactions/in-transaction.ts'

/*
 * Each way to end a session takes effect immediately: the next call with its token answers 401, and
 * its open event stream closes. What ends all sessions of a user revokes their API keys.
 */

let origin: string
let admin: Session
let idResponsavel: number
const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' }, { resets: false })
beforeAll(async () => {
  origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  await allowKeys(app)
  idResponsavel = (await admin.post('/responsavel', { nomeResponsavel: 'Outro' })).body.idResponsavel
})

type Session = Awaited<ReturnType<TestApp['as']>>
interface Scene {
  user: Awaited<ReturnType<typeof createUser>>
  /** The session that the test ends. */
  toDelete: Session
  /** Another session of the same user. */
  other: Session
}
interface End {
  end: (scene: Scene) => Promise<{ status: number; body?: unknown }>
  /** Whether the user's other session stays open. */
  otherLives: boolean
  /** Whether the user's API keys stay valid, where it differs. */
  keyLives?: boolean
}

const edit = async ({ user }: Scene, changes: object) => {
  const { body } = await admin.get(`/usuarios/${user.idUsuario}`)
  return admin.put(`/usuarios/${user.idUsuario}`, { ...body, ...changes })
}
const sessionIdOf = ({ token }: Session): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti
const fresh = 'Outra senha, de agora em diante 7'

const ends: Record<string, End> = {
  'signing out': { end: ({ toDelete }) => toDelete.post('/usuarios/sair'), otherLives: true },
  'a new password, set in another session': {
    end: ({ user, other }) => other.put(`/usuario/mudarsenha/${user.idUsuario}`, { senha: fresh }),
    otherLives: true,
  },
  'a new password, with the old one and no session': {
    end: ({ user }) =>
      app.anonymous.post('/login/RecoveryPassword', {
        loginUsuario: user.emailUsuario,
        senhaAtual: password,
        novaSenha: fresh,
      }),
    otherLives: false,
  },
  'a new password, through a link': {
    end: async ({ user: { idUsuario } }) => {
      const token = await createLink(app.db, app.services, { idUsuario, tipo: 'recuperacao' })
      return app.anonymous.post('/login/redefinir-senha', { token, novaSenha: fresh })
    },
    otherLives: false,
  },
  'a new password, typed by an ADMIN': {
    end: (scene) => edit(scene, { senhaUsuario: fresh }),
    otherLives: false,
  },
  'a block': { end: (scene) => edit(scene, { situacao: 'BLOQUEADO' }), otherLives: false },
  'another role': { end: (scene) => edit(scene, { tipoUsuario: 'ADMIN' }), otherLives: false },
  'another responsavel': { end: (scene) => edit(scene, { idResponsavel }), otherLives: false },
  deletion: { end: ({ user }) => admin.del(`/usuarios/${user.idUsuario}`), otherLives: false },
  'a second factor, set up in another session': {
    end: async ({ other }) => {
      const { body } = await other.post('/conta/segundo-fator')
      return other.post('/conta/segundo-fator/confirmar', { codigo: codeNow(app, body.segredo) })
    },
    otherLives: true,
  },
  'a second factor removed by an ADMIN': {
    end: async ({ user: { idUsuario } }) => {
      await giveSecondFactor(app, idUsuario)
      return admin.post(`/usuarios/${idUsuario}/segundo-fator/redefinir`)
    },
    otherLives: false,
  },
  'a second factor, moved to another device in another session': {
    end: async ({ user: { idUsuario }, other }) => {
      const { secret } = await giveSecondFactor(app, idUsuario)
      const { body } = await other.post('/conta/segundo-fator', { codigo: codeNow(app, secret) })
      return other.post('/conta/segundo-fator/confirmar', { codigo: codeNow(app, body.segredo) })
    },
    otherLives: true,
  },
  'an identity unlinked by an ADMIN': {
    end: async ({ user: { idUsuario } }) => {
      const identity = { emissor: 'https://e', sujeito: String(idUsuario), ligadaEm: new Date() }
      await app.db
        .insertInto('identidadeExterna')
        .values({ ...identity, idUsuario })
        .execute()
      return admin.post(`/usuarios/${idUsuario}/provedor/desligar`)
    },
    otherLives: false,
  },
  "'Encerrar' in 'Meus acessos'": {
    end: ({ toDelete, other }) => other.del(`/conta/sessoes/${sessionIdOf(toDelete)}`),
    otherLives: true,
  },
  "'Encerrar todas' in 'Meus acessos'": {
    end: ({ other }) => other.del('/conta/sessoes'),
    otherLives: true,
  },
  "'Encerrar todas', this one included": {
    end: ({ toDelete }) => toDelete.del('/conta/sessoes?atual=true'),
    otherLives: false,
    keyLives: true,
  },
}

// Most of the time is the interval at which open streams are checked.
describe.concurrent('a session and its event stream end immediately by', () => {
  test.for(Object.entries(ends))(
    'a session and its event stream end immediately by %s',
    async ([_name, { end, otherLives, keyLives = otherLives }], { expect }) => {
      const user = await createUser(app)
      const { credencial } = await createKey(app, user)
      const program = app.withHeaders({ authorization: `Bearer ${credencial}` })
      expect((await program.get('/usuarios/menus')).status).toBe(200)
      const scene: Scene = { user, toDelete: await app.as(user), other: await app.as(user) }
      const stream = await openStream(origin, scene.toDelete.token)
      expect((await scene.toDelete.get('/usuarios/sessao')).status).toBe(200)
      const { status, body } = await end(scene)
      expect([200, 204], JSON.stringify(body)).toContain(status)
      expect((await scene.toDelete.get('/usuarios/sessao')).status).toBe(401)
      expect((await scene.other.get('/usuarios/sessao')).status).toBe(otherLives ? 200 : 401)
      expect((await program.get('/usuarios/menus')).status).toBe(keyLives ? 200 : 401)
      await expect.poll(stream.hasEnded, { timeout: 5_000 }).toBe(true)
    },
  )
})

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a write of the session delays', () => {
  test.for(Object.entries(ends))('%s, which ends the session', async ([_name, { end }]) => {
    const user = await createUser(app)
    const scene: Scene = { user, toDelete: await app.as(user), other: await app.as(user) }
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const writing = inTransaction(app.db, async (tx) => {
      // The lock of `write`, platform/http/caller-transaction.ts.
      const row = tx.selectFrom('usuario').select('idUsuario').where('idUsuario', '=', user.idUsuario)
      await row.forKeyShare().execute()
      locked()
      await mayCommit
    })
    await isLocked
    const ending = end(scene)
    await expect.poll(() => countWaitingForLocks(app.db), { timeout: 10_000 }).toBe(1)
    const session = app.db.selectFrom('sessao').select('encerradaEm')
    const own = session.where('idSessao', '=', sessionIdOf(scene.toDelete))
    expect((await own.executeTakeFirstOrThrow()).encerradaEm).toBeNull()
    commit()
    await writing
    expect([200, 204]).toContain((await ending).status)
    expect((await scene.toDelete.get('/usuarios/sessao')).status).toBe(401)
  })
})

test('a token is refused when its signing key is removed', async () => {
  const { token } = await app.as(await createUser(app))
  const forged = await app.anotherServer({
    secrets: { ...app.services.secrets, tokenKeys: [{ id: 'outra', key: 'y'.repeat(43) }] },
  })
  const headers = { authorization: `Bearer ${token}` }
  expect((await forged.inject({ url: '/api/usuarios/sessao', headers })).statusCode).toBe(401)
  await forged.close()
})

test('a token stays valid after a key rotation, because it names its signing key', async () => {
  const { token } = await app.as(await createUser(app))
  const { secrets } = app.services
  const rotated = await app.anotherServer({
    secrets: { ...secrets, tokenKeys: [{ id: 'nova', key: 'z'.repeat(43) }, ...secrets.tokenKeys] },
  })
  const call = (bearer: string) =>
    rotated.inject({ url: '/api/usuarios/sessao', headers: { authorization: `Bearer ${bearer}` } })
  expect((await call(token)).statusCode).toBe(200)
  const { emailUsuario } = await createUser(app)
  const signedIn = await rotated.inject({
    method: 'POST',
    url: '/api/usuarios/authorizer',
    payload: { username: emailUsuario, password },
  })
  const newer: string = signedIn.json().access_token
  expect(JSON.parse(Buffer.from(newer.split('.')[0] ?? '', 'base64url').toString()).kid).toBe('nova')
  expect((await call(newer)).statusCode).toBe(200)
  // An old key's signature cannot vouch for a new key's token.
  const [header = '', payload = ''] = newer.split('.')
  const mixed = `${header}.${payload}.${token.split('.')[2]}`
  expect((await call(mixed)).statusCode).toBe(401)
  await rotated.close()
})

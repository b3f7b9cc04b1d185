import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { createCallerFinder, type SessionClaims } from './callers.repository.ts'

/* The cached caller must never be older than the database's committed state. */

const clock = { now: new Date() }
let find: ReturnType<typeof createCallerFinder>
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  find = createCallerFinder(app.db, { idleSeconds: 3600, now: () => clock.now })
})
beforeEach(async () => {
  clock.now = new Date()
  const { idUsuario } = await createUser(app)
  const idSessao = crypto.randomUUID()
  const expiraEm = new Date(clock.now.getTime() + 8 * 3_600_000)
  await app.db
    .insertInto('sessao')
    .values({ idSessao, idUsuario, criadaEm: clock.now, ultimoUso: clock.now, expiraEm })
    .execute()
  claims = { idSessao, idUsuario, isUserActivity: true }
})

let claims: SessionClaims

const isEmbedded = process.env.TEST_DATABASE !== 'postgres'

test.runIf(isEmbedded)(
  'the repository returns a cached caller without a query while a transaction holds the database',
  async () => {
    const known = await find(claims)
    await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('catalogo').selectAll().execute()
      expect(await find(claims)).toBe(known)
    })
  },
)

test('the repository ignores the changes of a rolled-back transaction and of a failed statement', async () => {
  expect(await find(claims)).toMatchObject({ tipo: 'USER' })
  const takenBack = app.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('usuario')
      .set({ tipoUsuario: 'ADMIN' })
      .where('idUsuario', '=', claims.idUsuario)
      .execute()
    throw new Error('taken back')
  })
  await expect(takenBack).rejects.toThrow('taken back')
  expect(await find(claims)).toMatchObject({ tipo: 'USER' })
  const refused = sql`update usuario set tipo_usuario = 'ADMIN' where id_usuario = ${claims.idUsuario} and 1 / 0 = 1`
  await expect(refused.execute(app.db)).rejects.toThrow()
  expect(await find(claims)).toMatchObject({ tipo: 'USER' })
})

describe('the next call returns the current state after', () => {
  const ofPerson = (change: string) => `update usuario set ${change} where id_usuario = $usuario`
  const ofSession = (change: string) => `update sessao set ${change} where id_sessao = '$sessao'`
  /**
   * Statements to run, and the caller's fields that they change; undefined: the session is gone.
   */
  const changes: [statements: string, seen: object | undefined][] = [
    [ofSession('encerrada_em = now()'), undefined],
    [ofSession("expira_em = now() - interval '1 minute'"), undefined],
    [ofSession("ultimo_uso = now() - interval '2 hours'"), undefined],
    [ofSession("metodo = 'provedor'"), { metodo: 'provedor' }],
    [ofSession("criada_em = '2026-01-01T00:00:00Z'"), { sessaoCriadaEm: new Date('2026-01-01T00:00:00Z') }],
    [
      ofSession("confirmada_em = '2026-01-01T00:00:00Z', confirmada_com = 'senha'"),
      { sessaoConfirmadaEm: new Date('2026-01-01T00:00:00Z'), sessaoConfirmadaCom: 'senha' },
    ],
    ["delete from sessao where id_sessao = '$sessao'", undefined],
    ['truncate sessao', undefined],
    ['delete from usuario where id_usuario = $usuario', undefined],
    [ofPerson("situacao = 'BLOQUEADO'"), undefined],
    [ofPerson("tipo_usuario = 'ADMIN'"), { tipo: 'ADMIN' }],
    [ofPerson("nome_usuario = 'Outro nome'"), { nomeUsuario: 'Outro nome' }],
    [ofPerson("email_usuario = 'novo@exemplo.com.br'"), { emailUsuario: 'novo@exemplo.com.br' }],
    [ofPerson('acesso_prontuario = true'), { acessoProntuario: true }],
    [ofPerson('encarregado_dados = true'), { encarregadoDados: true }],
    [ofPerson("identidade_rls = 'CNU'"), { identidadeRls: 'CNU' }],
    [ofPerson("trocar_senha = 'pedida'"), { pendencia: 'trocar_senha' }],
    [ofPerson("trocar_senha = 'obrigatoria'"), { pendencia: 'senha_provisoria' }],
    [ofPerson('senha_hash = null'), { temSenha: false }],
    [ofPerson('versao_notificacoes = 70'), { versaoNotificacoes: 70 }],
    [ofPerson('versao_acesso = 71'), { versaoAcesso: expect.stringMatching(/^71\./) }],
    ['update catalogo set versao = 72', { versaoAcesso: expect.stringMatching(/\.72\./) }],
    ['update configuracao set versao = 73', { versaoAcesso: expect.stringMatching(/\.73$/) }],
    ["update configuracao set segundo_fator = 'todos'", { pendencia: 'segundo_fator' }],
    [
      'with dito as (delete from sessao where id_usuario = $usuario returning 1) select * from dito',
      undefined,
    ],
    [`begin; ${ofPerson("tipo_usuario = 'ADMIN'")}; commit`, { tipo: 'ADMIN' }],
  ]
  test.each(changes)('the next call returns the current state after %s', async (statements, seen) => {
    const before = await find(claims)
    expect(before).toBeDefined()
    const { idUsuario, idSessao } = claims
    await sql.raw(statements.replace('$usuario', `${idUsuario}`).replace('$sessao', idSessao)).execute(app.db)
    const after = await find(claims)
    if (seen) {
      expect(before).not.toMatchObject(seen)
      expect(after).toEqual({ ...before, ...seen })
    } else expect(after).toBeUndefined()
    await sql`update configuracao set segundo_fator = 'opcional'`.execute(app.db)
  })

  test('the next call returns the current state after a profile membership is inserted', async () => {
    const before = await find(claims)
    await app.db
      .insertInto('perfil')
      .values({ nomePerfil: crypto.randomUUID() })
      .returning('idPerfil')
      .executeTakeFirstOrThrow()
      .then(({ idPerfil }) =>
        app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario: claims.idUsuario }).execute(),
      )
    expect((await find(claims))?.versaoAcesso).not.toBe(before?.versaoAcesso)
  })

  test('the next call returns the current state after a change that runs while the caller is being read', async () => {
    const reading = find(claims)
    const change = app.db
      .updateTable('usuario')
      .set({ tipoUsuario: 'ADMIN' })
      .where('idUsuario', '=', claims.idUsuario)
      .execute()
    await Promise.all([reading, change])
    expect(await find(claims)).toMatchObject({ tipo: 'ADMIN' })
  })
})

describe('as time passes', () => {
  const later = (minutes: number) => {
    clock.now = new Date(clock.now.getTime() + minutes * 60_000)
  }

  test('the session ends at its idle limit and at its absolute limit', async () => {
    expect(await find(claims)).toBeDefined()
    later(59)
    expect(await find({ ...claims, isUserActivity: false })).toBeDefined()
    later(2)
    expect(await find(claims)).toBeUndefined()
    clock.now = new Date(clock.now.getTime() - 2 * 60_000)
    for (let minute = 61; minute < 480; minute += 50) {
      expect(await find(claims)).toBeDefined()
      later(50)
    }
    later(50)
    expect(await find(claims)).toBeUndefined()
  })

  test('the last use is written once a minute has passed', async () => {
    const lastUse = async () =>
      (
        await app.db
          .selectFrom('sessao')
          .select('ultimoUso')
          .where('idSessao', '=', claims.idSessao)
          .executeTakeFirstOrThrow()
      ).ultimoUso
    const begun = clock.now
    await find(claims)
    later(0.9)
    await find(claims)
    expect(await lastUse()).toEqual(begun)
    later(0.2)
    expect(await find(claims)).toMatchObject({ sessaoUsadaEm: clock.now })
    expect(await lastUse()).toEqual(clock.now)
  })
})

test('the repository returns undefined when the token names another user, cached or not', async () => {
  const { idUsuario } = await createUser(app)
  expect(await find(claims)).toBeDefined()
  expect(await find({ ...claims, idUsuario })).toBeUndefined()
  expect(await find(claims)).toMatchObject({ idUsuario: claims.idUsuario })
})

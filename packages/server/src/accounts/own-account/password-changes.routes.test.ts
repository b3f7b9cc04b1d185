import { describe, expect, test } from 'vitest'
import { giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { mailsOf } from '../../../test/mails.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

const app = useTestApp({ COMPANY_NAME: 'Rede Horizonte', SIGN_IN_FAILURES: '5' })

const minutes = 60_000
const next = 'cadeira verde no telhado'

type User = Awaited<ReturnType<typeof createUser>>
type Session = Awaited<ReturnType<TestApp['as']>>

const change = (session: Session, { idUsuario }: Pick<User, 'idUsuario'>, body: object) =>
  session.put(`/usuario/mudarsenha/${idUsuario}`, body)

const signIn = async (username: string, typed: string) =>
  (await app.anonymous.post('/usuarios/authorizer', { username, password: typed })).status

const auditOf = (acao: string) =>
  app.db
    .selectFrom('auditoria')
    .select(['idUsuario', 'objeto', 'detalhes'])
    .where('acao', '=', acao)
    .execute()

describe('PUT /usuario/mudarsenha', () => {
  test('PUT /usuario/mudarsenha needs no old password within ten minutes, keeps this session, ends the others and notifies the user', async () => {
    const user = await createUser(app, { trocarSenha: 'pedida' })
    const [session, other] = [await app.as(user), await app.as(user)]
    app.clock.offsetMs = 9.9 * minutes
    const { status } = await change(session, user, {
      id: user.idUsuario,
      nome: 'Outro nome',
      email: 'outro@exemplo.com.br',
      senha: next,
    })
    expect(status).toBe(204)
    expect((await session.get('/usuarios/sessao')).body).toMatchObject({
      nomeUsuario: user.nomeUsuario,
      emailUsuario: user.emailUsuario,
      pendencia: null,
    })
    expect((await other.get('/usuarios/sessao')).status).toBe(401)
    expect([await signIn(user.emailUsuario, password), await signIn(user.emailUsuario, next)]).toEqual([
      401, 200,
    ])
    expect(await auditOf('password.changed')).toEqual([
      {
        idUsuario: user.idUsuario,
        objeto: `usuario:${user.idUsuario}`,
        detalhes: { meio: 'sessao', sessoesEncerradas: 1 },
      },
    ])
    expect(await mailsOf(app)).toMatchObject([
      { para: user.emailUsuario, mail: { modelo: 'senha_alterada' } },
    ])
    const [told] = await app.db.selectFrom('notificacao').selectAll().execute()
    expect(told).toMatchObject({ idUsuario: user.idUsuario, tipo: 'senha_alterada' })
  })

  test('PUT /usuario/mudarsenha needs the old password after ten minutes, and accepts it', async () => {
    const user = await createUser(app)
    const session = await app.as(user)
    app.clock.offsetMs = 10.1 * minutes
    const asked = await change(session, user, { senha: next })
    expect([asked.status, asked.body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
    const wrong = await change(session, user, { senha: next, senhaAtual: 'errada' })
    expect([wrong.status, wrong.body.campos]).toEqual([422, { senhaAtual: 'A senha atual não confere.' }])
    expect((await auditOf('password.change-refused')).map(({ detalhes }) => detalhes.motivo)).toEqual([
      'senha atual não informada',
      'senha atual errada',
    ])
    expect((await change(session, user, { senha: next, senhaAtual: password })).status).toBe(204)
    expect(await signIn(user.emailUsuario, next)).toBe(200)
  })

  test('PUT /usuario/mudarsenha limits wrong old passwords, so that an open session cannot be used for guessing', async () => {
    const user = await createUser(app)
    const session = await app.as(user)
    app.clock.offsetMs = 11 * minutes
    const statuses: number[] = []
    for (let guess = 0; guess < 7; guess += 1) {
      statuses.push((await change(session, user, { senha: next, senhaAtual: `errada ${guess}` })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429])
    expect((await change(session, user, { senha: next, senhaAtual: password })).status).toBe(429)
    app.clock.offsetMs = 27 * minutes
    expect((await change(session, user, { senha: next, senhaAtual: password })).status).toBe(204)
  })

  test("PUT /usuario/mudarsenha refuses another user's password with 403 before the body is validated, for an ADMIN too", async () => {
    const [user, admin] = [await createUser(app), await createUser(app, { tipoUsuario: 'ADMIN' })]
    for (const body of [{ senha: next }, {}]) {
      const { status, body: answer } = await change(await app.as(admin), user, body)
      expect([status, answer.codigo]).toEqual([403, 'sem_permissao'])
    }
    const contradicted = await change(await app.as(user), user, { id: admin.idUsuario, senha: next })
    expect([contradicted.status, contradicted.body.codigo]).toEqual([403, 'identidade_divergente'])
    expect((await change(await app.as(user), user, { id: String(user.idUsuario), senha: next })).status).toBe(
      204,
    )
  })

  test.each([
    ['short', 'curta', /ao menos 8/],
    ['common', 'Senha@123', /mais usadas/],
    ['the name', 'Duarte-2026', /não pode ser o nome/],
    ['the company', 'horizonte99', /não pode ser o nome/],
    ['as it is', password, /diferente da atual/],
  ])('PUT /usuario/mudarsenha refuses a new password: %s', async (_, senha, sentence) => {
    const user = await createUser(app, { nomeUsuario: 'Helena Duarte' })
    const session = await app.as(user)
    const { status, body } = await change(session, user, { senha })
    expect([status, body.campos]).toEqual([422, { senha: expect.stringMatching(sentence) }])
    expect(await signIn(user.emailUsuario, password)).toBe(200)
  })

  test('PUT /usuario/mudarsenha lets a user of the identity provider set a first password within ten minutes of the sign-in', async () => {
    const user = await createUser(app)
    const session = await app.as(user)
    await app.db.updateTable('sessao').set({ metodo: 'provedor' }).execute()
    await app.db.updateTable('usuario').set({ senhaHash: null }).execute()
    app.clock.offsetMs = 11 * minutes
    const late = await change(session, user, { senha: next, senhaAtual: '' })
    expect([late.status, late.body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
    expect(late.body.detail).toMatch(/entre novamente/)
    app.clock.offsetMs = 9 * minutes
    expect((await change(session, user, { senha: next })).status).toBe(204)
    expect(await signIn(user.emailUsuario, next)).toBe(200)
    expect(await mailsOf(app)).toEqual([])
  })

  test('PUT /usuario/mudarsenha needs the old password at once in a session of the identity provider', async () => {
    const user = await createUser(app)
    const session = await app.as(user)
    await app.db.updateTable('sessao').set({ metodo: 'provedor' }).execute()
    expect((await change(session, user, { senha: next })).body.codigo).toBe('reautenticacao_necessaria')
    expect((await change(session, user, { senha: next, senhaAtual: password })).status).toBe(204)
  })

  test('PUT /usuario/mudarsenha lets one of two concurrent changes win and ends the other session', async () => {
    const user = await createUser(app)
    const sessions = [await app.as(user), await app.as(user)] as const
    const wishes = ['primeira escolha boa', 'segunda escolha boa'] as const
    const answers = await Promise.all(
      sessions.map((session, at) => change(session, user, { senha: wishes[at] })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401])
    const won = answers.findIndex(({ status }) => status === 204)
    expect(await signIn(user.emailUsuario, wishes[won] ?? '')).toBe(200)
  })
})

describe('POST /login/RecoveryPassword', () => {
  const post = (loginUsuario: string, senhaAtual = password, novaSenha = next) =>
    app.anonymous.post('/login/RecoveryPassword', { loginUsuario, senhaAtual, novaSenha })

  test('POST /login/RecoveryPassword accepts the current password with the e-mail or user name, and ends every session', async () => {
    const user = await createUser(app, { nomeUsuario: 'Água Clara', trocarSenha: 'pedida' })
    const session = await app.as(user)
    const { status, body } = await post('agua clara')
    expect([status, body]).toEqual([204, ''])
    expect((await session.get('/usuarios/sessao')).status).toBe(401)
    const own = await app.as({ emailUsuario: user.emailUsuario, password: next })
    expect(own.signedIn.pendencia).toBeNull()
    expect((await auditOf('password.changed'))[0]?.detalhes).toEqual({
      meio: 'senha_atual',
      sessoesEncerradas: 1,
    })
    expect(await mailsOf(app)).toMatchObject([{ mail: { modelo: 'senha_alterada' } }])
  })

  test('POST /login/RecoveryPassword answers the same for a wrong password and an unknown user, and audits both', async () => {
    const user = await createUser(app)
    const blocked = await createUser(app, { situacao: 'BLOQUEADO' })
    const answers = [
      await post(user.emailUsuario, 'errada'),
      await post('ninguem@exemplo.com.br'),
      await post(blocked.emailUsuario),
      // A weak new password must not reveal whether the current one was wrong.
      await post(user.emailUsuario, 'errada', 'senha123'),
    ]
    for (const { status, body } of answers) {
      expect([status, body.codigo, body.campos]).toEqual([401, 'credenciais_invalidas', undefined])
    }
    expect((await auditOf('password.change-refused')).map(({ idUsuario }) => idUsuario)).toEqual([
      user.idUsuario,
      null,
      blocked.idUsuario,
      user.idUsuario,
    ])
  })

  test('POST /login/RecoveryPassword shares its limits with sign-in, in both directions', async () => {
    const [one, two] = [await createUser(app), await createUser(app)]
    for (let guess = 0; guess < 5; guess += 1)
      expect((await post(one.emailUsuario, 'errada')).status).toBe(401)
    expect([(await post(one.emailUsuario)).status, await signIn(one.emailUsuario, password)]).toEqual([
      429, 429,
    ])
    for (let guess = 0; guess < 5; guess += 1) expect(await signIn(two.emailUsuario, 'errada')).toBe(401)
    const refused = await post(two.emailUsuario)
    expect([refused.status, refused.body.codigo]).toEqual([429, 'muitas_tentativas'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('POST /login/RecoveryPassword cannot bypass the second factor, which is required only after the right password', async () => {
    const user = await createUser(app)
    await giveSecondFactor(app, user.idUsuario)
    expect((await post(user.emailUsuario, 'errada')).body.codigo).toBe('credenciais_invalidas')
    const { status, body } = await post(user.emailUsuario)
    expect([status, body.codigo]).toEqual([401, 'segundo_fator_necessario'])
    const { senhaHash } = await app.db
      .selectFrom('usuario')
      .select('senhaHash')
      .where('idUsuario', '=', user.idUsuario)
      .executeTakeFirstOrThrow()
    expect(senhaHash).toBe(user.senhaHash)
    expect((await auditOf('password.change-refused')).at(-1)?.detalhes).toEqual({ motivo: 'segundo fator' })
  })

  test.each([
    ['common', 'corinthians1', /mais usadas/],
    ['the same', password, /diferente da atual/],
  ])(
    'POST /login/RecoveryPassword refuses a new password that is %s without counting a failure',
    async (_, novaSenha, sentence) => {
      const user = await createUser(app)
      for (let again = 0; again < 6; again += 1) {
        const { status, body } = await post(user.emailUsuario, password, novaSenha)
        expect([status, body.campos]).toEqual([422, { novaSenha: expect.stringMatching(sentence) }])
      }
      expect((await post(user.emailUsuario)).status).toBe(204)
    },
  )
})

test('POST /login/RecoveryPassword answers 403 when password sign-in is off', async () => {
  const closed = await startTestApp({
    PASSWORD_SIGN_IN: 'false',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'x',
  })
  try {
    const body = { loginUsuario: 'a@b.com', senhaAtual: 'x', novaSenha: next }
    const { status, body: answer } = await closed.anonymous.post('/login/RecoveryPassword', body)
    expect([status, answer.codigo]).toEqual([403, 'senha_desativada'])
  } finally {
    await closed.close()
  }
})

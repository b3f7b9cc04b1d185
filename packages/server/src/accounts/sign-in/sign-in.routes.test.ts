import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

const app = useTestApp()

const signIn = (username: string, secret: string, headers = {}) =>
  app.anonymous.post('/usuarios/authorizer', { username, password: secret }, headers)

describe('POST /usuarios/authorizer', () => {
  test('POST /usuarios/authorizer answers the fields of the spec, without password or hash', async () => {
    const user = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Água Clara' })
    const { status, body, headers } = await signIn(user.emailUsuario, password)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 8 * 3600,
      usuario_id: user.idUsuario,
      client_id: 1,
      tipo: 'ADMIN',
      nome: 'Água Clara',
      pendencia: null,
    })
    expect(headers['cache-control']).toBe('no-store')
    const { exp, iat, ...claims } = JSON.parse(
      Buffer.from(body.access_token.split('.')[1], 'base64url').toString(),
    )
    expect(exp - iat).toBe(8 * 3600)
    expect(Object.keys(claims).sort()).toEqual(['jti', 'sub'])
  })

  test('POST /usuarios/authorizer accepts the e-mail in any case, and the user name when it is unique among active accounts', async () => {
    const user = await createUser(app, { emailUsuario: 'maria@exemplo.com.br', nomeUsuario: 'Maria José' })
    expect((await signIn('MARIA@Exemplo.com.br', password)).body.usuario_id).toBe(user.idUsuario)
    expect((await signIn('maria jose', password)).status).toBe(200)
    await createUser(app, { nomeUsuario: 'MARIA JOSÉ', situacao: 'BLOQUEADO' })
    expect((await signIn('maria jose', password)).status).toBe(200)
    await createUser(app, { nomeUsuario: 'Maria José' })
    expect((await signIn('maria jose', password)).status).toBe(401)
  })

  test('POST /usuarios/authorizer answers the same for a wrong password, an unknown name, a pending and a blocked account', async () => {
    const user = await createUser(app)
    const pending = await createUser(app, { situacao: 'PENDENTE' })
    const blocked = await createUser(app, { situacao: 'BLOQUEADO' })
    const unset = await createUser(app, { senhaHash: null })
    const answers = [
      await signIn(user.emailUsuario, 'outra senha'),
      await signIn('ninguem@exemplo.com.br', password),
      await signIn(pending.emailUsuario, password),
      await signIn(blocked.emailUsuario, password),
      await signIn(unset.emailUsuario, password),
    ]
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401)
      expect(headers['content-type']).toMatch('application/problem+json')
      expect({ ...body, idRequisicao: '' }).toEqual({
        type: 'urn:bi-manager:problema:credenciais_invalidas',
        title: 'Usuário ou senha incorretos',
        status: 401,
        detail: 'Atenção! Usuário ou senha, incorretos, tente novamente.',
        codigo: 'credenciais_invalidas',
        idRequisicao: '',
      })
    }
    const refused = await app.db
      .selectFrom('auditoria')
      .select(['idUsuario', sql<string>`detalhes ->> 'motivo'`.as('motivo')])
      .where('acao', '=', 'session.refused')
      .orderBy('idAuditoria')
      .execute()
    // Only the audit trail tells them apart.
    expect(refused).toEqual([
      { idUsuario: user.idUsuario, motivo: 'credenciais' },
      { idUsuario: null, motivo: 'credenciais' },
      { idUsuario: pending.idUsuario, motivo: 'conta pendente' },
      { idUsuario: blocked.idUsuario, motivo: 'conta bloqueada' },
      { idUsuario: unset.idUsuario, motivo: 'credenciais' },
    ])
    expect((await signIn(pending.emailUsuario, 'outra senha')).status).toBe(401)
    expect(
      await app.db
        .selectFrom('auditoria')
        .select('detalhes')
        .orderBy('idAuditoria', 'desc')
        .limit(1)
        .execute(),
    ).toEqual([{ detalhes: { motivo: 'credenciais' } }])
  })

  test('POST /usuarios/authorizer attributes a refusal to an inactive account by name only when the name is unique', async () => {
    const lia = await createUser(app, { nomeUsuario: 'Lia Prado', situacao: 'PENDENTE' })
    expect((await signIn('lia prado', password)).status).toBe(401)
    await createUser(app, { nomeUsuario: 'Lia Prado', situacao: 'BLOQUEADO' })
    expect((await signIn('lia prado', password)).status).toBe(401)
    const rows = await app.db
      .selectFrom('auditoria')
      .select('idUsuario')
      .where('acao', '=', 'session.refused')
      .orderBy('idAuditoria')
      .execute()
    expect(rows).toEqual([{ idUsuario: lia.idUsuario }, { idUsuario: null }])
  })

  test('POST /usuarios/authorizer names the missing fields in the words of the spec', async () => {
    const { status, body } = await app.anonymous.post('/usuarios/authorizer', { username: ' ' })
    expect(status).toBe(422)
    expect(body.campos).toEqual({ username: 'Usuário é obrigatório', password: 'Senha obrigatório' })
  })

  test('POST /usuarios/authorizer answers 400 to broken JSON, 415 to another media type, 413 to a body that is too large', async () => {
    const send = (body: string, type: string) =>
      app.anonymous.post('/usuarios/authorizer', body, { 'content-type': type })
    expect((await send('{"username":', 'application/json')).status).toBe(400)
    expect((await send('<a/>', 'application/xml')).status).toBe(415)
    expect((await send(`{"username":"${'a'.repeat(300_000)}"}`, 'application/json')).status).toBe(413)
  })
})

describe('a session', () => {
  test('a session returns its user and when it ends', async () => {
    const user = await createUser(app, { acessoProntuario: true })
    const { get } = await app.as(user)
    const { status, body } = await get('/usuarios/sessao')
    expect(status).toBe(200)
    expect(body).toEqual({
      idUsuario: user.idUsuario,
      nomeUsuario: user.nomeUsuario,
      emailUsuario: user.emailUsuario,
      tipoUsuario: 'USER',
      idResponsavel: 1,
      acessoProntuario: true,
      encarregadoDados: false,
      pendencia: null,
      temSenha: true,
      sessaoExpiraEm: expect.any(String),
      sessaoOciosaEm: expect.any(String),
    })
    // The announced end holds to the second, whatever was called in between.
    app.clock.offsetMs = 59_000
    const promised = Date.parse((await get('/usuarios/sessao')).body.sessaoOciosaEm)
    app.clock.offsetMs = promised - Date.now() - 2_000
    expect((await get('/usuarios/menus')).status).toBe(200)
  })

  test('a session ends at once on sign-out', async () => {
    const { post, get } = await app.as(await createUser(app))
    expect((await post('/usuarios/sair')).status).toBe(204)
    expect(await get('/usuarios/menus')).toMatchObject({ status: 401, body: { codigo: 'sessao_encerrada' } })
  })

  test('a session ends at its absolute limit despite use, and at the idle limit without use', async () => {
    const user = await createUser(app)
    const idle = await app.as(user)
    app.clock.offsetMs = 59 * 60_000
    expect((await idle.get('/usuarios/menus')).status).toBe(200)
    app.clock.offsetMs = (59 + 61) * 60_000
    expect((await idle.get('/usuarios/menus')).status).toBe(401)

    app.clock.offsetMs = 0
    const busy = await app.as(user)
    for (let minute = 50; minute < 480; minute += 50) {
      app.clock.offsetMs = minute * 60_000
      expect((await busy.get('/usuarios/menus')).status).toBe(200)
    }
    app.clock.offsetMs = 481 * 60_000
    expect((await busy.get('/usuarios/menus')).status).toBe(401)
  })

  test('a session is not kept alive by background calls', async () => {
    const { get } = await app.as(await createUser(app))
    const inBackground = { 'x-segundo-plano': '1' }
    for (const minute of [20, 40, 59]) {
      app.clock.offsetMs = minute * 60_000
      expect((await get('/usuarios/menus', inBackground)).status).toBe(200)
    }
    app.clock.offsetMs = 61 * 60_000
    expect((await get('/usuarios/menus', inBackground)).status).toBe(401)
  })

  test('a session ends at once when the user is blocked', async () => {
    const user = await createUser(app)
    const { get } = await app.as(user)
    await app.db
      .updateTable('usuario')
      .set({ situacao: 'BLOQUEADO' })
      .where('idUsuario', '=', user.idUsuario)
      .execute()
    expect((await get('/usuarios/menus')).status).toBe(401)
  })

  test('a session is refused without a token, and with a forged, altered or unsigned one', async () => {
    const { token } = await app.as(await createUser(app))
    const [header = '', payload = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const other = Buffer.from(JSON.stringify({ ...claims, sub: '999' })).toString('base64url')
    expect(await app.anonymous.get('/usuarios/menus')).toMatchObject({
      status: 401,
      body: { codigo: 'sessao_ausente' },
    })
    for (const forged of [
      `${none}.${payload}.`,
      `${header}.${other}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}AA`,
      'lixo',
      app.app.jwt.sign({ sub: claims.sub, jti: crypto.randomUUID() }),
    ]) {
      const answer = await app.withHeaders({ authorization: `Bearer ${forged}` }).get('/usuarios/menus')
      expect(answer).toMatchObject({ status: 401, body: { codigo: 'sessao_encerrada' } })
    }
  })

  test('a session is refused once its token has expired, also right after a successful call', async () => {
    const { token } = await app.as(await createUser(app))
    const { sub, jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const brief = app.app.jwt.sign({ sub, jti }, { expiresIn: '1s' })
    const { get } = app.withHeaders({ authorization: `Bearer ${brief}` })
    expect((await get('/usuarios/menus')).status).toBe(200)
    await expect.poll(async () => (await get('/usuarios/menus')).status, { timeout: 3_000 }).toBe(401)
  })

  test('a session is refused when a header contradicts the token', async () => {
    const user = await createUser(app)
    const { get } = await app.as(user)
    const right = { scope: 'backoffice', usuario_id: String(user.idUsuario), client_id: '1' }
    expect((await get('/usuarios/menus', right)).status).toBe(200)
    for (const wrong of [{ scope: 'mobile' }, { usuario_id: '999' }, { client_id: '2' }]) {
      const answer = await get('/usuarios/menus', { ...right, ...wrong })
      expect(answer).toMatchObject({ status: 403, body: { codigo: 'identidade_divergente' } })
    }
    // Authentication is checked before the headers.
    expect((await app.anonymous.get('/usuarios/menus', { scope: 'mobile' })).status).toBe(401)
    const signInElsewhere = await signIn(user.emailUsuario, password, { scope: 'mobile' })
    expect(signInElsewhere.status).toBe(403)
  })
})

test("a sign-in during an ADMIN's password change leaves no live session", {
  timeout: 60_000,
}, async () => {
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  for (let round = 0; round < 20; round += 1) {
    const user = await createUser(app)
    const [signedIn] = await Promise.all([
      app.anonymous.post('/usuarios/authorizer', { username: user.emailUsuario, password: user.password }),
      admin.put(`/usuarios/${user.idUsuario}`, { senhaUsuario: `Outra senha ${round}` }),
    ])
    if (signedIn.status !== 200) continue
    const late = app.withHeaders({ authorization: `Bearer ${signedIn.body.access_token}` })
    expect((await late.get('/usuarios/sessao')).status).toBe(401)
  }
})

test('a password changed after it was checked opens no session, and the attempt stays counted', async () => {
  const { idUsuario, emailUsuario, password } = await createUser(app)
  // The trigger fires between the account lookup and the opening of the session.
  await sql`create function troca_de_teste() returns trigger language plpgsql as
    $$ begin update usuario set senha_hash = 'outra'; return null; end $$`.execute(app.db)
  await sql`create trigger troca_de_teste after insert on falha_login
    for each statement execute function troca_de_teste()`.execute(app.db)
  const answer = await app.anonymous.post('/usuarios/authorizer', { username: emailUsuario, password })
  await sql`drop function troca_de_teste cascade`.execute(app.db)
  expect([answer.status, answer.body.codigo]).toEqual([401, 'credenciais_invalidas'])
  const lines = await app.db
    .selectFrom('auditoria')
    .select('acao')
    .where('idUsuario', '=', idUsuario)
    .execute()
  expect(lines.filter(({ acao }) => acao === 'session.created')).toEqual([])
  expect(await app.db.selectFrom('sessao').select('idSessao').execute()).toEqual([])
  // One by name, one by address.
  expect(await app.db.selectFrom('falhaLogin').select('chave').execute()).toHaveLength(2)
})

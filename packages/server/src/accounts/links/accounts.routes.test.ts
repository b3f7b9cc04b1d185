import { setTimeout } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { codeNow, giveSecondFactor } from '../../../test/accounts/second-factor.ts'
import { mailsOf, testSender } from '../../../test/mails.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { createLink } from '../credentials/account-links.ts'
import { lockEmail } from './accounts.repository.ts'

const app = useTestApp({ COMPANY_NAME: 'Vida Plena' })

const minutes = 60_000

const auditOf = (acao: string) =>
  app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).orderBy('idAuditoria').execute()

const accountOf = (emailUsuario: string) =>
  app.db.selectFrom('usuario').selectAll().where('emailUsuario', '=', emailUsuario).execute()

const signUp = (email: string, fields = {}) =>
  app.anonymous.post('/faleconosco/', { nome: 'Água Nova', email, password: 'Primeira senha 1', ...fields })

const askRecovery = (email: string) => app.anonymous.post('/login/recuperar-senha', { email })

const reset = (token: string, novaSenha = 'Senha bem nova 2') =>
  app.anonymous.post('/login/redefinir-senha', { token, novaSenha })

const inspect = (token: string) => app.anonymous.post('/login/verificar-link', { token })

const signIn = (username: string, typed: string) =>
  app.anonymous.post('/usuarios/authorizer', { username, password: typed })

const linkFor = (idUsuario: number, tipo: 'recuperacao' | 'convite' = 'recuperacao') =>
  createLink(app.db, app.services, { idUsuario, tipo })

const refusedLink = { status: 400, body: { codigo: 'link_invalido' } }

describe('POST /faleconosco/', () => {
  test('POST /faleconosco/ creates a pending account without permissions, notifies every active ADMIN and audits the request', async () => {
    const admins = [
      await createUser(app, { tipoUsuario: 'ADMIN' }),
      await createUser(app, { tipoUsuario: 'ADMIN' }),
    ]
    await createUser(app, { tipoUsuario: 'ADMIN', situacao: 'BLOQUEADO' })
    await createUser(app)
    const { status, body } = await signUp('nova@exemplo.com.br', { tipoUsuario: 'ADMIN', situacao: 'ATIVO' })
    expect([status, Object.keys(body)]).toEqual([202, ['mensagem']])
    const [account] = await accountOf('nova@exemplo.com.br')
    expect(account).toMatchObject({ nomeUsuario: 'Água Nova', tipoUsuario: 'USER', situacao: 'PENDENTE' })
    expect((await signIn('nova@exemplo.com.br', 'Primeira senha 1')).status).toBe(401)
    const told = await app.db.selectFrom('notificacao').selectAll().orderBy('idUsuario').execute()
    expect(told.map(({ idUsuario }) => idUsuario)).toEqual(admins.map(({ idUsuario }) => idUsuario))
    expect(told[0]).toMatchObject({
      tipo: 'conta_aguardando',
      texto: 'Água Nova (nova@exemplo.com.br) pediu uma conta.',
      rota: '/usuario?situacao=PENDENTE',
    })
    const audit = await auditOf('account.requested')
    expect(audit).toMatchObject([{ idUsuario: null, objeto: `usuario:${account?.idUsuario}` }])
    expect(JSON.stringify(audit)).not.toMatch(/Primeira senha|argon2/)
    expect(await mailsOf(app)).toMatchObject([
      { para: 'nova@exemplo.com.br', mail: { modelo: 'confirmacao', nome: 'Água Nova' } },
    ])
  })

  test('POST /faleconosco/ answers the same for a known e-mail, and only warns its owner, at most once an hour', async () => {
    await createUser(app, { tipoUsuario: 'ADMIN' })
    const owner = await createUser(app, { emailUsuario: 'dona@exemplo.com.br', nomeUsuario: 'Dona' })
    const unknown = await signUp('outra@exemplo.com.br')
    await app.db.deleteFrom('notificacao').execute()
    await app.db.deleteFrom('mensagem').execute()
    const known = await signUp('Dona@Exemplo.com.br')
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    await signUp('dona@exemplo.com.br')
    const { pedidaEm, ...now } = (await accountOf('dona@exemplo.com.br'))[0] ?? {}
    expect({ ...now, password }).toEqual({ ...owner, pedidaEm: undefined })
    expect(pedidaEm).toBeInstanceOf(Date)
    expect(await app.db.selectFrom('notificacao').selectAll().execute()).toEqual([])
    const mail = {
      para: 'dona@exemplo.com.br',
      mail: { modelo: 'conta_existente', nome: 'Dona', link: 'http://localhost:3000/' },
    }
    expect(await mailsOf(app)).toEqual([mail])
    app.clock.offsetMs = 61 * minutes
    await signUp('dona@exemplo.com.br')
    expect(await mailsOf(app)).toEqual([mail, mail])
    expect((await auditOf('account.requested')).at(-1)).toMatchObject({
      objeto: null,
      detalhes: { jaExistia: true },
    })
  })

  test.each(['PENDENTE', 'BLOQUEADO'] as const)(
    'POST /faleconosco/ sends nothing to a %s account',
    async (situacao) => {
      await createUser(app, { emailUsuario: 'dona@exemplo.com.br', situacao })
      expect((await signUp('dona@exemplo.com.br')).status).toBe(202)
      expect(await mailsOf(app)).toEqual([])
      expect(await accountOf('dona@exemplo.com.br')).toMatchObject([{ situacao }])
    },
  )

  test('POST /faleconosco/ creates one account, one notification and one e-mail for concurrent requests', async () => {
    await createUser(app, { tipoUsuario: 'ADMIN' })
    const answers = await Promise.all([1, 2, 3].map(() => signUp('duas@exemplo.com.br')))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(await accountOf('duas@exemplo.com.br')).toHaveLength(1)
    expect(await app.db.selectFrom('notificacao').select('assunto').execute()).toHaveLength(1)
    expect(await mailsOf(app)).toMatchObject([{ mail: { modelo: 'confirmacao' } }])
  })

  test('POST /faleconosco/ names the error of each field', async () => {
    const { status, body } = await app.anonymous.post('/faleconosco/', {
      email: 'sem arroba',
      password: '123',
    })
    expect([status, Object.keys(body.campos).sort()]).toEqual([422, ['email', 'nome', 'password']])
    expect((await app.anonymous.post('/faleconosco', {})).status).toBe(404)
    for (const weak of ['senha1234', 'vidaplena1', 'agua.nova']) {
      const refused = await signUp('nova@exemplo.com.br', { password: weak })
      expect([weak, refused.status, Object.keys(refused.body.campos)]).toEqual([weak, 422, ['password']])
    }
  })
})

describe('the request limit', () => {
  test('the request limit of sign-ups applies per e-mail, known or not, after a restart and across processes', async () => {
    const { emailUsuario } = await createUser(app)
    for (const email of [emailUsuario, 'ninguem@exemplo.com.br']) {
      const statuses: number[] = []
      for (let i = 0; i < 10; i += 1) statuses.push((await signUp(email)).status)
      expect(statuses).toEqual(Array(10).fill(202))
      const refused = await signUp(email.toUpperCase())
      expect(refused).toMatchObject({ status: 429, body: { codigo: 'muitas_tentativas' } })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
      // Another name of the same mailbox.
      expect((await signUp(email.replace('@', '+1@'))).status).toBe(429)
    }
    // Another process on the same database has the same count.
    const other = await app.anotherServer()
    const body = { email: emailUsuario, nome: 'Nome', password: 'Primeira senha 1' }
    expect((await other.inject({ method: 'POST', url: '/api/faleconosco/', payload: body })).statusCode).toBe(
      429,
    )
    await other.close()
    app.clock.offsetMs = 16 * minutes
    expect((await signUp(emailUsuario)).status).toBe(202)
  })

  test('the request limit of recoveries sends five e-mails, all with valid links, and answers the same for every e-mail', async () => {
    const { emailUsuario } = await createUser(app)
    for (const email of [emailUsuario, 'ninguem@exemplo.com.br']) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => askRecovery(email)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
      expect(new Set(answers.map(({ body }) => body.mensagem)).size).toBe(1)
    }
    const sent = await mailsOf(app)
    expect(sent.map(({ para }) => para)).toEqual(Array(5).fill(emailUsuario))
    const tokens = sent.map(({ mail }) => ('link' in mail ? (mail.link?.split('token=')[1] ?? '') : ''))
    for (const token of tokens) expect((await inspect(token)).status).toBe(200)
    const [first = ''] = tokens
    expect((await reset(first, 'Outra senha bem longa')).status).toBe(204)
    for (const token of tokens) expect((await inspect(token)).status).toBe(400)
  })

  test('the request limit applies per address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 101 }, (_, i) => askRecovery(`inventado${i}@exemplo.com.br`)),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(100)
    // Sign-ups count separately.
    expect((await signUp('nova@exemplo.com.br')).status).toBe(202)
  })
})

test('sign-up and recovery run the same statements and hashes whether or not the e-mail is known', async () => {
  for (const situacao of ['ATIVO', 'PENDENTE', 'BLOQUEADO'] as const) {
    await createUser(app, { emailUsuario: `${situacao}@exemplo.com.br`, situacao })
  }
  await createUser(app, { emailUsuario: 'convidada@exemplo.com.br', senhaHash: null })
  // A pending request whose link is sent again.
  const waiting = { situacao: 'PENDENTE', emailPorProvar: true } as const
  await createUser(app, { emailUsuario: 'repetida@exemplo.com.br', ...waiting })
  await createUser(app, { emailUsuario: 'provedor@exemplo.com.br', senhaHash: null, ...waiting })
  const statements: string[] = []
  const executor = app.db.getExecutor()
  const listen: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      // The recipients of a notification are selected in one of two ways: treat them as equal.
      const { sql } = executor.compileQuery(node, queryId)
      // Calls of one moment share the look of the installation.
      if (!sql.includes('from aparencia'))
        statements.push(
          sql
            .replace(/from \(select id_usuario from usuario where .*\) pessoas/, 'from pessoas')
            .replaceAll(/\$\d+/g, '$'),
        )
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const watched = await app.anotherServer({ db: app.db.withPlugin(listen) })
  const workOf = async (url: string, email: string) => {
    statements.length = 0
    const payload = { email, nome: 'Nome', password: 'Primeira senha 1' }
    const { statusCode, body } = await watched.inject({ method: 'POST', url: `/api${url}`, payload })
    return { statusCode, body, statements: [...statements] }
  }
  for (const url of ['/faleconosco/', '/login/recuperar-senha']) {
    const unknown = await workOf(url, 'desconhecida@exemplo.com.br')
    expect([unknown.statusCode, unknown.statements.length > 4]).toEqual([202, true])
    for (const email of ['ativo', 'pendente', 'bloqueado', 'convidada', 'repetida', 'provedor']) {
      expect(await workOf(url, `${email}@exemplo.com.br`)).toEqual(unknown)
    }
  }
  await watched.close()
})

describe('POST /login/recuperar-senha', () => {
  test('POST /login/recuperar-senha sends a link valid for ten minutes to an active, invited or unproven account only', async () => {
    const ana = await createUser(app, { nomeUsuario: 'Ana', emailUsuario: 'ana@exemplo.com.br' })
    await createUser(app, { emailUsuario: 'convidada@exemplo.com.br', senhaHash: null })
    await createUser(app, { emailUsuario: 'pendente@exemplo.com.br', situacao: 'PENDENTE' })
    await createUser(app, { emailUsuario: 'bloqueada@exemplo.com.br', situacao: 'BLOQUEADO' })
    const unproven = { situacao: 'PENDENTE', emailPorProvar: true } as const
    await createUser(app, { emailUsuario: 'pedida@exemplo.com.br', ...unproven })
    const answers = []
    for (const name of ['ANA', 'convidada', 'pedida', 'pendente', 'bloqueada', 'ninguem'])
      answers.push(await askRecovery(`${name}@exemplo.com.br`))
    for (const { status, body } of answers) expect([status, body]).toEqual([202, answers[0]?.body])
    const mails = await mailsOf(app)
    expect(mails.map(({ para }) => para.split('@')[0])).toEqual(['ana', 'convidada', 'pedida'])
    const [{ mail } = { mail: undefined }] = mails
    expect(mail).toEqual({
      modelo: 'recuperacao',
      nome: 'Ana',
      minutos: 10,
      link: expect.stringMatching(/^http:\/\/localhost:3000\/recovery-password\?token=[\w-]{43}$/),
    })
    const audit = await auditOf('password.recovery-asked')
    expect(audit.map(({ idUsuario, objeto }) => [idUsuario, objeto])[0]).toEqual([
      null,
      `usuario:${ana.idUsuario}`,
    ])
    expect(audit).toHaveLength(6)
    const token = tokenOf(mail)
    expect(JSON.stringify([audit, await app.db.selectFrom('linkConta').selectAll().execute()])).not.toContain(
      token,
    )
    expect((await inspect(token)).body).toMatchObject({
      tipo: 'recuperacao',
      nomeUsuario: 'Ana',
      emailUsuario: 'ana@exemplo.com.br',
    })
    // The ten minutes begin when the message is handed over, here to the outbox folder.
    await testSender(app.services).sendDue()
    app.clock.offsetMs = 10 * minutes - 2_000
    expect((await inspect(token)).status).toBe(200)
    app.clock.offsetMs = 10 * minutes + 20_000
    expect(await inspect(token)).toMatchObject(refusedLink)
    expect(await reset(token)).toMatchObject(refusedLink)
  })

  test('POST /login/recuperar-senha makes requests for one e-mail wait for each other, known or not', async () => {
    const { emailUsuario } = await createUser(app)
    for (const email of [emailUsuario, 'ninguem@exemplo.com.br']) {
      const release = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const holding = inTransaction(app.db, async (tx) => {
        await lockEmail(tx, email)
        held.resolve()
        await release.promise
      })
      await held.promise
      let isAnswered = false
      const asked = askRecovery(email.toUpperCase()).then((answer) => {
        isAnswered = true
        return answer
      })
      await setTimeout(200)
      expect(isAnswered).toBe(false)
      release.resolve()
      await holding
      expect((await asked).status).toBe(202)
    }
  })
})

describe('POST /login/redefinir-senha', () => {
  test('POST /login/redefinir-senha sets the password, ends every session, voids every link and notifies the user', async () => {
    const ana = await createUser(app, { nomeUsuario: 'Ana', trocarSenha: 'pedida' })
    const own = await app.as(ana)
    const other = await linkFor(ana.idUsuario, 'convite')
    const token = await linkFor(ana.idUsuario)
    expect((await reset(token)).status).toBe(204)
    expect((await own.get('/usuarios/sessao')).status).toBe(401)
    expect((await signIn(ana.emailUsuario, password)).status).toBe(401)
    expect(await signIn(ana.emailUsuario, 'Senha bem nova 2')).toMatchObject({
      status: 200,
      body: { pendencia: null },
    })
    for (const used of [token, other]) {
      expect(await inspect(used)).toMatchObject(refusedLink)
      expect(await reset(used)).toMatchObject(refusedLink)
    }
    expect(await mailsOf(app)).toMatchObject([
      { para: ana.emailUsuario, mail: { modelo: 'senha_alterada', nome: 'Ana' } },
    ])
    expect(await app.db.selectFrom('notificacao').select(['idUsuario', 'tipo']).execute()).toEqual([
      { idUsuario: ana.idUsuario, tipo: 'senha_alterada' },
    ])
    const audit = await auditOf('password.changed')
    expect(audit).toMatchObject([
      { idUsuario: ana.idUsuario, detalhes: { meio: 'recuperacao', sessoesEncerradas: 1 } },
    ])
    expect(JSON.stringify(audit)).not.toMatch(/Senha bem nova|argon2/)
  })

  test('POST /login/redefinir-senha refuses the current password', async () => {
    const ana = await createUser(app)
    const token = await linkFor(ana.idUsuario)
    const refused = await reset(token, password)
    expect(refused).toMatchObject({
      status: 422,
      body: { campos: { novaSenha: 'Escolha uma senha diferente da atual.' } },
    })
    expect((await reset(token)).status).toBe(204)
  })

  test('POST /login/redefinir-senha sends no e-mail for the first password of an invited user', async () => {
    const bia = await createUser(app, { senhaHash: null })
    expect((await reset(await linkFor(bia.idUsuario, 'convite'))).status).toBe(204)
    expect((await signIn(bia.emailUsuario, 'Senha bem nova 2')).status).toBe(200)
    expect(await mailsOf(app)).toEqual([])
  })

  test('POST /login/redefinir-senha does not replace the second factor: the next sign-in still requires it', async () => {
    const ana = await createUser(app)
    const { secret } = await giveSecondFactor(app, ana.idUsuario)
    expect((await reset(await linkFor(ana.idUsuario))).status).toBe(204)
    const username = ana.emailUsuario
    expect(await signIn(username, 'Senha bem nova 2')).toMatchObject({
      status: 401,
      body: { codigo: 'segundo_fator_necessario' },
    })
    const credentials = { username, password: 'Senha bem nova 2', codigo: codeNow(app, secret) }
    expect((await app.anonymous.post('/usuarios/authorizer', credentials)).status).toBe(200)
  })

  test('POST /login/redefinir-senha lets one of two concurrent requests win', async () => {
    const ana = await createUser(app)
    const token = await linkFor(ana.idUsuario)
    const answers = await Promise.all(
      ['Senha da primeira', 'Senha da segunda'].map((typed) => reset(token, typed)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    const won = answers[0]?.status === 204 ? 'Senha da primeira' : 'Senha da segunda'
    expect((await signIn(ana.emailUsuario, won)).status).toBe(200)
  })

  test('POST /login/redefinir-senha keeps the link valid when the password is refused', async () => {
    const token = await linkFor((await createUser(app)).idUsuario)
    for (const weak of ['curta', 'senha1234', 'vidaplena1']) {
      const refused = await reset(token, weak)
      expect([weak, refused.status, Object.keys(refused.body.campos)]).toEqual([weak, 422, ['novaSenha']])
    }
    expect((await inspect(token)).status).toBe(200)
    expect((await reset(token)).status).toBe(204)
  })

  test.each(['', 'x', 'a'.repeat(43), '../../etc', 'é%00'])(
    'POST /login/redefinir-senha refuses an invented token (%j)',
    async (token) => {
      const expected = token === '' ? 422 : 400
      expect((await inspect(token)).status).toBe(expected)
      expect((await reset(token)).status).toBe(expected)
    },
  )

  test('POST /login/redefinir-senha refuses the link of a user who was blocked after it was sent', async () => {
    const ana = await createUser(app)
    const token = await linkFor(ana.idUsuario)
    await app.db.updateTable('usuario').set({ situacao: 'BLOQUEADO' }).execute()
    expect(await inspect(token)).toMatchObject(refusedLink)
    expect(await reset(token)).toMatchObject(refusedLink)
  })
})

const tokenOf = (mail: unknown): string =>
  new URL((mail as { link?: string }).link ?? 'http://x').searchParams.get('token') ?? ''

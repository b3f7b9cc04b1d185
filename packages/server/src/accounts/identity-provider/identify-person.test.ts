import { personName } from '@bi-manager/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OidcProvider, startOidcProvider } from '../../../test/stand-ins/oidc-provider.ts'
import {
  auditOf,
  type Entrance,
  maria,
  publicUrl,
  redirectUri,
  signInAt,
} from '../../../test/stand-ins/oidc-sign-in.ts'
import { startTestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

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

const accounts = () =>
  app.db
    .selectFrom('usuario')
    .leftJoin('identidadeExterna', 'identidadeExterna.idUsuario', 'usuario.idUsuario')
    .select([
      'usuario.idUsuario',
      'nomeUsuario',
      'emailUsuario',
      'situacao',
      'senhaHash',
      'sujeito',
      'emissor',
    ])
    .orderBy('usuario.idUsuario')
    .execute()
const approve = (emailUsuario: string) =>
  app.db.updateTable('usuario').set({ situacao: 'ATIVO' }).where('emailUsuario', '=', emailUsuario).execute()

describe('an unknown person', () => {
  test('an unknown person gets a pending account, administrators are notified, and the person signs in once approved', async () => {
    const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_pendente' } })
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_pendente' } })
    const [, account] = await accounts()
    expect(account).toMatchObject({
      nomeUsuario: 'Maria José',
      emailUsuario: 'maria@exemplo.com.br',
      situacao: 'PENDENTE',
      senhaHash: null,
      sujeito: 'maria',
      emissor: provider.issuer,
    })
    const told = await app.db.selectFrom('notificacao').selectAll().execute()
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      idUsuario: admin.idUsuario,
      tipo: 'conta_aguardando',
      texto: 'Maria José (maria@exemplo.com.br) pediu uma conta.',
      assunto: `usuario:${account?.idUsuario}`,
    })
    expect(await auditOf(app, 'account.requested')).toEqual([
      {
        idUsuario: null,
        objeto: `usuario:${account?.idUsuario}`,
        detalhes: expect.objectContaining({ metodo: 'provedor', emailConfirmado: true }),
      },
    ])
    expect(await auditOf(app, 'session.refused')).toHaveLength(2)

    const { post } = await app.as(admin)
    const approval = await post(`/usuarios/${account?.idUsuario}/aprovar`, { tipoUsuario: 'USER' })
    expect(approval.status).toBe(204)
    const { status, body } = await at.enter(maria)
    expect(status).toBe(200)
    expect(body).toMatchObject({ nome: 'Maria José', tipo: 'USER', pendencia: null, token_type: 'Bearer' })
    const { get } = app.withHeaders({ authorization: `Bearer ${body.access_token}` })
    expect((await get('/usuarios/sessao')).body).toMatchObject({
      emailUsuario: 'maria@exemplo.com.br',
      temSenha: false,
    })
    const sessions = await app.db.selectFrom('sessao').select('metodo').orderBy('criadaEm').execute()
    expect(sessions.map(({ metodo }) => metodo)).toEqual(['senha', 'provedor'])
  })

  test('an unknown person gets one account when signing in from several windows at once', async () => {
    const returns = await Promise.all([at.comeBack(), at.comeBack(), at.comeBack()])
    const answers = await Promise.all(returns.map((body) => at.finish(body)))
    expect(answers.map(({ body }) => body.codigo)).toEqual(Array(3).fill('conta_pendente'))
    expect(await accounts()).toHaveLength(1)
    expect(await auditOf(app, 'account.requested')).toHaveLength(1)
  })

  test('an unknown person without a name is named after the e-mail; without an e-mail gets 401 naming what is missing', async () => {
    await at.enter({ sub: 'b', email: 'joao.silva@exemplo.com.br' })
    expect((await accounts())[0]).toMatchObject({ nomeUsuario: 'joao.silva' })
    const { status, body } = await at.enter({ sub: 'c', name: 'Sem E-mail' })
    expect(status).toBe(401)
    expect(body).toMatchObject({ codigo: 'entrada_recusada', detail: expect.stringContaining('e-mail') })
    expect(await at.enter({ sub: 'd', email: 'não é e-mail' })).toMatchObject({ status: 401 })
    expect(await accounts()).toHaveLength(1)
  })

  test("an unknown person gets a name that cannot be mistaken for another user's", async () => {
    await createUser(app, { nomeUsuario: 'Maria José', situacao: 'BLOQUEADO' })
    const names = ['Maria\u200b\u202eJosé', 'Maria  José', 'Maria José (c@exemplo.com.br)', ' \u200b\n']
    for (const [at_, name] of names.entries()) {
      const email = `${'abcd'[at_]}@exemplo.com.br`
      expect(await at.enter({ sub: email, name, email })).toMatchObject({
        body: { codigo: 'conta_pendente' },
      })
    }
    await at.enter({ sub: 'e', name: 'Maria José', email: 'c@exemplo.com.br' })
    await at.enter({ sub: 'f', name: 'Maria José', email: `${'f'.repeat(64)}@exemplo.com.br` })
    const [, ...found] = (await accounts()).map(({ nomeUsuario }) => nomeUsuario)
    expect(found).toEqual([
      'MariaJosé (a@exemplo.com.br)',
      'Maria José (b@exemplo.com.br)',
      'Maria José (c@exemplo.com.br)',
      'd',
      `Maria José (${'f'.repeat(64)}@exemplo.com.br)`,
    ])
    await app.db.deleteFrom('usuario').where('emailUsuario', '=', 'c@exemplo.com.br').execute()
    await createUser(app, { nomeUsuario: 'Maria José (g@exemplo.com.br)' })
    await at.enter({ sub: 'g', name: 'Maria José', email: 'g@exemplo.com.br' })
    expect((await accounts()).at(-1)?.nomeUsuario).toMatch(/^Maria José \([a-t]{8}\)$/)
  })

  const refused: [vector: string, name: string | undefined, local: string, given: string | RegExp][] = [
    ['two credentials', 'Ana usuário 55 CRM 12345/SP', 'ana.souza', 'ana.souza'],
    ['letters of two scripts', 'Mar\u0442a Dias', 'marta', 'marta'],
    ['symbols alone', '✿ !!! ✿', 'flor', 'flor'],
    ['signs alone', '(...)', 'sinais', 'sinais'],
    ['a credential, as in the e-mail', 'CRM 12345', 'crm.12345', 'crm'],
    ['no name, and a number in the e-mail', undefined, 'usuario5', 'usuario'],
    ['nothing to use', 'CRM 12345', 'crm.loll', /^Pessoa \([a-t]{8}\)$/],
  ]

  test.each(refused)(
    'an unknown person whose name is %s is named after the e-mail',
    async (_vector, name, local, given) => {
      const email = `${local}@exemplo.com.br`
      await at.enter({ sub: 'r', ...(name === undefined ? {} : { name }), email })
      const [account] = await accounts()
      expect(account?.nomeUsuario).toEqual(typeof given === 'string' ? given : expect.stringMatching(given))
      expect(personName.safeParse(account?.nomeUsuario).success).toBe(true)
    },
  )

  test('an unknown person with a non-Latin name gets a distinct name when theirs is in use', async () => {
    await createUser(app, { nomeUsuario: 'Вера' })
    await at.enter({ sub: 'v', name: 'Вера', email: 'vera@exemplo.com.br' })
    expect((await accounts()).at(-1)?.nomeUsuario).toBe('vera (vera@exemplo.com.br)')
  })

  test('an unknown person cannot take an unverified e-mail that another account has', async () => {
    await createUser(app, { emailUsuario: 'MARIA@exemplo.com.br' })
    const { email_verified: _, ...unsaid } = maria
    for (const person of [unsaid, { ...maria, email_verified: false }]) {
      const { status, body } = await at.enter(person)
      expect(status).toBe(403)
      expect(body).toMatchObject({
        codigo: 'conta_nao_ligada',
        detail: expect.stringContaining('Procure um administrador'),
      })
    }
    expect(await accounts()).toMatchObject([{ sujeito: null }])
  })
})

describe('a confirmed e-mail', () => {
  test('a confirmed e-mail links the account with that e-mail once, in any case; later sign-ins match by identity alone', async () => {
    const user = await createUser(app, { emailUsuario: 'Maria@Exemplo.com.br', trocarSenha: 'pedida' })
    const { status, body } = await at.enter(maria)
    expect(status).toBe(200)
    // A sign-in without the password need not change a password known to others.
    expect(body).toMatchObject({ usuario_id: user.idUsuario, pendencia: null })
    expect((await at.enter({ ...maria, email: 'novo@exemplo.com.br' })).body.usuario_id).toBe(user.idUsuario)
    expect(await accounts()).toMatchObject([{ emailUsuario: 'Maria@Exemplo.com.br', sujeito: 'maria' }])
    expect(await auditOf(app, 'account.linked')).toEqual([
      {
        idUsuario: user.idUsuario,
        objeto: `usuario:${user.idUsuario}`,
        detalhes: { emissor: provider.issuer, sujeito: 'maria' },
      },
    ])
    // The password still works.
    expect((await app.as(user)).signedIn.usuario_id).toBe(user.idUsuario)
  })

  test.each(['ana@açaí.com.br', 'ANA@AÇAÍ.com.br', 'ana@XN--AA-4IAZ.com.br'])(
    'a confirmed e-mail links the account with another spelling of its domain: %s',
    async (email) => {
      const { idUsuario } = await createUser(app, { emailUsuario: 'ana@xn--aa-4iaz.com.br' })
      const { status, body } = await at.enter({ ...maria, email, email_verified: true })
      expect([status, body.usuario_id]).toEqual([200, idUsuario])
      expect(await accounts()).toMatchObject([{ idUsuario, sujeito: 'maria' }])
    },
  )

  test('a confirmed e-mail of the domain 1.2.3.4, which the HTML standard accepts, opens its account', async () => {
    const { idUsuario } = await createUser(app, { emailUsuario: 'ana@1.2.3.4' })
    const { status, body } = await at.enter({ ...maria, email: 'ana@1.2.3.4', email_verified: true })
    expect([status, body.usuario_id]).toEqual([200, idUsuario])
  })

  test('a confirmed e-mail links the account once when signing in from two windows at once', async () => {
    await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
    const returns = await Promise.all([at.comeBack(), at.comeBack()])
    const answers = await Promise.all(returns.map((body) => at.finish(body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await auditOf(app, 'account.linked')).toHaveLength(1)
  })

  test('a confirmed e-mail does not open the account to a new owner of the e-mail once another identity is linked', async () => {
    await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
    expect((await at.enter(maria)).status).toBe(200)
    expect(await at.enter({ ...maria, sub: 'outra-maria' })).toMatchObject({
      status: 403,
      body: { codigo: 'conta_nao_ligada' },
    })
    expect(await accounts()).toMatchObject([{ sujeito: 'maria' }])
  })

  test('a confirmed e-mail on a pending account removes the password of the sign-up request', async () => {
    await createUser(app, { emailUsuario: 'maria@exemplo.com.br', situacao: 'PENDENTE' })
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_pendente' } })
    expect(await accounts()).toMatchObject([{ sujeito: 'maria', senhaHash: null, situacao: 'PENDENTE' }])
    await approve('maria@exemplo.com.br')
    expect((await at.enter(maria)).status).toBe(200)
  })

  test('a confirmed e-mail opens no blocked account, linked or not', async () => {
    const user = await createUser(app, { emailUsuario: 'maria@exemplo.com.br', situacao: 'BLOQUEADO' })
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_bloqueada' } })
    expect(await accounts()).toMatchObject([{ sujeito: null }])
    await approve('maria@exemplo.com.br')
    expect((await at.enter(maria)).status).toBe(200)
    await app.db.updateTable('usuario').set({ situacao: 'BLOQUEADO' }).execute()
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_bloqueada' } })
    expect(await auditOf(app, 'session.refused')).toMatchObject([
      { idUsuario: user.idUsuario, detalhes: { motivo: 'conta_bloqueada', metodo: 'provedor' } },
      { idUsuario: user.idUsuario },
    ])
  })

  test('a confirmed e-mail opens no session outside the networks of the role', async () => {
    const { idUsuario } = await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
    await app.db
      .updateTable('configuracao')
      .set({ redesUsuario: ['192.0.2.0/24'] })
      .execute()
    try {
      expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'rede_nao_permitida' } })
      expect(await auditOf(app, 'session.refused')).toMatchObject([
        { idUsuario, detalhes: { motivo: 'rede não permitida', metodo: 'provedor' } },
      ])
    } finally {
      await app.db.updateTable('configuracao').set({ redesUsuario: [] }).execute()
    }
    expect((await at.enter(maria)).status).toBe(200)
  })

  test('a confirmed e-mail opens no account that has ended, and does not link it', async () => {
    const venceEm = new Date(Date.now() - 1_000)
    await createUser(app, { emailUsuario: 'maria@exemplo.com.br', venceEm })
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_vencida' } })
    expect(await accounts()).toMatchObject([{ sujeito: null }])
    await app.db.updateTable('usuario').set({ venceEm: null }).execute()
    expect((await at.enter(maria)).status).toBe(200)
    await app.db.updateTable('usuario').set({ venceEm }).execute()
    expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_vencida' } })
  })

  test('a confirmed e-mail is assumed under OIDC_TRUST_EMAIL, unless the provider says that it is not verified', async () => {
    const trusting = await startTestApp({
      PUBLIC_URL: publicUrl,
      ...provider.settings,
      OIDC_TRUST_EMAIL: 'true',
    })
    try {
      const { enter } = signInAt(trusting, provider)
      const user = await createUser(trusting, { emailUsuario: 'maria@exemplo.com.br' })
      expect((await enter({ ...maria, email_verified: false })).status).toBe(403)
      const { email_verified: _, ...unsaid } = maria
      expect((await enter(unsaid)).body.usuario_id).toBe(user.idUsuario)
    } finally {
      await trusting.close()
    }
  })
})

test('deleting an account deletes its linked identity', async () => {
  const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
  const user = await createUser(app, { emailUsuario: 'maria@exemplo.com.br' })
  await at.enter(maria)
  expect((await (await app.as(admin)).del(`/usuarios/${user.idUsuario}`)).status).toBe(204)
  expect(await app.db.selectFrom('identidadeExterna').selectAll().execute()).toEqual([])
  expect(await at.enter(maria)).toMatchObject({ status: 403, body: { codigo: 'conta_pendente' } })
})

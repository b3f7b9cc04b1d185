import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { linkIn, mailsOf } from '../../../test/mails.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { cheapPasswordHash, createUser } from '../../../test/users.ts'

/* Attack: a stranger signs up with the victim's e-mail, and the victim confirms that request. */

const app = useTestApp()

const email = 'vitima@exemplo.com.br'
const ofVictim = 'Girassol de inverno 58'
const ofStranger = 'Cavalo no telhado 31'
const chosen = 'Moinho de vento azul 7'
const minute = 60_000

const signUp = (password: string) =>
  app.anonymous.post('/faleconosco/', { nome: 'Vera Lima', email, password })
const confirm = (token: string, password?: string) =>
  app.anonymous.post('/login/confirmar-email', { token, password })
const inspect = (token: string) => app.anonymous.post('/login/verificar-link', { token })
const signIn = (password: string) => app.anonymous.post('/usuarios/authorizer', { username: email, password })
const askRecovery = () => app.anonymous.post('/login/recuperar-senha', { email })
const reset = (token: string, novaSenha = chosen) =>
  app.anonymous.post('/login/redefinir-senha', { token, novaSenha })
const linkOf = async (modelo: 'confirmacao' | 'recuperacao') =>
  linkIn((await mailsOf(app)).filter(({ mail }) => mail.modelo === modelo).at(-1))
const account = () =>
  app.db.selectFrom('usuario').selectAll().where('emailUsuario', '=', email).executeTakeFirstOrThrow()
const auditOf = (acao: string) =>
  app.db
    .selectFrom('auditoria')
    .select(['idUsuario', 'objeto', 'detalhes'])
    .where('acao', '=', acao)
    .execute()
const countFailures = async () => (await app.db.selectFrom('falhaLogin').select('idFalha').execute()).length
const approve = async () => {
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { idUsuario } = await account()
  return admin.post(`/usuarios/${idUsuario}/aprovar`, {})
}

const refusedLink = { status: 400, body: { codigo: 'link_invalido' } }
const refusedApproval = { status: 409, body: { codigo: 'email_nao_confirmado' } }
const wrongPassword = {
  status: 422,
  body: { campos: { password: expect.stringMatching(/Recuperar senha.*prova que o e-mail é seu/) } },
}

describe.each([
  ['the stranger first, the victim within five minutes', [ofStranger, ofVictim], minute],
  ['the victim first, the stranger after five minutes', [ofVictim, ofStranger], 6 * minute],
] as const)('two requests with one e-mail: %s', (_order, requests, pause) => {
  const askTwice = async () => {
    await signUp(requests[0])
    app.clock.offsetMs = pause
    await signUp(requests[1])
  }

  test("the victim's password does not confirm the stranger's request, and the link stays valid", async () => {
    await askTwice()
    const token = await linkOf('confirmacao')
    expect((await inspect(token)).body).toMatchObject({ tipo: 'confirmacao', pedeSenha: true })
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await confirm(token, ofVictim)).toMatchObject(wrongPassword)
    expect(await account()).toMatchObject({ emailPorProvar: true })
    expect(await auditOf('account.email-confirmed')).toEqual([])
    expect(await approve()).toMatchObject(refusedApproval)
    expect((await signIn(ofStranger)).status).toBe(401)
    expect((await inspect(token)).status).toBe(200)
  })

  test("a recovery through the mailbox replaces the stranger's password and proves the e-mail", async () => {
    await askTwice()
    const confirmation = await linkOf('confirmacao')
    expect((await askRecovery()).status).toBe(202)
    const token = await linkOf('recuperacao')
    expect((await inspect(token)).body).toMatchObject({ tipo: 'recuperacao', aguardaAprovacao: true })
    expect((await reset(token)).status).toBe(204)
    expect(await account()).toMatchObject({ emailPorProvar: false, situacao: 'PENDENTE' })
    // The new password replaces the request, so its confirmation link is void.
    for (const call of [inspect(confirmation), confirm(confirmation, ofStranger)])
      expect(await call).toMatchObject(refusedLink)
    expect((await signIn(chosen)).status).toBe(401)
    expect((await approve()).status).toBe(204)
    for (const old of [ofStranger, ofVictim]) expect((await signIn(old)).status).toBe(401)
    expect((await signIn(chosen)).status).toBe(200)
  })
})

describe('POST /login/confirmar-email', () => {
  test('POST /login/confirmar-email confirms the request whose password is typed, once', async () => {
    await signUp(ofVictim)
    const token = await linkOf('confirmacao')
    expect((await confirm(token, ofVictim)).status).toBe(200)
    expect(await account()).toMatchObject({ emailPorProvar: false })
    expect(await confirm(token, ofVictim)).toMatchObject(refusedLink)
  })

  test('POST /login/confirmar-email promises no e-mail without a mail server', async () => {
    const asked = await signUp(ofVictim)
    expect(asked.body.mensagem).toMatch(/não envia e-mails/)
    const confirmed = await confirm(await linkOf('confirmacao'), ofVictim)
    expect(confirmed.body.mensagem).toMatch(/não envia e-mails/)
    expect(`${asked.body.mensagem} ${confirmed.body.mensagem}`).not.toMatch(/enviamos|chega por e-mail/)
  })

  test.each([[undefined], [null], ['']])(
    'POST /login/confirmar-email answers 422 for the password %j, without counting a failure',
    async (typed) => {
      await signUp(ofVictim)
      const token = await linkOf('confirmacao')
      const before = await countFailures()
      const answer = await app.anonymous.post('/login/confirmar-email', { token, password: typed })
      expect(answer).toMatchObject({
        status: 422,
        body: { campos: { password: 'Informe a senha que você escolheu no cadastro.' } },
      })
      expect(await countFailures()).toBe(before)
      expect((await confirm(token, ofVictim)).status).toBe(200)
    },
  )

  test('POST /login/confirmar-email audits wrong passwords and refuses every password after the limit, also for concurrent calls', async () => {
    await signUp(ofVictim)
    const token = await linkOf('confirmacao')
    const guesses = Array.from({ length: 20 }, (_, at) => confirm(token, `Palpite número ${at}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 422)).toHaveLength(15)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    expect(await confirm(token, ofVictim)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.any(String) },
    })
    const { idUsuario } = await account()
    const refusals = await auditOf('account.confirmation-refused')
    expect(refusals).toHaveLength(15)
    expect(refusals[0]).toEqual({
      idUsuario: null,
      objeto: `usuario:${idUsuario}`,
      detalhes: { motivo: 'senha errada' },
    })
    expect(JSON.stringify(refusals)).not.toContain('Palpite')
    app.clock.offsetMs = 16 * minute
    expect((await confirm(token, ofVictim)).status).toBe(200)
  })

  test('POST /login/confirmar-email does not confirm a request whose password was replaced during the check', async () => {
    await signUp(ofVictim)
    const token = await linkOf('confirmacao')
    let replaced = 0
    const replaceAfterRead: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const isLink = result.rows.some((row) => 'senhaHash' in row && 'expiraEm' in row)
        if (isLink) {
          const senhaHash = await cheapPasswordHash
          await app.db.updateTable('usuario').set({ senhaHash }).execute()
          replaced += 1
        }
        return result
      },
    }
    const watched = await app.anotherServer({ db: app.db.withPlugin(replaceAfterRead) })
    const payload = { token, password: ofVictim }
    const { statusCode } = await watched.inject({
      method: 'POST',
      url: '/api/login/confirmar-email',
      payload,
    })
    await watched.close()
    expect([statusCode, replaced]).toEqual([400, 1])
    expect(await account()).toMatchObject({ emailPorProvar: true })
    expect((await inspect(token)).status).toBe(200)
  })
})

describe('POST /login/recuperar-senha', () => {
  test('POST /login/recuperar-senha sends an unproven account a link whose use stops strangers from repeating the request', async () => {
    await signUp(ofVictim)
    await askRecovery()
    await reset(await linkOf('recuperacao'))
    const before = await account()
    app.clock.offsetMs = 6 * minute
    await signUp(ofStranger)
    expect(await account()).toEqual(before)
  })

  test('POST /login/recuperar-senha sends a link that a later block of the account voids', async () => {
    await signUp(ofVictim)
    await askRecovery()
    const token = await linkOf('recuperacao')
    await app.db.updateTable('usuario').set({ situacao: 'BLOQUEADO' }).execute()
    expect(await inspect(token)).toMatchObject(refusedLink)
    expect(await reset(token)).toMatchObject(refusedLink)
  })
})

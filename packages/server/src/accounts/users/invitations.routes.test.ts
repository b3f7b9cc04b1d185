import { beforeEach, expect, test } from 'vitest'
import { mailsOf } from '../../../test/mails.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let marina: Awaited<ReturnType<typeof createUser>>
const app = useTestApp()
beforeEach(async () => {
  marina = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
  admin = await app.as(marina)
})

const day = 24 * 3_600_000
const bia = { nomeUsuario: 'Bia Costa', emailUsuario: 'bia@exemplo.com.br' }
const novaSenha = 'Primeira senha 1'

const invite = (fields = {}) => admin.post('/usuarios/convites', { ...bia, ...fields })

/** Returns the tokens of the queued invitations, in order. */
const tokens = async (): Promise<string[]> =>
  (await mailsOf(app)).flatMap(({ mail }) =>
    mail.modelo === 'convite' ? (new URL(mail.link ?? '').searchParams.get('token') ?? []) : [],
  )

const inspect = (token = '') => app.anonymous.post('/login/verificar-link', { token })

const accept = (token = '') => app.anonymous.post('/login/redefinir-senha', { token, novaSenha })

const signIn = () =>
  app.anonymous.post('/usuarios/authorizer', { username: bia.emailUsuario, password: novaSenha })

test('an invited person sets the password through a link valid for seven days, and can sign in', async () => {
  const { status, body } = await invite()
  expect([status, body]).toMatchObject([
    202,
    {
      ...bia,
      situacao: 'ATIVO',
      tipoUsuario: 'USER',
      convitePendente: true,
      idResponsavel: 1,
      conviteAnterior: false,
    },
  ])
  expect(await mailsOf(app)).toEqual([
    {
      para: 'bia@exemplo.com.br',
      mail: {
        modelo: 'convite',
        nome: 'Bia Costa',
        convidadoPor: 'Marina Alves',
        link: expect.stringMatching(/^http:\/\/localhost:3000\/convite\?token=[\w-]{43}$/),
        dias: 7,
      },
    },
  ])
  expect((await signIn()).status).toBe(401)
  const [token = ''] = await tokens()
  app.clock.offsetMs = 6.9 * day
  expect((await inspect(token)).body).toMatchObject({ tipo: 'convite', nomeUsuario: 'Bia Costa' })
  expect((await accept(token)).status).toBe(204)
  expect((await signIn()).status).toBe(200)
  const audit = await app.db
    .selectFrom('auditoria')
    .selectAll()
    .where('acao', '=', 'account.invited')
    .execute()
  expect(audit).toMatchObject([{ idUsuario: marina.idUsuario, objeto: `usuario:${body.idUsuario}` }])
  expect(JSON.stringify(audit)).not.toContain(token)
  const again = await app.as(marina)
  expect((await again.get(`/usuarios/${body.idUsuario}`)).body.convitePendente).toBe(false)
})

test('the link expires after seven days, and a new invitation sends another', async () => {
  const { body } = await invite()
  const [first] = await tokens()
  app.clock.offsetMs = 7 * day + 1_000
  expect((await accept(first)).status).toBe(400)
  admin = await app.as(marina)
  const again = await invite()
  expect([again.status, again.body.idUsuario]).toEqual([202, body.idUsuario])
  const [, second] = await tokens()
  expect((await accept(second)).status).toBe(204)
})

test('a second invitation voids the first link, in any spelling of the e-mail', async () => {
  const { body } = await invite()
  expect(await invite({ emailUsuario: 'BIA@exemplo.com.br', tipoUsuario: 'ADMIN' })).toMatchObject({
    status: 202,
    body: { ...body, conviteAnterior: true },
  })
  const [first, second] = await tokens()
  expect((await inspect(first)).status).toBe(400)
  expect((await inspect(second)).status).toBe(200)
})

test('an e-mail with an active, pending or blocked account is not invited', async () => {
  for (const situacao of ['ATIVO', 'PENDENTE', 'BLOQUEADO'] as const) {
    const { emailUsuario } = await createUser(app, { situacao })
    const refused = await invite({ emailUsuario })
    expect([refused.status, refused.body.codigo, Object.keys(refused.body.campos)]).toEqual([
      409,
      'email_em_uso',
      ['emailUsuario'],
    ])
  }
  expect(await mailsOf(app)).toEqual([])
})

test('two concurrent invitations of one e-mail create one account and one valid link', async () => {
  const answers = await Promise.all([invite(), invite()])
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  const states = await Promise.all((await tokens()).map(async (token) => (await inspect(token)).status))
  expect(states.sort()).toEqual([200, 400])
})

test('a change of the e-mail or a password set by an ADMIN voids the link', async () => {
  const { body } = await invite()
  await admin.put(`/usuarios/${body.idUsuario}`, { emailUsuario: 'bia.costa@exemplo.com.br' })
  expect((await accept((await tokens())[0])).status).toBe(400)
  await invite({ emailUsuario: 'bia.costa@exemplo.com.br' })
  await admin.put(`/usuarios/${body.idUsuario}`, { senhaUsuario: 'Senha do ADMIN 9' })
  expect((await accept((await tokens())[1])).status).toBe(400)
})

test('a block voids the link for good', async () => {
  const { body } = await invite()
  await admin.put(`/usuarios/${body.idUsuario}`, { situacao: 'BLOQUEADO' })
  await admin.put(`/usuarios/${body.idUsuario}`, { situacao: 'ATIVO' })
  expect((await inspect((await tokens())[0])).status).toBe(400)
  expect((await accept((await tokens())[0])).status).toBe(400)
})

test('a USER cannot invite', async () => {
  const { post } = await app.as(await createUser(app))
  expect(await post('/usuarios/convites', bia)).toMatchObject({
    status: 403,
    body: { codigo: 'sem_permissao' },
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser, password } from '../../../test/users.ts'

/** The requests of these tests come from a proxy on this machine. */
const app = useTestApp({ TRUST_PROXY: 'true' })
const path = '/configuracao/seguranca'
const office = '203.0.113.9'
const elsewhere = '198.51.100.7'
const officeOnly = ['203.0.113.0/24']

const set = (redes: { redesAdmin?: string[]; redesUsuario?: string[] }, { db }: Pick<TestApp, 'db'> = app) =>
  db
    .updateTable('configuracao')
    .set({ redesAdmin: [], redesUsuario: [], ...redes })
    .execute()
afterEach(() => set({}))

const from = (address: string) => ({ 'x-forwarded-for': address })
const enter = ({ emailUsuario }: { emailUsuario: string }, address: string, secret = password) =>
  app.anonymous.post('/usuarios/authorizer', { username: emailUsuario, password: secret }, from(address))

let root: Awaited<ReturnType<typeof createUser>>
let ana: Awaited<ReturnType<typeof createUser>>
let admin: Awaited<ReturnType<TestApp['as']>>
let own: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  root = await createUser(app, { tipoUsuario: 'ADMIN' })
  ana = await createUser(app)
  admin = await app.as(root)
  own = await app.as(ana)
})

const refusals = async () => {
  const rows = await app.db
    .selectFrom('auditoria')
    .select(['idUsuario', 'acao', 'detalhes'])
    .where('acao', 'like', '%refused')
    .orderBy('idAuditoria')
    .execute()
  return rows.map(({ idUsuario, acao, detalhes }) => ({ idUsuario, acao, detalhes }))
}

describe('a session', () => {
  test('a session works only from the networks of its role, from the next call on', async () => {
    const call = (address: string) => own.get('/usuarios/sessao', from(address))
    expect((await call(elsewhere)).status).toBe(200)
    await set({ redesUsuario: officeOnly })
    expect((await call(office)).status).toBe(200)
    const { status, body } = await call(elsewhere)
    expect([status, body.codigo]).toEqual([403, 'rede_nao_permitida'])
    expect((await own.post('/notificacoes/lidas', {}, from(elsewhere))).status).toBe(403)
    expect((await admin.get('/usuarios/sessao', from(elsewhere))).status).toBe(200)
    expect(await refusals()).toMatchObject([
      { idUsuario: ana.idUsuario, acao: 'access.refused', detalhes: { codigo: 'rede_nao_permitida' } },
      { idUsuario: ana.idUsuario, acao: 'access.refused' },
    ])
    // Back in the office the same session goes on; elsewhere the person can only end it.
    expect((await call(office)).status).toBe(200)
    expect((await own.post('/usuarios/sair', {}, from(elsewhere))).status).toBe(204)
  })

  test('a session of an ADMIN has networks of its own, of IPv6 too', async () => {
    await set({ redesAdmin: ['2001:db8::/32', '10.0.0.0/8'] })
    const call = async (address: string) => (await admin.get('/usuarios', from(address))).status
    const addresses = ['2001:db8:7::1', '::ffff:10.1.1.1', '10.2.3.4', '2001:db9::1', office]
    expect(await Promise.all(addresses.map(call))).toEqual([200, 200, 200, 403, 403])
    expect((await own.get('/usuarios/sessao', from(office))).status).toBe(200)
  })
})

describe('a sign-in', () => {
  test('a sign-in from outside the networks of the role is refused after the right password only', async () => {
    await set({ redesAdmin: officeOnly })
    expect((await enter(root, office)).status).toBe(200)
    expect((await enter(ana, elsewhere)).status).toBe(200)
    const wrong = await enter(root, elsewhere, 'outra senha qualquer')
    expect([wrong.status, wrong.body.codigo]).toEqual([401, 'credenciais_invalidas'])
    const { status, body } = await enter(root, elsewhere)
    expect([status, body.codigo]).toEqual([403, 'rede_nao_permitida'])
    expect((await refusals()).at(-1)).toMatchObject({
      idUsuario: root.idUsuario,
      acao: 'session.refused',
      detalhes: { motivo: 'rede não permitida' },
    })
  })

  test('a sign-in from an address outside all networks gets the same refusal for any name and password', async () => {
    await set({ redesAdmin: officeOnly, redesUsuario: officeOnly })
    for (const attempt of [
      await enter(ana, elsewhere),
      await enter(ana, elsewhere, 'outra senha qualquer'),
      await enter({ emailUsuario: 'ninguem@exemplo.com.br' }, elsewhere),
    ]) {
      expect([attempt.status, attempt.body.codigo]).toEqual([403, 'rede_nao_permitida'])
    }
    // One line a window and network: a flood does not fill the trail.
    expect(await refusals()).toHaveLength(1)
  })

  test('a sign-in does not change a password from outside', async () => {
    await set({ redesUsuario: officeOnly })
    const body = { loginUsuario: ana.emailUsuario, senhaAtual: password, novaSenha: 'Outra senha boa 22' }
    const changed = await app.anonymous.post('/login/RecoveryPassword', body, from(elsewhere))
    expect([changed.status, changed.body.codigo]).toEqual([403, 'rede_nao_permitida'])
    expect((await enter(ana, office)).status).toBe(200)
  })
})

describe(`PUT ${path}`, () => {
  const save = (body: object, address = office) => admin.put(path, body, from(address))

  test('the call stores the networks, audited, and says from which address the caller comes', async () => {
    const redes = { redesAdmin: ['203.0.113.0/24', '2001:DB8::/32'], redesUsuario: ['198.51.100.7'] }
    const { status, body } = await save(redes)
    expect([status, body]).toMatchObject([
      200,
      { redesAdmin: ['203.0.113.0/24', '2001:db8::/32'], redesUsuario: ['198.51.100.7'], redesValem: true },
    ])
    expect((await admin.get(path, from(office))).body.enderecoAtual).toBe(office)
    const trail = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'settings.updated')
      .executeTakeFirstOrThrow()
    expect(trail.detalhes).toMatchObject({
      antes: { redesAdmin: [] },
      depois: { redesUsuario: ['198.51.100.7'] },
    })
  })

  test('the call refuses a list that excludes the ADMIN who saves it', async () => {
    const { status, body } = await save({ redesAdmin: ['10.0.0.0/8'] })
    expect([status, body.campos]).toEqual([
      422,
      { redesAdmin: expect.stringContaining(`Seu endereço, ${office}, não está nestas redes`) },
    ])
    expect((await admin.get(path)).body.redesAdmin).toEqual([])
  })

  test.each(['10.0.0.0/33', '300.1.1.1', '2001:db8::/129', 'escritorio', '10.0.0.0/8; drop'])(
    'the call refuses %s',
    async (network) => {
      const { status, body } = await save({ redesUsuario: [network] })
      expect([status, JSON.stringify(body.campos)]).toEqual([
        422,
        expect.stringContaining('não é um endereço'),
      ])
    },
  )

  test('the call requires a proof to let more networks in, not to let fewer in', async () => {
    await set({ redesUsuario: ['203.0.113.0/24', '10.0.0.0/8'] })
    app.clock.offsetMs = 11 * 60_000
    expect((await save({ redesUsuario: officeOnly })).status).toBe(200)
    for (const body of [{ redesUsuario: [] }, { redesUsuario: ['0.0.0.0/0'] }, { buscaSemAcesso: true }]) {
      const refused = await save(body)
      expect([refused.status, refused.body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
    }
  })
})

test('without TRUST_PROXY the forwarded address is ignored', async () => {
  const direct = await startTestApp()
  try {
    await set({ redesUsuario: officeOnly }, direct)
    const person = await createUser(direct)
    const body = { username: person.emailUsuario, password }
    const answer = await direct.anonymous.post('/usuarios/authorizer', body, from(office))
    expect([answer.status, answer.body.codigo]).toEqual([403, 'rede_nao_permitida'])
  } finally {
    await set({}, direct)
    await direct.close()
  }
})

describe('SIGN_IN_NETWORKS=false', () => {
  test('SIGN_IN_NETWORKS=false lets ADMINs back in who shut themselves out', async () => {
    const open = await startTestApp({ SIGN_IN_NETWORKS: 'false' })
    try {
      await set({ redesAdmin: ['192.0.2.0/24'] }, open)
      const back = await open.as(await createUser(open, { tipoUsuario: 'ADMIN' }))
      expect((await back.get(path)).body).toMatchObject({ redesValem: false, redesAdmin: ['192.0.2.0/24'] })
      expect((await back.put(path, { redesAdmin: [] })).status).toBe(200)
    } finally {
      await set({}, open)
      await open.close()
    }
  })
})

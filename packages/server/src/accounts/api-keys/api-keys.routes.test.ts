import { describe, expect, test } from 'vitest'
import { allowKeys, createKey } from '../../../test/accounts/api-keys.ts'
import { mailsOf } from '../../../test/mails.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

const draft = { nome: 'Planilha do financeiro', grupos: ['DADOS', 'RELATORIOS'], dias: 30 }
const minutes = (count: number) => count * 60_000

const linesOf = (acao: string) =>
  app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).orderBy('idAuditoria').execute()

describe('POST /conta/chaves', () => {
  test('POST /conta/chaves returns the key once, and stores only its digest', async () => {
    const boss = await createUser(app, { tipoUsuario: 'ADMIN' })
    const own = await app.as(boss)
    const { status, body } = await own.post('/conta/chaves', draft)
    expect([status, body]).toEqual([
      201,
      {
        credencial: expect.stringMatching(/^bim_[0-9A-Za-z]{46}$/),
        chave: {
          idChave: 1,
          nome: 'Planilha do financeiro',
          prefixo: body.credencial.slice(0, 10),
          grupos: ['RELATORIOS', 'DADOS'],
          redes: [],
          criadaEm: expect.any(String),
          expiraEm: expect.any(String),
          usadaEm: null,
          usadaDe: null,
        },
      },
    ])
    const { criadaEm, expiraEm } = body.chave
    expect(Date.parse(expiraEm) - Date.parse(criadaEm)).toBe(30 * 24 * 3_600_000)
    const { body: listed } = await own.get('/conta/chaves')
    expect(listed).toEqual({ podeCriar: true, mcp: false, chaves: [body.chave] })
    const rows = await app.db.selectFrom('chaveApi').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(body.credencial.slice(10))
  })

  test('a new key is audited, and its owner is told in the bell and by e-mail, without the key', async () => {
    const boss = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
    const own = await app.as(boss)
    const { body } = await own.post('/conta/chaves', { ...draft, redes: ['192.0.2.0/24'] })
    const [line] = await linesOf('api-key.created')
    expect(line).toMatchObject({
      idUsuario: boss.idUsuario,
      objeto: `usuario:${boss.idUsuario}`,
      detalhes: {
        chaveApi: draft.nome,
        grupos: ['RELATORIOS', 'DADOS'],
        redes: ['192.0.2.0/24'],
        expiraEm: body.chave.expiraEm,
      },
    })
    expect((await own.get('/notificacoes')).body[0]).toMatchObject({
      tipo: 'chave_api_alterada',
      titulo: 'Chave de API criada',
      rota: '/chaves',
    })
    const [mail] = await mailsOf(app)
    expect(mail).toMatchObject({
      para: boss.emailUsuario,
      mail: {
        modelo: 'chave_criada' as const,
        chave: draft.nome,
        permissoes: ['Ver meus relatórios', 'Ler dados dos relatórios'],
      },
    })
    expect(JSON.stringify([line, mail])).not.toContain(body.credencial)
  })

  test('POST /conta/chaves requires a recent proof of identity', async () => {
    const own = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    app.clock.offsetMs = minutes(11)
    expect(await own.post('/conta/chaves', draft)).toMatchObject({
      status: 403,
      body: { codigo: 'reautenticacao_necessaria' },
    })
    const { password: senha } = await createUser(app)
    expect((await own.post('/conta/confirmacao', { senha })).status).toBe(204)
    expect((await own.post('/conta/chaves', draft)).status).toBe(201)
  })

  test('POST /conta/chaves refuses people who are no ADMIN until the rule allows them', async () => {
    const own = await app.as(await createUser(app))
    expect((await own.get('/conta/chaves')).body).toEqual({ podeCriar: false, mcp: false, chaves: [] })
    expect(await own.post('/conta/chaves', draft)).toMatchObject({
      status: 403,
      body: { codigo: 'chaves_desligadas' },
    })
    await allowKeys(app)
    expect((await own.get('/conta/chaves')).body.podeCriar).toBe(true)
    expect((await own.post('/conta/chaves', draft)).status).toBe(201)
  })

  test.each(['USUARIOS', 'PUBLICAR', 'AUDITORIA'])(
    'POST /conta/chaves refuses the group %s for a USER',
    async (group) => {
      await allowKeys(app)
      const own = await app.as(await createUser(app))
      const { status, body } = await own.post('/conta/chaves', { ...draft, grupos: ['DADOS', group] })
      expect([status, Object.keys(body.campos)]).toEqual([422, ['grupos']])
    },
  )

  test.each([
    [{ dias: 366 }, 'dias'],
    [{ dias: 0 }, 'dias'],
    [{ dias: undefined }, 'dias'],
    [{ grupos: [] }, 'grupos'],
    [{ grupos: ['PRONTUARIOS'] }, 'grupos.0'],
    [{ nome: '' }, 'nome'],
    [{ nome: 'Planilha\u202E' }, 'nome'],
    [{ redes: ['10.0.0.0/33'] }, 'redes.0'],
    [{ redes: ['exemplo.com.br'] }, 'redes.0'],
  ])('POST /conta/chaves refuses %j', async (wrong, field) => {
    const own = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const { status, body } = await own.post('/conta/chaves', { ...draft, ...wrong })
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
  })

  test('POST /conta/chaves refuses a used name of the same person, and more than 20 keys', async () => {
    const [one, other] = [await createUser(app, { tipoUsuario: 'ADMIN' }), await createUser(app)]
    const own = await app.as(one)
    await createKey(app, other, { nome: draft.nome })
    expect((await own.post('/conta/chaves', draft)).status).toBe(201)
    const again = await own.post('/conta/chaves', { ...draft, nome: 'PLANILHA do financeiro' })
    expect([again.status, again.body.codigo, Object.keys(again.body.campos)]).toEqual([
      409,
      'chave_ja_cadastrada',
      ['nome'],
    ])
    for (let n = 1; n < 20; n += 1) await createKey(app, one)
    expect(await own.post('/conta/chaves', { ...draft, nome: 'Mais uma' })).toMatchObject({
      status: 409,
      body: { codigo: 'chaves_demais' },
    })
  })
})

describe('revoking a key', () => {
  test('revoking a key stops the next call of the key, and is audited', async () => {
    const boss = await createUser(app, { tipoUsuario: 'ADMIN' })
    const own = await app.as(boss)
    const { idChave, nome, credencial } = await createKey(app, boss)
    const program = app.withHeaders({ authorization: `Bearer ${credencial}` })
    expect((await program.get('/usuarios/menus')).status).toBe(200)
    expect((await own.del(`/conta/chaves/${idChave}`)).status).toBe(204)
    expect(await program.get('/usuarios/menus')).toMatchObject({
      status: 401,
      body: { codigo: 'chave_invalida' },
    })
    expect(await linesOf('api-key.revoked')).toMatchObject([
      { idUsuario: boss.idUsuario, detalhes: { chaveApi: nome } },
    ])
    expect((await own.del(`/conta/chaves/${idChave}`)).status).toBe(404)
  })

  test('revoking a key by an ADMIN tells the owner', async () => {
    await allowKeys(app)
    const person = await createUser(app)
    const boss = await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' })
    const { idChave, credencial } = await createKey(app, person, { nome: 'Planilha' })
    expect((await (await app.as(boss)).del(`/chaves/${idChave}`)).status).toBe(204)
    const program = app.withHeaders({ authorization: `Bearer ${credencial}` })
    expect((await program.get('/usuarios/menus')).status).toBe(401)
    const { body } = await (await app.as(person)).get('/notificacoes')
    expect(body[0]).toMatchObject({
      titulo: 'Chave de API revogada',
      texto: expect.stringMatching(/^Marina/),
    })
  })
})

test('GET /chaves lists the keys of all, with why they are refused', async () => {
  const boss = await createUser(app, { tipoUsuario: 'ADMIN' })
  const person = await createUser(app, { nomeUsuario: 'Bruno Lima' })
  const blocked = await createUser(app, { situacao: 'BLOQUEADO' })
  await createKey(app, boss, { nome: 'a' })
  await createKey(app, person, { nome: 'b' })
  await createKey(app, blocked, { nome: 'c' })
  await createKey(app, boss, { nome: 'd', expiraEm: new Date(Date.now() - 1) })
  const own = await app.as(boss)
  const { body, headers } = await own.get('/chaves?ordem=nome')
  const denialReasons = body.map((key: { impedimento: string | null }) => key.impedimento)
  expect(denialReasons).toEqual([null, 'Só administradores usam chaves', 'Conta sem acesso', 'Vencida'])
  expect(headers['x-total-count']).toBe('4')
  expect((await own.get('/chaves?busca=bruno')).body).toMatchObject([
    { nome: 'b', nomeUsuario: 'Bruno Lima' },
  ])
})

describe('PUT /configuracao/chaves', () => {
  const path = '/configuracao/chaves'

  test('PUT /configuracao/chaves saves by version, audits the change and tells the other administrators', async () => {
    const own = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
    const other = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    expect((await own.get(path)).body).toEqual({ pessoas: false, mcp: false, versao: 1 })
    const saved = await own.put(path, { pessoas: true, mcp: false }, { 'if-match': '"1"' })
    expect([saved.status, saved.body]).toEqual([200, { pessoas: true, mcp: false, versao: 2 }])
    const late = await own.put(path, { pessoas: false, mcp: true }, { 'if-match': '"1"' })
    expect([late.status, late.body.codigo]).toEqual([412, 'versao_antiga'])
    expect(await linesOf('api-key-settings.updated')).toMatchObject([
      { detalhes: { versao: 2, antes: { pessoas: false }, depois: { pessoas: true } } },
    ])
    expect((await own.get('/notificacoes')).body).toEqual([])
    expect((await other.get('/notificacoes')).body[0]).toMatchObject({ tipo: 'seguranca_alterada' })
  })

  test('PUT /configuracao/chaves requires a recent proof to allow more, not to allow less', async () => {
    await allowKeys(app)
    const own = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    app.clock.offsetMs = minutes(11)
    expect((await own.put(path, { pessoas: true, mcp: true })).body.codigo).toBe('reautenticacao_necessaria')
    expect((await own.put(path, { pessoas: false, mcp: false })).status).toBe(200)
  })

  test('PUT /configuracao/chaves stops the keys of people at their next call, and lets them go on', async () => {
    await allowKeys(app)
    const { credencial } = await createKey(app, await createUser(app))
    const own = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const program = app.withHeaders({ authorization: `Bearer ${credencial}` })
    expect((await program.get('/usuarios/menus')).status).toBe(200)
    await own.put(path, { pessoas: false, mcp: false })
    expect((await program.get('/usuarios/menus')).status).toBe(401)
    await own.put(path, { pessoas: true, mcp: false })
    expect((await program.get('/usuarios/menus')).status).toBe(200)
  })
})

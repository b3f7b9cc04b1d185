import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let groups: { id: number; reports: number[] }[]
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
  const { idPowerBi } = await createConnection(app)
  groups = []
  for (const nomeGrupo of ['Um', 'Dois']) {
    const { idGrupoRelatorio: id } = await createWorkspace(app, { idPowerBi, nomeGrupo })
    const reports = [
      await createReport(app, { idGrupoRelatorio: id, nomeRelatorio: `${nomeGrupo} b` }),
      await createReport(app, { idGrupoRelatorio: id, nomeRelatorio: `${nomeGrupo} a` }),
    ]
    groups.push({ id, reports: reports.map(({ idRelatorio }) => idRelatorio) })
  }
})

const create = async (nomePerfil = 'Diretoria') => (await admin.post('/perfis', { nomePerfil })).body

test('a profile is created, listed in order with its counts, renamed and deleted', async () => {
  const { status, body, headers } = await admin.post('/perfis', { nomePerfil: ' Ética ' })
  expect([status, headers.etag]).toEqual([201, '"1"'])
  expect(body).toEqual({
    idPerfil: expect.any(Number),
    nomePerfil: 'Ética',
    quantidadeRelatorios: 0,
    quantidadeMembros: 0,
    versao: 1,
  })
  await create('Atendimento')
  await create('Financeiro')
  const list = await admin.get('/perfis')
  expect(list.body.map((profile: { nomePerfil: string }) => profile.nomePerfil)).toEqual([
    'Atendimento',
    'Ética',
    'Financeiro',
  ])
  expect((await admin.get('/perfis?busca=etica&pagina=1')).headers['x-total-count']).toBe('1')
  const url = `/perfis/${body.idPerfil}`
  const renamed = await admin.put(url, { nomePerfil: 'Ouvidoria' }, { 'if-match': '"1"' })
  expect([renamed.status, renamed.body.nomePerfil, renamed.body.versao]).toEqual([200, 'Ouvidoria', 2])
  const stale = await admin.put(url, { nomePerfil: 'Outra' }, { 'if-match': '"1"' })
  expect([stale.status, stale.body.codigo]).toEqual([412, 'versao_antiga'])
  expect(stale.body.detail).toMatch(/^Marina Alves alterou Nome do perfil em/)
  expect((await admin.del(url)).status).toBe(204)
  for (const answer of [
    await admin.get(url),
    await admin.del(url),
    await admin.put(url, { nomePerfil: 'x' }),
  ]) {
    expect(answer.status).toBe(404)
  }
})

test('two profiles cannot have the same name in other case or accents', async () => {
  await create('Saúde')
  const { status, body } = await admin.post('/perfis', { nomePerfil: 'SAUDE' })
  expect([status, body.codigo]).toEqual([409, 'perfil_ja_cadastrado'])
  expect((await admin.post('/perfis', { nomePerfil: ' ' })).body.campos).toEqual({
    nomePerfil: 'É necessário preencher este campo.',
  })
})

test("a profile's reports are replaced as a whole or within a workspace", async () => {
  const { idPerfil } = await create()
  const url = `/perfis/${idPerfil}/relatorios`
  const [one, two] = groups
  if (!one || !two) throw new Error('the setup created no groups')
  const names = ({ body }: { body: { nomeRelatorio: string }[] }) =>
    body.map(({ nomeRelatorio }) => nomeRelatorio)
  expect(names(await admin.put(url, { idRelatorios: [...one.reports, ...two.reports] }))).toEqual([
    'Dois a',
    'Dois b',
    'Um a',
    'Um b',
  ])
  await admin.put(url, { idGrupoRelatorio: one.id, idRelatorios: [one.reports[0]] })
  expect(names(await admin.get(url))).toEqual(['Dois a', 'Dois b', 'Um b'])
  const choices = await admin.get(`${url}/${one.id}`)
  expect(choices.body.map((row: { isChecked: boolean }) => row.isChecked)).toEqual([false, true])
  const wrong = await admin.put(url, { idGrupoRelatorio: one.id, idRelatorios: two.reports })
  expect([wrong.status, Object.keys(wrong.body.campos)]).toEqual([422, ['idRelatorios']])
  expect((await admin.put(url, { idRelatorios: [999_999] })).status).toBe(422)
  expect(names(await admin.get(url))).toHaveLength(3)
  expect((await admin.put('/perfis/999999/relatorios', { idRelatorios: [] })).status).toBe(404)
})

test("replacing a profile's reports with a stale ETag gets 412", async () => {
  const url = `/perfis/${(await create()).idPerfil}/relatorios`
  const before = { 'if-match': String((await admin.get(url)).headers.etag) }
  const idRelatorios = groups[0]?.reports.slice(0, 1)
  expect((await admin.put(url, { idRelatorios }, before)).status).toBe(200)
  expect((await admin.put(url, { idRelatorios: [] }, before)).status).toBe(412)
  expect((await admin.get(url)).body).toHaveLength(1)
})

test('members join, also twice, and leave; the menu shows the union of grants and profiles', async () => {
  const [one, two] = groups
  const person = await createUser(app, { nomeUsuario: 'Ana' })
  const own = await app.as(person)
  const reportsNow = async () =>
    (await own.get('/usuarios/menus')).body.flatMap((entry: { relatorios: { nome: string }[] }) =>
      entry.relatorios.map(({ nome }) => nome),
    )
  const [first, second] = [await create('A'), await create('B')]
  await admin.put(`/perfis/${first.idPerfil}/relatorios`, {
    idRelatorios: [one?.reports[0], two?.reports[0]],
  })
  await admin.put(`/perfis/${second.idPerfil}/relatorios`, { idRelatorios: [one?.reports[0]] })
  for (const { idPerfil } of [first, second, first]) {
    const { status } = await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: [person.idUsuario] })
    expect(status).toBe(200)
  }
  expect((await admin.get(`/perfis/${first.idPerfil}/membros?busca=an`)).body).toEqual([
    { idUsuario: person.idUsuario, nomeUsuario: 'Ana', emailUsuario: person.emailUsuario, validoAte: null },
  ])
  expect(await reportsNow()).toEqual(['Dois b', 'Um b'])
  const { body } = await admin.put(`/perfis/${first.idPerfil}/membros`, {
    remover: [person.idUsuario, 999_999],
  })
  expect(body.quantidadeMembros).toBe(0)
  expect(await reportsNow()).toEqual(['Um b'])
  await admin.del(`/perfis/${second.idPerfil}`)
  expect(await reportsNow()).toEqual([])
  const unknownUser = await admin.put(`/perfis/${first.idPerfil}/membros`, { adicionar: [999_999] })
  expect([unknownUser.status, Object.keys(unknownUser.body.campos)]).toEqual([422, ['adicionar']])
  const both = { adicionar: [person.idUsuario], remover: [person.idUsuario] }
  const contradictory = await admin.put(`/perfis/${first.idPerfil}/membros`, both)
  expect([contradictory.status, Object.keys(contradictory.body.campos)]).toEqual([422, ['remover']])
})

test('every change of a profile is audited, and a save without changes is not', async () => {
  const { idPerfil } = await create()
  await admin.put(`/perfis/${idPerfil}/relatorios`, { idRelatorios: groups[0]?.reports })
  await admin.put(`/perfis/${idPerfil}/relatorios`, { idRelatorios: groups[0]?.reports })
  await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: [], remover: [999] })
  await admin.del(`/perfis/${idPerfil}`)
  const entries = await app.db
    .selectFrom('auditoria')
    .select(['acao'])
    .where('objeto', '=', `perfil:${idPerfil}`)
    .orderBy('idAuditoria')
    .execute()
  expect(entries.map(({ acao }) => acao)).toEqual([
    'profile.created',
    'profile.reports-changed',
    'profile.deleted',
  ])
})

describe('GET /perfis/:id/candidatos', () => {
  test('GET /perfis/:id/candidatos finds words of name and e-mail in any order, and marks members and suspended people', async () => {
    const { idPerfil } = await create()
    const ana = await createUser(app, { nomeUsuario: 'Ana Sousa', emailUsuario: 'asousa@norte.com.br' })
    const jose = await createUser(app, { nomeUsuario: 'José Sousa Lima', emailUsuario: 'jl@norte.com.br' })
    await createUser(app, { nomeUsuario: 'Bia Sousa', emailUsuario: 'bia@sul.com.br', situacao: 'BLOQUEADO' })
    await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: [jose.idUsuario] })
    const found = async (busca: string) => {
      const { body } = await admin.get(`/perfis/${idPerfil}/candidatos?busca=${encodeURIComponent(busca)}`)
      return body.map(({ nomeUsuario }: { nomeUsuario: string }) => nomeUsuario)
    }
    expect(await found('sousa')).toEqual(['Ana Sousa', 'Bia Sousa', 'José Sousa Lima'])
    expect(await found('SOUSA jose')).toEqual(['José Sousa Lima'])
    expect(await found('norte sousa')).toEqual(['Ana Sousa', 'José Sousa Lima'])
    expect(await found('asousa@norte.com.br')).toEqual(['Ana Sousa'])
    expect(await found('sousa 50%')).toEqual([])
    const { body, headers } = await admin.get(`/perfis/${idPerfil}/candidatos?busca=sousa&pagina=1&tamanho=2`)
    expect(headers['x-total-count']).toBe('3')
    expect(body).toEqual([
      {
        idUsuario: ana.idUsuario,
        nomeUsuario: 'Ana Sousa',
        emailUsuario: 'asousa@norte.com.br',
        situacao: 'ATIVO',
        jaMembro: false,
      },
      expect.objectContaining({ situacao: 'BLOQUEADO', jaMembro: false }),
    ])
    expect((await admin.get('/perfis/999999/candidatos')).status).toBe(404)
    const members = await admin.get(`/perfis/${idPerfil}/membros?busca=lima%20norte`)
    expect(members.body).toMatchObject([{ nomeUsuario: 'José Sousa Lima' }])
  })
})

describe('POST /perfis/:id/candidatos/conferir', () => {
  test('POST /perfis/:id/candidatos/conferir answers a result per line, and changes nothing', async () => {
    const { idPerfil } = await create()
    const ana = await createUser(app, { nomeUsuario: 'Ana', emailUsuario: 'Ana@exemplo.com.br' })
    const bia = await createUser(app, { nomeUsuario: 'Bia', emailUsuario: 'bia@exemplo.com.br' })
    await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: [bia.idUsuario] })
    const emails = [
      ' ana@EXEMPLO.com.br ',
      'bia@exemplo.com.br',
      'ANA@exemplo.com.br',
      'ninguem@exemplo.com.br',
      'Ana',
      'ana\0@exemplo.com.br',
      '',
    ]
    const { status, body } = await admin.post(`/perfis/${idPerfil}/candidatos/conferir`, { emails })
    expect(status).toBe(200)
    expect(
      body.map((line: { email: string; resultado: string; pessoa: { idUsuario: number } | null }) => [
        line.email,
        line.resultado,
        line.pessoa?.idUsuario,
      ]),
    ).toEqual([
      ['ana@EXEMPLO.com.br', 'encontrado', ana.idUsuario],
      ['bia@exemplo.com.br', 'ja_membro', bia.idUsuario],
      ['ANA@exemplo.com.br', 'repetido', ana.idUsuario],
      ['ninguem@exemplo.com.br', 'desconhecido', undefined],
      ['Ana', 'invalido', undefined],
      ['ana\0@exemplo.com.br', 'invalido', undefined],
      ['', 'invalido', undefined],
    ])
    expect((await admin.get(`/perfis/${idPerfil}`)).body.quantidadeMembros).toBe(1)
    expect((await admin.post('/perfis/999999/candidatos/conferir', { emails })).status).toBe(404)
  })

  test('POST /perfis/:id/candidatos/conferir takes 1,000 lines at once, and no more', async () => {
    const { idPerfil } = await create()
    const send = (count: number) =>
      admin.post(`/perfis/${idPerfil}/candidatos/conferir`, { emails: Array(count).fill('a@exemplo.com.br') })
    expect((await send(1_000)).body).toHaveLength(1_000)
    const { status, body } = await send(1_001)
    expect([status, body.campos]).toEqual([422, { emails: 'No máximo 1000 de uma vez.' }])
  })
})

describe('PUT /perfis/:id/membros', () => {
  test('PUT /perfis/:id/membros adds and removes many in one audited transaction, and notifies those who joined', async () => {
    const { idPerfil } = await create()
    await admin.put(`/perfis/${idPerfil}/relatorios`, { idRelatorios: groups[0]?.reports })
    const people = await Promise.all(Array.from({ length: 12 }, () => createUser(app)))
    const ids = people.map(({ idUsuario }) => idUsuario)
    await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: ids.slice(0, 2) })
    const { body } = await admin.put(`/perfis/${idPerfil}/membros`, {
      adicionar: ids.slice(1),
      remover: ids.slice(0, 1),
    })
    expect(body.quantidadeMembros).toBe(11)
    const lines = await app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'profile.members-changed')
      .orderBy('idAuditoria')
      .execute()
    const sorted = (list: number[]) => list.toSorted((a, b) => a - b)
    expect(lines.map(({ detalhes }) => detalhes)).toEqual([
      { entraram: ids.slice(0, 2), sairam: [] },
      { entraram: ids.slice(2), sairam: ids.slice(0, 1) },
    ])
    const told = await app.db
      .selectFrom('notificacao')
      .select('idUsuario')
      .where('tipo', '=', 'permissao_liberada')
      .execute()
    expect(sorted(told.map(({ idUsuario }) => idUsuario))).toEqual(sorted(ids))
  })

  test('PUT /perfis/:id/membros adds no member when one of many is unknown', async () => {
    const { idPerfil } = await create()
    const { idUsuario } = await createUser(app)
    const { status } = await admin.put(`/perfis/${idPerfil}/membros`, { adicionar: [idUsuario, 999_999] })
    expect(status).toBe(422)
    expect((await admin.get(`/perfis/${idPerfil}`)).body.quantidadeMembros).toBe(0)
  })
})

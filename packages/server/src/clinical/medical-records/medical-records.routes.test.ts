import { beforeEach, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import { contentDraft, createEntity, recordDraft } from '../../../test/clinical/medical-records.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { recordReasonContext } from '../health-data/encryption-contexts.ts'
import { purposeInWords } from '../health-data/purpose.ts'

let ana: Awaited<ReturnType<TestApp['as']>>
let anaUser: Awaited<ReturnType<typeof createUser>>
const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '100000' })
beforeEach(async () => {
  anaUser = await createUser(app, { nomeUsuario: 'Ana Médica', acessoProntuario: true })
  ana = await app.as(anaUser)
})

const purpose = (text: string) => ({ 'x-finalidade': encodeURIComponent(text) })

const accesses = () =>
  app.db
    .selectFrom('acessoSaude')
    .select(['acao', 'objeto', 'idObjeto', 'beneficiario', 'finalidade', 'nomeUsuario'])
    .orderBy('idAcesso')
    .execute()

const audited = async (action: string) =>
  (
    await app.db
      .selectFrom('auditoria')
      .select(['objeto', 'detalhes'])
      .where('acao', '=', action)
      .orderBy('idAuditoria')
      .execute()
  ).map(({ objeto, detalhes }) => ({ objeto, detalhes }))

test('POST /prontuarios registers an unknown beneficiary, and dates the record by the day in São Paulo', async () => {
  const draft = recordDraft({ nome_beneficiario: ' Maria  da Sé ', id_beneficiario: ' 778 ' })
  const { status, body, headers } = await ana.post('/prontuarios', draft)
  const today = new Date().toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' })
  expect([status, headers.etag]).toEqual([201, '"1"'])
  expect(body).toEqual({
    ...draft,
    nome_beneficiario: 'Maria  da Sé',
    id_beneficiario: '778',
    id: 1,
    beneficiario: 1,
    data_prontuario: today,
    registrado_em: expect.any(String),
    registrado_por: 'Ana Médica',
    idAutor: anaUser.idUsuario,
    registroAutor: null,
    alterado_por: null,
    idAlteradoPor: null,
    registroAlteradoPor: null,
    alterado_em: null,
    versao: 1,
  })
  expect((await ana.get('/prontuarios/1')).body).toEqual(body)
  const { ultimoRegistro } = await app.db
    .selectFrom('beneficiario')
    .select('ultimoRegistro')
    .executeTakeFirstOrThrow()
  expect(ultimoRegistro).toBe(today.split('/').reverse().join('-'))
  expect(await audited('beneficiary.created')).toMatchObject([{ objeto: 'beneficiario:1' }])
  expect(await audited('record.created')).toEqual([
    {
      objeto: 'prontuario:1',
      detalhes: {
        finalidade: 'nao_informada',
        prontuario: [1],
        beneficiario: [1],
        versao: 1,
        acessos: { linhas: '2', resumo: expect.any(String) },
      },
    },
  ])
})

test('POST /prontuarios matches a known plan id with the name in other case or accents, and refuses another name', async () => {
  const { id } = await createBeneficiary(app, { nome_beneficiario: 'José D’Ávila', id_beneficiario: '12-3' })
  const same = await ana.post(
    '/prontuarios',
    recordDraft({ nome_beneficiario: "JOSE  D'AVILA", id_beneficiario: '12-3' }),
  )
  expect(same).toMatchObject({ status: 201, body: { beneficiario: id, nome_beneficiario: 'José D’Ávila' } })
  const other = await ana.post(
    '/prontuarios',
    recordDraft({ nome_beneficiario: 'Joana Ávila', id_beneficiario: '12-3' }),
  )
  expect([other.status, other.body.codigo, other.body.campos]).toEqual([
    422,
    'campos_invalidos',
    { nome_beneficiario: 'Este ID já é de outro beneficiário. Confira o nome.' },
  ])
  expect((await ana.get('/prontuarios')).body).toHaveLength(1)
  expect(await audited('beneficiary.created')).toEqual([])
})

test('20 concurrent records of a new beneficiary create one beneficiary and 20 records', async () => {
  const draft = recordDraft({ nome_beneficiario: 'Nova Pessoa', id_beneficiario: '20' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ana.post('/prontuarios', draft)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
  expect(new Set(answers.map(({ body }) => body.beneficiario)).size).toBe(1)
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(20)
  expect(await app.db.selectFrom('beneficiario').select('id').execute()).toHaveLength(1)
  expect((await ana.get('/prontuarios?pagina=1')).headers['x-total-count']).toBe('20')
  expect(await audited('beneficiary.created')).toHaveLength(1)
})

test.each([
  ['nome_beneficiario', '  ', 'Campo obrigatório'],
  ['id_beneficiario', undefined, 'Campo obrigatório'],
  ['especialidade', '', 'Campo obrigatório'],
  ['especialidade', 'Astrologia', 'Escolha uma opção da lista.'],
  ['risco_custo', undefined, 'Campo obrigatório'],
  ['risco_doenca', 'alto', 'Escolha uma opção da lista.'],
  ['descricao_hd', ' \n ', 'Campo obrigatório'],
  ['prescricao_beneficiario', undefined, 'Campo obrigatório'],
  ['prescricao_beneficiario', 'x'.repeat(10_001), 'Use no máximo 10.000 caracteres.'],
])('POST /prontuarios refuses %s %j at its field, and stores nothing', async (field, value, message) => {
  const { status, body } = await ana.post('/prontuarios', { ...recordDraft(), [field]: value })
  expect([status, body.campos]).toEqual([422, { [field]: message }])
  expect(await app.db.selectFrom('beneficiario').select('id').execute()).toEqual([])
})

test('GET /prontuarios returns pages, newest first, filtered by period and beneficiary', async () => {
  const one = (await createBeneficiary(app)).id
  const days = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2026-02-01', '2026-03-05']
  for (const [index, day] of days.entries()) {
    const now = new Date(`${day}T23:30:00-03:00`)
    await createEntity(app, anaUser, { now, ...(index % 2 ? { beneficiario: one } : {}) })
  }
  const idsOf = async (query: string) => {
    const { status, body, headers } = await ana.get(`/prontuarios?${query}`)
    expect(status).toBe(200)
    return { ids: body.map(({ id }: { id: number }) => id), total: headers['x-total-count'] }
  }
  expect(await idsOf('')).toEqual({ ids: [6, 5, 4, 3, 2, 1], total: '6' })
  expect(await idsOf('pagina=2')).toEqual({ ids: [1], total: '6' })
  const first = await ana.get('/prontuarios?pagina=1&de=01/01/2026')
  expect(first.headers.link).toBeUndefined()
  expect((await ana.get('/prontuarios?pagina=1')).headers.link).toBe(
    '</api/prontuarios?pagina=2>; rel="next"',
  )
  expect(await idsOf('de=01/01/2026&ate=01/02/2026')).toEqual({ ids: [5, 4, 3, 2], total: '4' })
  expect(await idsOf('de=01/02/2026&ate=01/02/2026')).toEqual({ ids: [5, 4], total: '2' })
  expect(await idsOf('de=02/02/2026')).toEqual({ ids: [6], total: '1' })
  expect(await idsOf('ate=31/12/2025')).toEqual({ ids: [1], total: '1' })
  expect(await idsOf(`beneficiario=${one}`)).toEqual({ ids: [6, 4, 2], total: '3' })
  expect(await idsOf(`beneficiario=${one}&de=01/02/2026`)).toEqual({ ids: [6, 4], total: '2' })
  expect(await idsOf('beneficiario=999&de=01/02/2026')).toEqual({ ids: [], total: '0' })
  const lines = await audited('record.read')
  expect(lines.at(-1)).toEqual({
    objeto: 'prontuarios',
    detalhes: { finalidade: 'nao_informada', de: '01/02/2026', beneficiario: [999] },
  })
})

test.each([
  ['de=02/01/2026&ate=01/01/2026', { ate: 'A data final não pode ser anterior à inicial.' }],
  ['de=31/02/2026', { de: 'Informe uma data válida (dd/mm/aaaa).' }],
  ['ate=2026-01-01', { ate: 'Informe uma data válida (dd/mm/aaaa).' }],
])('GET /prontuarios refuses the period %s', async (query, campos) => {
  const { status, body } = await ana.get(`/prontuarios?${query}`)
  expect([status, body.campos]).toEqual([422, campos])
  expect(await accesses()).toEqual([])
})

test('an archived record disappears from all calls, and is kept with the reason', async () => {
  const { body } = await ana.post('/prontuarios', recordDraft())
  const at = `/prontuarios/${body.id}`
  const reason = { 'x-motivo': encodeURIComponent('Duplicado: é de outra pessoa') }
  expect((await ana.del(at, reason)).status).toBe(204)
  const { headers, body: list } = await ana.get('/prontuarios?pagina=1')
  expect([list, headers['x-total-count']]).toEqual([[], '0'])
  expect((await ana.get(`/prontuarios?beneficiario=${body.beneficiario}`)).body).toEqual([])
  const answers = [
    await ana.get(at),
    await ana.put(at, body),
    await ana.del(at),
    await ana.get(`${at}/versoes`),
    await ana.get(`${at}/pdf`),
    await ana.post(`${at}/impressao`),
    await ana.get('/prontuarios/999'),
    await ana.get('/prontuarios/0'),
  ]
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(404))
  const row = await app.db.selectFrom('prontuario').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ idArquivadoPor: anaUser.idUsuario, arquivadoPor: 'Ana Médica' })
  const context = recordReasonContext(row)
  expect(row.motivo && app.services.secrets.decrypt(row.motivo, context)).toBe('Duplicado: é de outra pessoa')
  expect((await accesses()).map(({ acao }) => acao)).toEqual(['registrado', 'registrado', 'arquivado'])
})

test('a change of an unknown record, or with another plan id, is refused and audited', async () => {
  const { id, beneficiario } = await createEntity(app, anaUser)
  const { id_beneficiario } = await createBeneficiary(app)
  const draft = contentDraft({ id_beneficiario })
  expect((await ana.put(`/prontuarios/${id}`, draft)).status).toBe(422)
  expect((await ana.put(`/prontuarios/${id}`, { ...draft, id_beneficiario: 'ninguém' })).status).toBe(422)
  const row = { objeto: 'prontuario', acao: 'buscado', idObjeto: id, beneficiario }
  expect(await accesses()).toMatchObject([row, row])
  expect((await ana.put('/prontuarios/999', contentDraft())).status).toBe(404)
  await ana.del(`/prontuarios/${id}`)
  expect((await ana.put(`/prontuarios/${id}`, contentDraft())).status).toBe(404)
  expect(await audited('access.refused')).toMatchObject([
    { objeto: `prontuario:${id}`, detalhes: { codigo: 'campos_invalidos', prontuario: [id] } },
    { objeto: `prontuario:${id}`, detalhes: { codigo: 'campos_invalidos' } },
    { objeto: 'prontuario:999', detalhes: { codigo: 'nao_encontrado', finalidade: 'nao_informada' } },
    { objeto: `prontuario:${id}`, detalhes: { codigo: 'nao_encontrado' } },
  ])
})

test("archiving without a reason stores 'Não informado'", async () => {
  const { id } = await createEntity(app, anaUser)
  await ana.del(`/prontuarios/${id}`)
  const row = await app.db.selectFrom('prontuario').selectAll().executeTakeFirstOrThrow()
  const context = recordReasonContext(row)
  expect(row.motivo && app.services.secrets.decrypt(row.motivo, context)).toBe('Não informado')
})

test('every call is in the access log, with user, beneficiary and purpose', async () => {
  const { body } = await ana.post('/prontuarios', recordDraft(), purpose('Atendimento'))
  const { id, beneficiario } = body
  await ana.get('/prontuarios', purpose('Regulação'))
  await ana.get(`/prontuarios/${id}`, purpose('Auditoria'))
  await ana.put(
    `/prontuarios/${id}`,
    { ...body, descricao_hd: 'Outro' },
    purpose('Outro: pedido da ouvidoria ≥ 1'),
  )
  await ana.get(`/prontuarios/${id}/versoes`, purpose('Auditoria'))
  await ana.get(`/prontuarios/${id}/pdf`, purpose('Auditoria'))
  expect((await ana.post(`/prontuarios/${id}/impressao`, undefined, purpose('Auditoria'))).status).toBe(204)
  await ana.del(`/prontuarios/${id}`)
  const of = { objeto: 'prontuario', idObjeto: id, beneficiario, nomeUsuario: 'Ana Médica' }
  expect(await accesses()).toEqual([
    { ...of, objeto: 'beneficiario', idObjeto: beneficiario, acao: 'registrado', finalidade: 'atendimento' },
    { ...of, acao: 'registrado', finalidade: 'atendimento' },
    { ...of, acao: 'lido', finalidade: 'regulacao' },
    { ...of, acao: 'lido', finalidade: 'auditoria' },
    { ...of, acao: 'alterado', finalidade: 'outro' },
    { ...of, acao: 'lido', finalidade: 'auditoria' },
    { ...of, acao: 'exportado', finalidade: 'auditoria' },
    { ...of, acao: 'impresso', finalidade: 'auditoria' },
    { ...of, acao: 'arquivado', finalidade: 'nao_informada' },
  ])
  const row = await app.db
    .selectFrom('acessoSaude')
    .selectAll()
    .where('finalidade', '=', 'outro')
    .executeTakeFirstOrThrow()
  expect(purposeInWords(row, app.services.secrets)).toBe('Outro: pedido da ouvidoria ≥ 1')
})

test('an undecodable purpose gives 400 before anything is read or written', async () => {
  const { id } = await createEntity(app, anaUser)
  const broken = { 'x-finalidade': '%E0%A4%A' }
  const answers = [
    await ana.get('/prontuarios', broken),
    await ana.get(`/prontuarios/${id}`, broken),
    await ana.post('/prontuarios', recordDraft(), broken),
    await ana.del(`/prontuarios/${id}`, broken),
    await ana.get(`/prontuarios/${id}/pdf`, broken),
  ]
  expect(answers.map(({ status, body }) => [status, body.codigo])).toEqual(
    Array(5).fill([400, 'requisicao_invalida']),
  )
  expect((await ana.get('/prontuarios')).body).toHaveLength(1)
})

test('neither the tables nor the audit trail contain a text in clear', async () => {
  const draft = recordDraft({
    nome_beneficiario: 'Nome Secreto',
    id_beneficiario: 'id-secreto',
    descricao_hd: 'hd secreta',
  })
  const { body } = await ana.post('/prontuarios', draft, purpose('Outro: motivo secreto'))
  await ana.put(`/prontuarios/${body.id}`, { ...body, descricao_hd: 'outra hd secreta' })
  await ana.del(`/prontuarios/${body.id}`, { 'x-motivo': 'motivo secreto' })
  for (const table of [
    'beneficiario',
    'prontuario',
    'prontuarioVersao',
    'acessoSaude',
    'auditoria',
  ] as const) {
    const rows = await app.db.selectFrom(table).selectAll().execute()
    expect(rows.length, table).toBeGreaterThan(0)
    expect(JSON.stringify(rows), table).not.toMatch(/secret/i)
  }
})

test('a record whose key was lost shows a placeholder, and the list still works', async () => {
  const { id } = await createEntity(app, anaUser)
  await app.db
    .updateTable('prontuario')
    .set({ conteudo: '' as never })
    .where('id', '=', id)
    .execute()
  const { status, body } = await ana.get('/prontuarios')
  expect([status, body[0].descricao_hd, body[0].especialidade]).toEqual([
    200,
    '(perdido com a chave)',
    '(perdido com a chave)',
  ])
})

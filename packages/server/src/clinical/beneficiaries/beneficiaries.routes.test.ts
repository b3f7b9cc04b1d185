import { beforeEach, describe, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { listBeneficiaryVersions } from './beneficiary-versions.ts'

let helena: Awaited<ReturnType<typeof createUser>>
let clinician: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  helena = await createUser(app, { nomeUsuario: 'Helena Duarte', acessoProntuario: true })
  clinician = await app.as(helena)
})

const joana = {
  nome_beneficiario: 'Joana Exemplo de Araújo',
  id_beneficiario: 'EX-0001',
  data_nascimento: '29/02/1980',
  sexo: 'feminino',
  plano: 'Pleno',
  operadora: 'CNU',
} as const

const purpose = { 'x-finalidade': encodeURIComponent('Regulação') }

const accesses = () =>
  app.db
    .selectFrom('acessoSaude')
    .select(['acao', 'objeto', 'idObjeto', 'beneficiario', 'finalidade', 'idUsuario', 'nomeUsuario'])
    .orderBy('idAcesso')
    .execute()

const trail = () =>
  app.db
    .selectFrom('auditoria')
    .select(['acao', 'objeto', 'detalhes', 'idUsuario'])
    .where('acao', 'like', 'beneficiary.%')
    .orderBy('idAuditoria')
    .execute()

/** The audit lines as text, without the accesses' digest, in which any letters may occur. */
const trailText = async () =>
  JSON.stringify(await trail(), (key, value) => (key === 'resumo' ? undefined : value))

const numbersOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

describe('POST /beneficiarios', () => {
  test('POST /beneficiarios stores the fields encrypted, and returns the record with its version', async () => {
    const { status, body, headers } = await clinician.post(
      '/beneficiarios',
      { ...joana, nome_beneficiario: `  ${joana.nome_beneficiario} `, plano: '' },
      purpose,
    )
    expect([status, headers.etag]).toEqual([201, '"1"'])
    expect(body).toEqual({ ...joana, plano: null, id: expect.any(Number), versao: 1 })
    const row = await app.db.selectFrom('beneficiario').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(/joana|EX-0001|1980|feminino/i)
    expect(await accesses()).toEqual([
      {
        acao: 'registrado',
        objeto: 'beneficiario',
        idObjeto: body.id,
        beneficiario: body.id,
        finalidade: 'regulacao',
        idUsuario: helena.idUsuario,
        nomeUsuario: 'Helena Duarte',
      },
    ])
    expect(await trail()).toMatchObject([
      {
        acao: 'beneficiary.created',
        objeto: `beneficiario:${body.id}`,
        idUsuario: helena.idUsuario,
        detalhes: { finalidade: 'regulacao' },
      },
    ])
  })

  test('POST /beneficiarios answers 409 for a known plan id, and logs an access to its owner', async () => {
    const { id } = await createBeneficiary(app, { id_beneficiario: 'EX-0001' })
    const { status, body } = await clinician.post('/beneficiarios', {
      ...joana,
      nome_beneficiario: 'Outra Pessoa',
    })
    expect([status, body.codigo, body.campos]).toEqual([
      409,
      'beneficiario_ja_cadastrado',
      { id_beneficiario: 'Já existe um beneficiário com este ID.' },
    ])
    expect(await accesses()).toMatchObject([{ acao: 'buscado', idObjeto: id, finalidade: 'nao_informada' }])
    expect((await app.db.selectFrom('beneficiario').select('id').execute()).length).toBe(1)
  })

  test('POST /beneficiarios registers a plan id once for concurrent calls', async () => {
    const answers = await Promise.all([
      clinician.post('/beneficiarios', joana),
      clinician.post('/beneficiarios', joana),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test.each([
    [{ nome_beneficiario: ' ' }, { nome_beneficiario: 'Campo obrigatório' }],
    [{ id_beneficiario: '' }, { id_beneficiario: 'Campo obrigatório' }],
    [{ data_nascimento: '31/02/1980' }, { data_nascimento: 'Informe uma data válida (dd/mm/aaaa).' }],
    [
      { data_nascimento: '01/01/2199' },
      { data_nascimento: 'A data de nascimento não pode ser depois de hoje.' },
    ],
    [{ sexo: 'F' }, { sexo: 'Escolha uma opção.' }],
    [{ operadora: 'a'.repeat(121) }, { operadora: 'Use no máximo 120 caracteres.' }],
  ])('POST /beneficiarios refuses %o at its field', async (fields, campos) => {
    const { status, body } = await clinician.post('/beneficiarios', { ...joana, ...fields })
    expect([status, body.campos]).toEqual([422, campos])
    expect(await app.db.selectFrom('beneficiario').select('id').execute()).toEqual([])
  })
})

describe('GET /beneficiarios', () => {
  test('GET /beneficiarios returns the newest first, in pages, and logs an access for each row', async () => {
    const made = []
    for (let n = 0; n < 7; n += 1) made.push(await createBeneficiary(app))
    const newest = made.toReversed()
    const { body, headers } = await clinician.get('/beneficiarios?pagina=1', purpose)
    expect(body).toEqual(newest.slice(0, 5))
    expect(headers['x-total-count']).toBe('7')
    expect(numbersOf((await clinician.get('/beneficiarios?pagina=2')).body)).toEqual(
      numbersOf(newest.slice(5)),
    )
    expect((await accesses()).map(({ acao, idObjeto }) => [acao, idObjeto])).toEqual(
      numbersOf(newest).map((id) => ['lido', id]),
    )
    expect(await trail()).toMatchObject([
      { acao: 'beneficiary.read', objeto: 'beneficiarios', detalhes: { finalidade: 'regulacao' } },
      { detalhes: { finalidade: 'nao_informada', beneficiario: numbersOf(newest.slice(5)) } },
    ])
    expect((await clinician.get('/beneficiarios?pagina=9')).body).toEqual([])
  })

  test('GET /beneficiarios returns one beneficiary and logs the access, or answers 404', async () => {
    const made = await createBeneficiary(app, joana)
    const { status, body, headers } = await clinician.get(`/beneficiarios/${made.id}`)
    expect([status, body, headers.etag]).toEqual([200, made, '"1"'])
    expect(await accesses()).toMatchObject([{ acao: 'lido', idObjeto: made.id }])
    expect((await clinician.get(`/beneficiarios/${made.id + 1}`)).status).toBe(404)
    expect(await trail()).toMatchObject([{ objeto: `beneficiario:${made.id}` }])
  })

  test('GET /beneficiarios answers 400 to an undecodable purpose, and logs no access', async () => {
    const { id } = await createBeneficiary(app)
    expect((await clinician.get(`/beneficiarios/${id}`, { 'x-finalidade': '%E0%A4%A' })).status).toBe(400)
    expect(await accesses()).toEqual([])
  })
})

describe('POST /beneficiarios/busca', () => {
  const search = (texto: string) => clinician.post('/beneficiarios/busca', { texto }, purpose)

  test('POST /beneficiarios/busca finds by the exact plan id, and by the full name without accents and case', async () => {
    const made = await createBeneficiary(app, joana)
    await createBeneficiary(app, { nome_beneficiario: 'Joana Exemplo' })
    for (const texto of ['EX-0001', ' EX-0001 ', 'joana  exemplo DE araujo', 'JOANA EXEMPLO DE ARAÚJO']) {
      expect((await search(texto)).body, texto).toEqual([made])
    }
    expect(await accesses()).toMatchObject(Array(4).fill({ acao: 'buscado', idObjeto: made.id }))
  })

  test.each(['EX-000', 'EX-0001%', 'Joana', 'exemplo de araújo', "' or 1=1 --"])(
    'POST /beneficiarios/busca returns an empty list for %s, and writes one audit line and no access',
    async (texto) => {
      await createBeneficiary(app, joana)
      expect(await search(texto)).toMatchObject({ status: 200, body: [] })
      expect(await accesses()).toEqual([])
      const lines = await trail()
      expect(lines).toMatchObject([{ acao: 'beneficiary.read', objeto: 'beneficiarios' }])
      expect(lines[0]?.detalhes).toEqual({ finalidade: 'regulacao', busca: true, encontrados: 0 })
    },
  )

  test.each([
    ["maria d'avila", 'Maria D’Ávila'],
    ['MARIA D’ÁVILA', "Maria D'Avila"],
    ['maria davila', 'Maria D’Ávila'],
    ['ana de sant’ana', "Ana de Sant'Ana"],
    ['lukasz nguyen', 'Łukasz Nguyễn'],
  ])('%s finds %s, as in every other search', async (texto, nome_beneficiario) => {
    const made = await createBeneficiary(app, { nome_beneficiario })
    expect((await search(texto)).body).toEqual([made])
  })

  test('POST /beneficiarios/busca finds a beneficiary by the name that was edited', async () => {
    const { id } = await createBeneficiary(app, { nome_beneficiario: 'Ana Souza' })
    const edited = await clinician.put(`/beneficiarios/${id}`, { nome_beneficiario: 'Ana D’Ávila' })
    expect((await search("ana d'avila")).body).toEqual([edited.body])
    expect((await search('ana souza')).body).toEqual([])
  })

  test("POST /beneficiarios/busca returns the plan id's match first, then at most 50 in total", async () => {
    const byId = await createBeneficiary(app, { id_beneficiario: 'Zé' })
    for (let n = 0; n < 51; n += 1) await createBeneficiary(app, { nome_beneficiario: 'ZE' })
    const { body } = await search('Zé')
    expect([body.length, body[0]]).toEqual([50, byId])
  })

  test('POST /beneficiarios/busca does not write the searched text to the audit trail or access log', async () => {
    await createBeneficiary(app, joana)
    await search('EX-0001')
    await search('Joana Exemplo de Araújo')
    const rows = await app.db.selectFrom('auditoria').selectAll().execute()
    expect(JSON.stringify([rows, await accesses()])).not.toMatch(/EX-0001|joana/i)
  })
})

describe('PUT /beneficiarios/:id', () => {
  test('PUT /beneficiarios/:id keeps the text, author and time of every earlier version', async () => {
    const registeredAt = new Date('2030-01-02T03:04:05Z')
    app.clock.offsetMs = registeredAt.getTime() - Date.now()
    const made = (await (await app.as(helena)).post('/beneficiarios', joana)).body
    const rui = await createUser(app, { nomeUsuario: 'Rui Lemos', acessoProntuario: true })
    app.clock.offsetMs += 3_600_000
    const second = await app.as(rui)
    await second.put(`/beneficiarios/${made.id}`, { nome_beneficiario: 'Joana Lima', operadora: '' })
    app.clock.offsetMs += 3_600_000
    await (await app.as(helena)).put(`/beneficiarios/${made.id}`, { plano: 'Básico' })
    app.clock.offsetMs = 0
    const { secrets } = app.services
    const versions = await listBeneficiaryVersions(app.db, secrets, made.id)
    const em = expect.any(String)
    const changed = { ...joana, nome_beneficiario: 'Joana Lima', operadora: null }
    expect(versions).toEqual([
      { ...changed, plano: 'Básico', versao: 3, autor: 'Helena Duarte', idAutor: helena.idUsuario, em },
      { ...changed, versao: 2, autor: 'Rui Lemos', idAutor: rui.idUsuario, em },
      { ...joana, versao: 1, autor: 'Helena Duarte', idAutor: helena.idUsuario, em },
    ])
    const hours = versions.map(({ em }) => Math.floor((Date.parse(em) - registeredAt.getTime()) / 3_600_000))
    expect(hours).toEqual([2, 1, 0])
    const rows = await app.db.selectFrom('beneficiarioVersao').selectAll().orderBy('versao').execute()
    expect(rows.map(({ idAutor }) => idAutor)).toEqual([helena.idUsuario, rui.idUsuario])
    expect(JSON.stringify(rows)).not.toMatch(/joana|EX-0001|pleno|1980/i)
  })

  test('PUT /beneficiarios/:id counts as a read when nothing changes: no version, and no other author', async () => {
    const made = await createBeneficiary(app, joana)
    const answers = [
      await clinician.put(`/beneficiarios/${made.id}`, made, purpose),
      await clinician.put(`/beneficiarios/${made.id}`, {}, { ...purpose, 'if-match': '"1"' }),
    ]
    for (const { status, body, headers } of answers) {
      expect([status, body, headers.etag]).toEqual([200, made, '"1"'])
    }
    expect(await accesses()).toMatchObject(Array(2).fill({ acao: 'lido', idObjeto: made.id }))
    expect((await trail()).map(({ acao }) => acao)).toEqual(['beneficiary.read', 'beneficiary.read'])
    expect(await app.db.selectFrom('beneficiarioVersao').select('id').execute()).toEqual([])
    expect(await app.db.selectFrom('beneficiario').select('alteradoPor').execute()).toEqual([
      { alteradoPor: null },
    ])
  })

  test('PUT /beneficiarios/:id keeps all texts of concurrent edits', async () => {
    const { id } = await createBeneficiary(app, joana)
    const names = ['Uma', 'Outra', 'Terceira']
    await Promise.all(
      names.map((nome_beneficiario) => clinician.put(`/beneficiarios/${id}`, { nome_beneficiario })),
    )
    const versions = await listBeneficiaryVersions(app.db, app.services.secrets, id)
    expect(versions.map(({ versao }) => versao)).toEqual([4, 3, 2, 1])
    expect(versions.map(({ nome_beneficiario }) => nome_beneficiario).sort()).toEqual(
      [joana.nome_beneficiario, ...names].sort(),
    )
  })

  test('PUT /beneficiarios/:id changes the sent fields, raises the version, and is found by the new name and plan id only', async () => {
    const made = await createBeneficiary(app, joana)
    const change = { nome_beneficiario: 'Joana Exemplo Lima', id_beneficiario: 'EX-9', data_nascimento: null }
    const { status, body, headers } = await clinician.put(`/beneficiarios/${made.id}`, change, {
      ...purpose,
      'if-match': '"1"',
    })
    expect([status, headers.etag]).toEqual([200, '"2"'])
    expect(body).toEqual({ ...made, ...change, versao: 2 })
    expect(await trail()).toMatchObject([
      {
        acao: 'beneficiary.updated',
        objeto: `beneficiario:${made.id}`,
        detalhes: { versao: 2, campos: ['nome_beneficiario', 'id_beneficiario', 'data_nascimento'] },
      },
    ])
    expect(await trailText()).not.toMatch(/joana|EX-/i)
    expect(await accesses()).toMatchObject([{ acao: 'alterado', idObjeto: made.id }])
    const found = async (texto: string) =>
      (await clinician.post('/beneficiarios/busca', { texto })).body.length
    expect(
      await Promise.all(['EX-9', 'joana exemplo lima', 'EX-0001', joana.nome_beneficiario].map(found)),
    ).toEqual([1, 1, 0, 0])
  })

  test('PUT /beneficiarios/:id accepts the unchanged answer of a GET', async () => {
    const made = await createBeneficiary(app, joana)
    const { body } = await clinician.get(`/beneficiarios/${made.id}`)
    expect(await clinician.put(`/beneficiarios/${made.id}`, body)).toMatchObject({
      status: 200,
      body: made,
    })
  })

  test('PUT /beneficiarios/:id answers 412 for an older version, naming author and fields without their texts', async () => {
    const { id } = await createBeneficiary(app, joana)
    await clinician.put(`/beneficiarios/${id}`, { plano: 'Outro plano' }, { 'if-match': '"1"' })
    const { status, body } = await clinician.put(
      `/beneficiarios/${id}`,
      { plano: 'X' },
      { 'if-match': '"1"' },
    )
    expect([status, body.codigo]).toEqual([412, 'versao_antiga'])
    expect(body.detail).toMatch(/^Helena Duarte alterou Plano em /)
    expect((await clinician.get(`/beneficiarios/${id}`)).body).toMatchObject({
      plano: 'Outro plano',
      versao: 2,
    })
  })

  test("PUT /beneficiarios/:id answers 409 for another beneficiary's plan id, and 404 for an unknown beneficiary", async () => {
    const other = await createBeneficiary(app, { id_beneficiario: 'EX-2' })
    const { id } = await createBeneficiary(app, joana)
    const refused = await clinician.put(`/beneficiarios/${id}`, { id_beneficiario: 'EX-2' })
    expect([refused.status, refused.body.campos]).toEqual([
      409,
      { id_beneficiario: 'Já existe um beneficiário com este ID.' },
    ])
    expect(await accesses()).toMatchObject([{ acao: 'buscado', idObjeto: other.id }])
    expect((await clinician.put('/beneficiarios/99999', joana)).status).toBe(404)
    expect((await clinician.get(`/beneficiarios/${id}`)).body).toMatchObject({ ...joana, versao: 1 })
  })
})

test('plan ids match in any letter case, in the search, the registration and the import', async () => {
  const clinician = await app.as(await createUser(app, { acessoProntuario: true }))
  const draft = { nome_beneficiario: 'Jorge Exemplo', id_beneficiario: 'EX-0024' }
  const { body: made } = await clinician.post('/beneficiarios', draft)
  const again = { ...draft, id_beneficiario: ' ex-0024 ' }
  expect((await clinician.post('/beneficiarios', again)).body.codigo).toBe('beneficiario_ja_cadastrado')
  const { body: found } = await clinician.post('/beneficiarios/busca', { texto: 'ex-0024' })
  expect(found).toMatchObject([{ id: made.id, id_beneficiario: 'EX-0024' }])
  const lines = {
    linhas: [
      { linha: 2, ...again },
      { linha: 3, ...draft, id_beneficiario: 'Novo-1' },
      { linha: 4, ...draft, id_beneficiario: 'NOVO-1' },
    ],
  }
  const { body: preview } = await clinician.post('/beneficiarios/importacao/previa', lines)
  expect(preview.linhas.map(({ erros }: { erros: object }) => Object.keys(erros))).toEqual([
    ['id_beneficiario'],
    [],
    ['id_beneficiario'],
  ])
})

test('the beneficiary calls answer 403 without the flag, to an ADMIN too, and after the flag is removed', async () => {
  const { id } = await createBeneficiary(app, joana)
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  for (const { status } of [
    await admin.get('/beneficiarios'),
    await admin.get(`/beneficiarios/${id}`),
    await admin.post('/beneficiarios/busca', { texto: 'EX-0001' }),
  ]) {
    expect(status).toBe(403)
  }
  await app.db.updateTable('usuario').set({ acessoProntuario: false }).execute()
  expect((await clinician.get(`/beneficiarios/${id}`)).status).toBe(403)
  expect(await accesses()).toEqual([])
})

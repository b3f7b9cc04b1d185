import { randomUUID } from 'node:crypto'
import type { Report } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let idPowerBi: number
let idGrupoRelatorio: number
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
  idPowerBi = (await createConnection(app)).idPowerBi
  idGrupoRelatorio = (await createWorkspace(app, { idPowerBi, nomeGrupo: 'Saúde' })).idGrupoRelatorio
})

const url = '/usuarios/relatorio'
const draft = (fields = {}) => ({
  idGrupoRelatorio,
  nomeRelatorio: 'Sinistralidade',
  operadoraRelatorio: 'CNU',
  reportId: randomUUID(),
  ...fields,
})
const register = async (fields = {}): Promise<Report> => {
  const { status, body } = await admin.post(url, draft(fields))
  expect(status).toBe(201)
  return body
}
const audited = (action: string) =>
  app.db.selectFrom('auditoria').selectAll().where('acao', '=', action).orderBy('idAuditoria').execute()
const namesOf = (body: Report[]) => body.map(({ nomeRelatorio }) => nomeRelatorio)

describe('GET /usuarios/relatorio', () => {
  const names = ['Zona', 'Água', 'banco', 'Árvore 100%', 'abacaxi', 'Éden', 'Água_1']
  const inOrder = ['abacaxi', 'Água', 'Água_1', 'Árvore 100%', 'banco', 'Éden', 'Zona']
  beforeEach(async () => {
    for (const nomeRelatorio of names) await createReport(app, { idGrupoRelatorio, nomeRelatorio })
  })

  test('without a page returns all reports, in Brazilian order, with their fields only', async () => {
    const { status, body, headers } = await admin.get(url)
    expect([status, namesOf(body)]).toEqual([200, inOrder])
    expect([headers['x-total-count'], headers.link]).toEqual(['7', undefined])
    expect(body[0]).toEqual({
      idRelatorio: expect.any(Number),
      idGrupoRelatorio,
      nomeGrupo: 'Saúde',
      nomeRelatorio: 'abacaxi',
      operadoraRelatorio: 'CNU',
      reportId: expect.any(String),
      filtro: null,
      papeisRls: [],
      logo: null,
      versao: 1,
    })
  })

  test('returns pages, with the total and the next address', async () => {
    const first = await admin.get(`${url}?pagina=1&tamanho=3&ordem=-nomeRelatorio`)
    expect(namesOf(first.body)).toEqual(['Zona', 'Éden', 'banco'])
    expect(first.headers['x-total-count']).toBe('7')
    expect(first.headers.link).toBe(
      '</api/usuarios/relatorio?pagina=2&tamanho=3&ordem=-nomeRelatorio>; rel="next"',
    )
    const last = await admin.get(`${url}?pagina=3&tamanho=3`)
    expect([namesOf(last.body), last.headers.link]).toEqual([['Zona'], undefined])
    const beyond = await admin.get(`${url}?pagina=9`)
    expect([beyond.body, beyond.headers['x-total-count']]).toEqual([[], '7'])
    expect((await admin.get(`${url}?pagina=1`)).body).toHaveLength(5)
  })

  test('returns a total that follows registrations and deletions', async () => {
    const { idRelatorio } = await register()
    expect((await admin.get(`${url}?pagina=1`)).headers['x-total-count']).toBe('8')
    await admin.del(`${url}/${idRelatorio}`)
    expect((await admin.get(`${url}?pagina=1`)).headers['x-total-count']).toBe('7')
  })

  test.each([
    ['AGUA', ['Água', 'Água_1']],
    ['a_1', ['Água_1']],
    ['0%', ['Árvore 100%']],
    ['\\', []],
    ['zzz', []],
  ])('finds %s in the name, ignoring accents and case, without wildcards', async (text, found) => {
    const { body, headers } = await admin.get(`${url}?busca=${encodeURIComponent(text)}&pagina=1`)
    expect([namesOf(body), headers['x-total-count']]).toEqual([found, String(found.length)])
  })

  test('filters by workspace, alone or with a search, in the total too', async () => {
    const other = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Água e luz' })
    await createReport(app, { idGrupoRelatorio: other.idGrupoRelatorio, nomeRelatorio: 'Água 2' })
    const { body, headers } = await admin.get(`${url}?idGrupoRelatorio=${other.idGrupoRelatorio}&pagina=1`)
    expect([namesOf(body), headers['x-total-count']]).toEqual([['Água 2'], '1'])
    const both = await admin.get(`${url}?idGrupoRelatorio=${idGrupoRelatorio}&busca=agua`)
    expect([namesOf(both.body), both.headers['x-total-count']]).toEqual([['Água', 'Água_1'], '2'])
    const none = await admin.get(`${url}?idGrupoRelatorio=999`)
    expect([none.status, none.body]).toEqual([200, []])
  })

  test('sorts by every offered column, in both directions', async () => {
    await app.reset()
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const connection = await createConnection(app)
    const groups = await Promise.all(
      ['Zebra', 'água'].map((nomeGrupo) =>
        createWorkspace(app, { idPowerBi: connection.idPowerBi, nomeGrupo }),
      ),
    )
    const [zebra = 0, water = 0] = groups.map((group) => group.idGrupoRelatorio)
    const id = (digit: string) => `${digit}0000000-0000-4000-8000-000000000000`
    for (const [nomeRelatorio, operadoraRelatorio, digit, group] of [
      ['um', 'unimed', 'A', zebra],
      ['dois', 'Ágata', 'b', water],
      ['três', 'BRADESCO', 'C', water],
    ] as const) {
      await createReport(app, {
        nomeRelatorio,
        operadoraRelatorio,
        reportId: id(digit),
        idGrupoRelatorio: group,
      })
    }
    const orders = {
      nomeRelatorio: ['dois', 'três', 'um'],
      nomeGrupo: ['dois', 'três', 'um'],
      operadoraRelatorio: ['dois', 'três', 'um'],
      reportId: ['um', 'dois', 'três'],
    }
    for (const [order, expected] of Object.entries(orders)) {
      expect(namesOf((await admin.get(`${url}?ordem=${order}`)).body)).toEqual(expected)
      expect(namesOf((await admin.get(`${url}?ordem=-${order}&pagina=1`)).body)).toEqual(
        expected.toReversed(),
      )
    }
  })

  test.each([
    'pagina=0',
    'tamanho=101',
    'tamanho=0',
    'ordem=filtro',
    'pagina=x',
    'busca=%00',
    'idGrupoRelatorio=0',
    'idGrupoRelatorio=x',
  ])('refuses %s with 422', async (query) => {
    expect((await admin.get(`${url}?${query}`)).status).toBe(422)
  })

  test('exports a CSV without formulas and other fields, and audits the export', async () => {
    await register({
      nomeRelatorio: '=SOMA(1;2)',
      operadoraRelatorio: '@cmd',
      filtro: "Tabela/coluna eq 'segredo'",
    })
    const { status, headers, body } = await admin.get(`${url}.csv?busca=soma`)
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe('attachment; filename="relatorios.csv"')
    const [heading, line, ...rest] = String(body).split('\r\n')
    expect(heading).toBe('\uFEFFNome do relatório;Report ID;Grupo Relatório;Operadora Relatório')
    expect(line).toMatch(/^"'=SOMA\(1;2\)";[0-9a-f-]{36};Saúde;'@cmd$/)
    expect(rest).toEqual([''])
    expect(await audited('list.exported')).toMatchObject([
      { objeto: 'relatorios', detalhes: { busca: 'soma', linhas: 1 } },
    ])
    const all = await admin.get(`${url}.csv?ordem=-nomeRelatorio&idGrupoRelatorio=${idGrupoRelatorio}`)
    expect(String(all.body).split('\r\n')[1]).toMatch(/^Zona;/)
  })
})

describe('POST /usuarios/relatorio', () => {
  test('answers 201 with the record and its version, and audits it', async () => {
    const filtro = "Sinistralidade/operadora eq 'CNU'"
    const { status, body, headers } = await admin.post(
      url,
      draft({ filtro, papeisRls: ['Operadora', 'Sexo', 'Operadora'], logo: 'x', versao: 9, segredo: 'x' }),
    )
    expect([status, headers.etag]).toEqual([201, '"1"'])
    expect(body).toMatchObject({ nomeGrupo: 'Saúde', filtro, papeisRls: ['Operadora', 'Sexo'], logo: null })
    expect((await admin.get(`${url}/${body.idRelatorio}`)).body).toEqual(body)
    expect(await audited('report.created')).toMatchObject([
      { objeto: `relatorio:${body.idRelatorio}`, detalhes: { depois: body } },
    ])
  })

  test('keeps quotes, emoji and other scripts in names, and trims spaces', async () => {
    const nomeRelatorio = `O'Brien "50%" – Ação 📊 العربية`
    expect((await register({ nomeRelatorio: ` ${nomeRelatorio} ` })).nomeRelatorio).toBe(nomeRelatorio)
  })

  test('accepts the workspace id as text, and an empty filter as none', async () => {
    expect(await register({ idGrupoRelatorio: String(idGrupoRelatorio), filtro: '' })).toMatchObject({
      idGrupoRelatorio,
      filtro: null,
    })
    expect((await register({ filtro: null })).filtro).toBeNull()
  })

  test('accepts the same external report once per operadora', async () => {
    const reportId = randomUUID()
    await register({ reportId, operadoraRelatorio: 'CNU' })
    await register({ reportId, operadoraRelatorio: 'BRADESCO' })
    expect((await admin.get(url)).body).toHaveLength(2)
  })

  const fields = [
    ['nomeRelatorio', { nomeRelatorio: '  ' }],
    ['nomeRelatorio', { nomeRelatorio: undefined }],
    ['nomeRelatorio', { nomeRelatorio: 'a\nb' }],
    ['nomeRelatorio', { nomeRelatorio: 'a'.repeat(161) }],
    ['operadoraRelatorio', { operadoraRelatorio: '' }],
    ['operadoraRelatorio', { operadoraRelatorio: 'a'.repeat(81) }],
    ['reportId', { reportId: 'não é um id' }],
    ['reportId', { reportId: undefined }],
    ['idGrupoRelatorio', { idGrupoRelatorio: 0 }],
    ['idGrupoRelatorio', { idGrupoRelatorio: null }],
    ['idGrupoRelatorio', { idGrupoRelatorio: 999_999 }],
    ['idGrupoRelatorio', { idGrupoRelatorio: 2_147_483_648 }],
    ['papeisRls', { papeisRls: 'Operadora' }],
    ['papeisRls.1', { papeisRls: ['Operadora', ' '] }],
    ['papeisRls', { papeisRls: Array.from({ length: 51 }, (_, role) => `Papel ${role}`) }],
    ['filtro', { filtro: 7 }],
  ] as const
  test.each(fields)('refuses a wrong %s at its field (%o)', async (field, wrong) => {
    const { status, body } = await admin.post(url, draft(wrong))
    expect([status, Object.keys(body.campos)]).toEqual([422, [field]])
    expect((await admin.get(url)).body).toEqual([])
  })

  test.each([
    ['Tabela', "Filtro inválido: falta '/' entre tabela e coluna no fim."],
    ['Tabela/coluna igual 3', 'Filtro inválido: esperava eq, ne, gt, ge, lt, le ou in na posição 14.'],
    ["Tabela/coluna eq 'x", 'Filtro inválido: não entendi o trecho na posição 17.'],
    ["A/b eq 'x' and A/b ne 'y'", 'Filtro inválido: as condições sobre A/b não podem ser combinadas.'],
    [`A/b eq '${'x'.repeat(4000)}'`, 'Filtro inválido: passa de 4000 caracteres.'],
  ])("refuses the filter %.30s with its parser's message", async (filtro, sentence) => {
    const { status, body } = await admin.post(url, draft({ filtro }))
    expect([status, body.codigo, body.campos]).toEqual([422, 'campos_invalidos', { filtro: sentence }])
    const { idRelatorio } = await register()
    expect((await admin.put(`${url}/${idRelatorio}`, draft({ filtro }))).body.campos).toEqual({
      filtro: sentence,
    })
  })
})

describe('PUT /usuarios/relatorio/:id', () => {
  test('accepts the answer of a GET, raises the version and audits the changes', async () => {
    const { idRelatorio } = await register({ filtro: "A/b eq 'x'", papeisRls: ['Operadora'] })
    const { body: record } = await admin.get(`${url}/${idRelatorio}`)
    const { status, body, headers } = await admin.put(
      `${url}/${idRelatorio}`,
      { ...record, nomeRelatorio: 'Depois' },
      { 'if-match': '"1"' },
    )
    expect([status, body]).toEqual([200, { ...record, nomeRelatorio: 'Depois', versao: 2 }])
    expect(headers.etag).toBe('"2"')
    expect((await audited('report.updated'))[0]?.detalhes).toEqual({
      versao: 2,
      antes: { nomeRelatorio: 'Sinistralidade' },
      depois: { nomeRelatorio: 'Depois' },
    })
    // Nulls and read-only fields are accepted too.
    const { body: bare } = await admin.get(`${url}/${(await register()).idRelatorio}`)
    expect((await admin.put(`${url}/${bare.idRelatorio}`, bare)).body).toEqual({ ...bare, versao: 2 })
  })

  test("keeps an omitted filter or roles; null or '' clears the filter, [] the roles", async () => {
    const filtro = "A/b eq 'x'"
    const { idRelatorio } = await register({ filtro, papeisRls: ['Operadora'] })
    const put = async (fields: object) => (await admin.put(`${url}/${idRelatorio}`, draft(fields))).body
    expect(await put({})).toMatchObject({ filtro, papeisRls: ['Operadora'] })
    expect(await put({ papeisRls: [] })).toMatchObject({ filtro, papeisRls: [] })
    expect(await put({ filtro: '' })).toMatchObject({ filtro: null })
    await put({ filtro })
    expect(await put({ filtro: null })).toMatchObject({ filtro: null })
  })

  test('moves a report to another existing workspace', async () => {
    const { idRelatorio } = await register()
    const other = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Outro' })
    const moved = await admin.put(`${url}/${idRelatorio}`, draft(other))
    expect([moved.status, moved.body.nomeGrupo]).toEqual([200, 'Outro'])
    const lost = await admin.put(`${url}/${idRelatorio}`, draft({ idGrupoRelatorio: 999 }))
    expect([lost.status, lost.body.campos]).toEqual([
      422,
      { idGrupoRelatorio: 'Este grupo não existe mais.' },
    ])
  })

  test('answers 412 with the other change when the version is older, and writes nothing', async () => {
    const record = await register()
    const target = `${url}/${record.idRelatorio}`
    await admin.put(target, { ...record, nomeRelatorio: 'Primeiro' }, { 'if-match': '"1"' })
    const { status, body } = await admin.put(target, draft({ nomeRelatorio: 'Segundo' }), {
      'if-match': '"1"',
    })
    expect([status, body.codigo]).toEqual([412, 'versao_antiga'])
    expect(body.detail).toMatch(
      /^Marina Alves alterou Nome Relatório em \d\d\/\d\d\/\d{4} às \d\d:\d\d, depois que você abriu/,
    )
    expect((await admin.get(target)).body.nomeRelatorio).toBe('Primeiro')
    // Without If-Match the last write wins, as older clients expect.
    expect((await admin.put(target, draft())).status).toBe(200)
    expect((await admin.put(target, draft(), { 'if-match': 'qualquer' })).status).toBe(400)
  })

  test('answers 404 for an unknown id, as do GET and DELETE', async () => {
    for (const id of ['999', 'x', '0', '-1', '1.5', '99999999999', '%20']) {
      expect((await admin.get(`${url}/${id}`)).status).toBe(404)
      expect((await admin.put(`${url}/${id}`, draft(), { 'if-match': '"1"' })).status).toBe(404)
      expect((await admin.del(`${url}/${id}`)).status).toBe(404)
    }
  })
})

describe('DELETE /usuarios/relatorio/:id', () => {
  test('deletes grants, profile entries, bound pages and logo, and audits how many users had the report', async () => {
    const report = await register()
    const { idRelatorio } = report
    const people = [await createUser(app), await createUser(app)]
    for (const { idUsuario } of people) await grantReport(app, idUsuario, idRelatorio)
    const { idPerfil } = await app.db
      .insertInto('perfil')
      .values({ nomePerfil: 'Gestores' })
      .returning('idPerfil')
      .executeTakeFirstOrThrow()
    await app.db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
    await app.db.insertInto('pagina').values({ rota: 'perfil', idRelatorio }).execute()
    await app.db
      .insertInto('relatorioLogo')
      .values({ idRelatorio, imagem: Buffer.from('x'), marca: 'x' })
      .execute()

    expect((await admin.del(`${url}/${idRelatorio}`)).status).toBe(204)
    for (const table of ['relatorioUsuario', 'perfilRelatorio', 'pagina', 'relatorioLogo'] as const) {
      expect(await app.db.selectFrom(table).select('idRelatorio').execute()).toEqual([])
    }
    expect(await audited('report.deleted')).toMatchObject([
      { objeto: `relatorio:${idRelatorio}`, detalhes: { antes: { ...report, logo: 'x' }, pessoas: 2 } },
    ])
    expect((await admin.del(`${url}/${idRelatorio}`)).status).toBe(404)
  })
})

test('the report record calls answer 403 to a USER and 401 without a session, before body and id', async () => {
  const { idRelatorio } = await register()
  const user = await createUser(app)
  await grantReport(app, user.idUsuario, idRelatorio)
  const callers = [
    [await app.as(user), 403],
    [app.anonymous, 401],
  ] as const
  for (const [caller, status] of callers) {
    for (const id of [idRelatorio, 999]) {
      const one = `${url}/${id}`
      const answers = [
        await caller.get(url),
        await caller.get(`${url}.csv`),
        await caller.post(url, {}),
        await caller.post(`/usuarios/workspace/${id}/relatorios`, {}),
        await caller.get(one),
        await caller.put(one, {}),
        await caller.del(one),
        await caller.get(`${one}/logo`),
        await caller.put(`${one}/logo`, {}),
        await caller.del(`${one}/logo`),
      ]
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))
    }
  }
  expect((await admin.get(url)).body).toHaveLength(1)
})

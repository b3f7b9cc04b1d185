import { randomUUID } from 'node:crypto'
import type { Report } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createWorkspace, grantReport } from '../../../test/reports.ts'
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

describe('POST /usuarios/relatorio', () => {
  test('POST /usuarios/relatorio answers 201 with the record and its version, and audits it', async () => {
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

  test('POST /usuarios/relatorio keeps quotes, emoji and other scripts in names, and trims spaces', async () => {
    const nomeRelatorio = `O'Brien "50%" – Ação 📊 العربية`
    expect((await register({ nomeRelatorio: ` ${nomeRelatorio} ` })).nomeRelatorio).toBe(nomeRelatorio)
  })

  test('POST /usuarios/relatorio accepts the workspace id as text, and an empty filter as none', async () => {
    expect(await register({ idGrupoRelatorio: String(idGrupoRelatorio), filtro: '' })).toMatchObject({
      idGrupoRelatorio,
      filtro: null,
    })
    expect((await register({ filtro: null })).filtro).toBeNull()
  })

  test('POST /usuarios/relatorio keeps additional datasets once each, in lower case', async () => {
    const [workspace, one, two] = [randomUUID(), randomUUID(), randomUUID()]
    const datasetsAdicionais = [one.toUpperCase(), two, ` ${workspace}/${one} `]
    const report = await register({ datasetsAdicionais, enviaIdentidade: true })
    expect(report).toMatchObject({
      datasetsAdicionais: [`${workspace}/${one}`, two],
      enviaIdentidade: true,
    })
    // Left out, they stay unchanged.
    const { body } = await admin.put(`${url}/${report.idRelatorio}`, draft())
    expect(body).toMatchObject({ datasetsAdicionais: report.datasetsAdicionais, enviaIdentidade: true })
  })

  test('POST /usuarios/relatorio keeps the parameters of a paginated report, once each and in their order', async () => {
    const parametros = ['Cidade=Londrina', ' Cidade=Curitiba ', 'Nota_1=a=b, c', 'Vazio=', 'Cidade=Londrina']
    const report = await register({ tipoRelatorio: 'PAGINADO', parametros, painelParametros: false })
    const kept = {
      tipoRelatorio: 'PAGINADO',
      parametros: ['Cidade=Londrina', 'Cidade=Curitiba', 'Nota_1=a=b, c', 'Vazio='],
      painelParametros: false,
    }
    expect(report).toMatchObject(kept)
    // Left out, they stay unchanged.
    const address = `${url}/${report.idRelatorio}`
    expect((await admin.put(address, draft({ filtro: null }))).body).toMatchObject(kept)
    const [filtered, turned] = [
      await admin.put(address, draft({ filtro: "T/a eq 'x'" })),
      await admin.put(address, draft({ filtro: null, tipoRelatorio: 'INTERATIVO' })),
    ]
    expect([filtered.status, filtered.body.campos]).toEqual([
      422,
      { filtro: 'Um relatório paginado não aceita filtro: use um parâmetro.' },
    ])
    expect([turned.status, turned.body.campos]).toEqual([
      422,
      { parametros: 'Só um relatório paginado tem parâmetros.' },
    ])
    expect((await admin.get(address)).body).toMatchObject(kept)
  })

  test("POST /usuarios/relatorio keeps the panel's filters in their order, audits them, and leaves them when left out", async () => {
    const filter = (coluna: string, valor: string | number) => ({
      tabela: 'Dim_Data',
      coluna,
      rotulo: coluna,
      padrao: valor,
      valores: [{ valor, rotulo: 'Rótulo' }],
    })
    const filtrosPainel = [filter('mes_nome', 'Maio'), filter('ano', 2026)]
    const report = await register({ filtrosPainel })
    expect(report.filtrosPainel).toEqual(filtrosPainel)
    const address = `${url}/${report.idRelatorio}`
    expect((await admin.put(address, draft())).body.filtrosPainel).toEqual(filtrosPainel)
    expect((await admin.put(address, draft({ filtrosPainel: [] }))).body.filtrosPainel).toEqual([])
    expect((await admin.put(address, draft({ filtrosPainel: null }))).body.filtrosPainel).toBeNull()
    expect(await audited('report.updated')).toMatchObject([
      { detalhes: { versao: 2 } },
      { detalhes: { antes: { filtrosPainel }, depois: { filtrosPainel: [] } } },
      { detalhes: { antes: { filtrosPainel: [] }, depois: { filtrosPainel: null } } },
    ])
    const paginated = await admin.put(address, draft({ tipoRelatorio: 'PAGINADO', filtrosPainel }))
    expect([paginated.status, paginated.body.campos]).toEqual([
      422,
      { filtrosPainel: 'Um relatório paginado não tem o painel de filtros.' },
    ])
  })

  test.each([undefined, null, '', '  '])(
    'a report is not registered or changed with the operadora %j',
    async (operadoraRelatorio) => {
      const { idRelatorio } = await register({})
      for (const { status, body } of [
        await admin.post(url, draft({ operadoraRelatorio })),
        await admin.put(`${url}/${idRelatorio}`, draft({ operadoraRelatorio })),
      ]) {
        const campos = { operadoraRelatorio: 'É necessário preencher este campo.' }
        expect([status, body.campos]).toEqual([422, campos])
      }
    },
  )

  test('a report that the previous version registers without an operadora counts as one for all', async () => {
    const { idRelatorio, idGrupoRelatorio } = await register({})
    const reportId = randomUUID()
    const values = { idGrupoRelatorio, nomeRelatorio: 'Antigo', reportId }
    await app.db
      .insertInto('relatorio')
      .values([values, { ...values, operadoraRelatorio: '' }])
      .execute()
    const { body } = await admin.get(`${url}?busca=Antigo`)
    const ofAll = { operadoraRelatorio: 'Todas' }
    expect(body).toMatchObject([ofAll, ofAll])
    expect(body[0].idRelatorio).not.toBe(idRelatorio)
    expect((await admin.get(`${url}/operadoras`)).body).not.toContain('')
    const relatorios = [{ reportId, nomeRelatorio: 'Outro', ...ofAll }]
    const again = await admin.post(`/usuarios/workspace/${idGrupoRelatorio}/relatorios`, { relatorios })
    expect(again.status).toBe(422)
  })

  test('POST /usuarios/relatorio accepts the same external report once per operadora', async () => {
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
    ['operadoraRelatorio', { operadoraRelatorio: 'a\nb' }],
    ['operadoraRelatorio', { operadoraRelatorio: 'a'.repeat(81) }],
    ['filtrosPainel', { filtrosPainel: 'x' }],
    [
      'filtrosPainel.0.valores',
      { filtrosPainel: [{ tabela: 'T', coluna: 'c', rotulo: 'C', valores: [], padrao: null }] },
    ],
    [
      'filtrosPainel.0.padrao',
      {
        filtrosPainel: [
          { tabela: 'T', coluna: 'c', rotulo: 'C', valores: [{ valor: 1, rotulo: '' }], padrao: 2 },
        ],
      },
    ],
    ['reportId', { reportId: 'não é um id' }],
    ['reportId', { reportId: undefined }],
    ['idGrupoRelatorio', { idGrupoRelatorio: 0 }],
    ['idGrupoRelatorio', { idGrupoRelatorio: null }],
    ['idGrupoRelatorio', { idGrupoRelatorio: 999_999 }],
    ['idGrupoRelatorio', { idGrupoRelatorio: 2_147_483_648 }],
    ['papeisRls', { papeisRls: 'Operadora' }],
    ['papeisRls.1', { papeisRls: ['Operadora', ' '] }],
    ['papeisRls', { papeisRls: Array.from({ length: 51 }, (_, role) => `Papel ${role}`) }],
    ['enviaIdentidade', { enviaIdentidade: 'sim' }],
    ['usuarioIdentidade', { usuarioIdentidade: 'um usuário' }],
    ['usuarioIdentidade', { usuarioIdentidade: 'a'.repeat(257) }],
    ['datasetsAdicionais', { datasetsAdicionais: [randomUUID(), `${randomUUID()}/`] }],
    ['datasetsAdicionais', { datasetsAdicionais: Array.from({ length: 50 }, () => randomUUID()) }],
    ['filtro', { filtro: 7 }],
    ['tipoRelatorio', { tipoRelatorio: 'PAINEL' }],
    ['parametros', { tipoRelatorio: 'PAGINADO', parametros: ['Ano=2026', 'sem sinal'] }],
    ['parametros', { tipoRelatorio: 'PAGINADO', parametros: ['1Ano=2026'] }],
    ['parametros', { tipoRelatorio: 'PAGINADO', parametros: [`Ano=${'1'.repeat(1001)}`] }],
    ['parametros', { tipoRelatorio: 'PAGINADO', parametros: Array.from({ length: 51 }, (_, n) => `P=${n}`) }],
    ['painelParametros', { painelParametros: 'sim' }],
  ] as const
  test.each(fields)('POST /usuarios/relatorio refuses a wrong %s at its field (%o)', async (field, wrong) => {
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
  ])(
    "POST /usuarios/relatorio refuses the filter %.30s with its parser's message",
    async (filtro, sentence) => {
      const { status, body } = await admin.post(url, draft({ filtro }))
      expect([status, body.codigo, body.campos]).toEqual([422, 'campos_invalidos', { filtro: sentence }])
      const { idRelatorio } = await register()
      expect((await admin.put(`${url}/${idRelatorio}`, draft({ filtro }))).body.campos).toEqual({
        filtro: sentence,
      })
    },
  )
})

describe('PUT /usuarios/relatorio/:id', () => {
  test('PUT /usuarios/relatorio/:id accepts the answer of a GET, raises the version and audits the changes', async () => {
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

  test("PUT /usuarios/relatorio/:id keeps an omitted filter or roles; null or '' clears the filter, [] the roles", async () => {
    const filtro = "A/b eq 'x'"
    const { idRelatorio } = await register({ filtro, papeisRls: ['Operadora'] })
    const put = async (fields: object) => (await admin.put(`${url}/${idRelatorio}`, draft(fields))).body
    expect(await put({})).toMatchObject({ filtro, papeisRls: ['Operadora'] })
    expect(await put({ papeisRls: [] })).toMatchObject({ filtro, papeisRls: [] })
    expect(await put({ filtro: '' })).toMatchObject({ filtro: null })
    await put({ filtro })
    expect(await put({ filtro: null })).toMatchObject({ filtro: null })
  })

  test('PUT /usuarios/relatorio/:id moves a report to another existing workspace', async () => {
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

  test('PUT /usuarios/relatorio/:id answers 412 with the other change when the version is older, and writes nothing', async () => {
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

  test('PUT /usuarios/relatorio/:id answers 404 for an unknown id, as do GET and DELETE', async () => {
    for (const id of ['999', 'x', '0', '-1', '1.5', '99999999999', '%20']) {
      expect((await admin.get(`${url}/${id}`)).status).toBe(404)
      expect((await admin.put(`${url}/${id}`, draft(), { 'if-match': '"1"' })).status).toBe(404)
      expect((await admin.del(`${url}/${id}`)).status).toBe(404)
    }
  })
})

describe('DELETE /usuarios/relatorio/:id', () => {
  test('DELETE /usuarios/relatorio/:id deletes grants, profile entries, bound pages and logo, and audits how many users had the report', async () => {
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

describe('GET /usuarios/relatorio/operadoras', () => {
  test('GET /usuarios/relatorio/operadoras lists each operadora in use once, the most frequent first', async () => {
    for (const operadoraRelatorio of ['UNIMED', 'CNU', 'Amil', 'CNU']) await register({ operadoraRelatorio })
    expect((await admin.get(`${url}/operadoras`)).body).toEqual(['CNU', 'Amil', 'UNIMED'])
  })

  test('GET /usuarios/relatorio/operadoras answers 403 to a user who may not manage reports', async () => {
    const user = await app.as(await createUser(app))
    expect((await user.get(`${url}/operadoras`)).status).toBe(403)
  })
})

test('a change needs a recent confirmation for what gives readers other rows', async () => {
  const { idRelatorio, reportId } = await register({ papeisRls: ['Operadora'] })
  const path = `${url}/${idRelatorio}`
  const same = { reportId, papeisRls: ['Operadora'] }
  app.clock.offsetMs = 11 * 60_000
  const refused = [
    admin.put(path, draft({ ...same, usuarioIdentidade: 'ana@exemplo.com.br' })),
    admin.put(path, draft({ ...same, papeisRls: ['Operadora', 'Todas'] })),
    admin.put(path, draft({ ...same, enviaIdentidade: true })),
    admin.post(url, draft({ papeisRls: ['Todas'] })),
  ]
  for (const { status, body } of await Promise.all(refused))
    expect([status, body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
  expect((await admin.get(path)).body).toMatchObject({ papeisRls: ['Operadora'], usuarioIdentidade: null })
  expect((await admin.post(url, draft())).status).toBe(201)
})

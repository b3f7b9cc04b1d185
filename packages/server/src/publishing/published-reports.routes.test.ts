import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../test/reports.ts'
import { embeddingSuite } from '../../test/stand-ins/embedding.ts'
import {
  datasetId,
  draftId,
  firstVersion,
  groupId,
  reportId,
} from '../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'

/* What the portal adds; the journey 'published-reports' runs the real report service. */

const { suite } = embeddingSuite()
let admin: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
})

const connect = () => createConnection(suite.app, { provedor: 'local' })
const versions = `/publicacoes/relatorios/${reportId}/versoes`
const restore = (comDados = true, numero: number | string = 3) =>
  admin.post(`${versions}/${numero}/restauracao`, { comDados })
const shownVersion = {
  numero: 1,
  em: firstVersion.at,
  autor: 'ana',
  origem: 'COMANDO',
  mudancas: ['Publicado pela primeira vez'],
}

test('the portal lists the published reports by name, with their registration and last version', async () => {
  expect(await admin.get('/publicacoes/relatorios')).toMatchObject({
    status: 409,
    body: { codigo: 'servico_local_ausente' },
  })
  const { idPowerBi } = await connect()
  const { idGrupoRelatorio } = await createWorkspace(suite.app, { idPowerBi, idGrupo: groupId })
  const { idRelatorio } = await createReport(suite.app, {
    idGrupoRelatorio,
    reportId: reportId.toUpperCase(),
  })
  const { body } = await admin.get('/publicacoes/relatorios')
  expect(body).toEqual([
    expect.objectContaining({ nome: 'Água', idRelatorio: null, versoes: 0, ultima: null }),
    {
      reportId,
      nome: 'Custos',
      workspace: { idGrupo: groupId, nome: 'Saúde' },
      idRelatorio,
      versoes: 2,
      ultima: shownVersion,
    },
  ])
})

test('the portal lists the versions of a report, an unknown author as null', async () => {
  await connect()
  suite.provider.answer('versions', () => ({
    body: {
      value: [
        { ...firstVersion, number: 2, author: '', origin: 'folder', data: 'none' },
        { ...firstVersion, data: 'kept' },
      ],
    },
  }))
  expect((await admin.get(versions)).body).toEqual([
    { ...shownVersion, numero: 2, autor: null, origem: 'PASTA', dados: 'AUSENTES' },
    { ...shownVersion, dados: 'GUARDADOS' },
  ])
})

const involved = { relatorios: [reportId], conjuntos: [datasetId] }
const ends = () =>
  suite.app.db.selectFrom('auditoria').select('detalhes').where('acao', '=', 'publication.ended').execute()

test('the portal restores a version in the name of the caller, with an audit line', async () => {
  const { idPowerBi } = await connect()
  expect(await restore()).toMatchObject({ status: 200, body: { erros: [], avisos: ['um aviso'] } })
  const sent = suite.provider.seen.filter(({ path }) => path.endsWith('/restore'))
  expect(sent.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    [
      `/v1.0/myorg/publications/${reportId}/versions/3/restore`,
      { withData: true, author: expect.stringMatching(/^Pessoa \d+$/) },
    ],
  ])
  const lines = await suite.app.db
    .selectFrom('auditoria')
    .select(['objeto', 'detalhes'])
    .where('acao', '=', 'publication.restored')
    .execute()
  expect(lines).toEqual([
    { objeto: `powerbi:${idPowerBi}`, detalhes: { reportId, versao: 3, comDados: true } },
  ])
  expect(await ends()).toEqual([
    { detalhes: { reportId, versao: 3, comDados: true, resultado: 'PUBLICADA', ...involved } },
  ])
})

describe('a restoration', () => {
  test('a restoration passes on the faults of the service', async () => {
    await connect()
    const faults = ['Relatório: pages[0]: …']
    suite.provider.answer('restoreVersion', () => ({ body: { faults, remarks: [] } }))
    expect((await restore()).body).toEqual({ erros: faults, avisos: [] })
  })

  test.each([
    ['PowerBIEntityNotFound', 404, 'nao_encontrado'],
    ['PublicationBusy', 409, 'publicacao_em_andamento'],
  ])('refused with %s becomes a sentence', async (code, status, codigo) => {
    await connect()
    suite.provider.answer('restoreVersion', () => ({ status, body: { error: { code, message: 'x' } } }))
    expect((await restore()).body.codigo).toBe(codigo)
  })

  test('a restoration needs a GUID, a number and the choice about the data, and calls nothing without', async () => {
    await connect()
    expect((await restore(true, 0)).status).toBe(404)
    expect((await restore(true, '1%2f..')).status).toBe(404)
    expect((await admin.post('/publicacoes/relatorios/x/versoes/1/restauracao', {})).status).toBe(404)
    expect((await admin.post(`${versions}/1/restauracao`, {})).status).toBe(422)
    expect(suite.provider.seen.filter(({ path }) => path.includes('/publications'))).toEqual([])
  })
})

describe('replacing data', () => {
  const data = `/publicacoes/relatorios/${reportId}/dados`
  const order = { rascunho: draftId, tabela: 'Custos' }
  const sentTo = (end: string) =>
    suite.provider.seen.filter(({ path }) => path.endsWith(end)).map(({ body }) => JSON.parse(body))

  test('the portal lists the tables with their columns', async () => {
    await connect()
    expect((await admin.get(`/publicacoes/relatorios/${reportId}/tabelas`)).body).toEqual([
      {
        nome: 'Custos',
        oculta: false,
        colunas: [
          { nome: 'Valor', rotulo: 'Valor (R$)', tipo: 'NUMERO' },
          { nome: 'Lista', rotulo: 'Lista', tipo: 'OUTRO' },
        ],
      },
    ])
  })

  test.each([
    ['is blocked', 401, { situacao: 'BLOQUEADO' as const }],
    ['is no longer an ADMIN', 403, { tipoUsuario: 'USER' as const }],
  ])(
    'the portal refuses the comparison when the caller %s while the service answers',
    async (_, status, fields) => {
      await connect()
      const user = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
      const caller = await suite.app.as(user)
      const held = suite.provider.hold('replaceData')
      const checked = caller.post(`${data}/conferencia`, order)
      const release = await held
      await suite.app.db.updateTable('usuario').set(fields).where('idUsuario', '=', user.idUsuario).execute()
      release()
      const answer = await checked
      expect(answer.status).toBe(status)
      expect(answer.body).not.toHaveProperty('linhas')
    },
  )

  test('the portal checks, and replaces in the name of the caller, each with its audit line', async () => {
    const { idPowerBi } = await connect()
    expect(await admin.post(`${data}/conferencia`, order)).toMatchObject({
      status: 200,
      body: { erros: [], avisos: ['um aviso'], linhas: 2 },
    })
    const choices = { types: {}, scales: {} }
    expect(sentTo('/data/check')).toEqual([{ draft: draftId, table: 'Custos', author: '', ...choices }])
    const chosen = { ...order, marcaDecimal: 'virgula', semTotais: false, aba: 'Dados', linhaDoCabecalho: 3 }
    expect((await admin.post(`${data}/conferencia`, chosen)).body).toMatchObject({
      lugar: null,
      escrita: { marcaDecimal: null, marcaEmDuvida: false },
    })
    expect(sentTo('/data/check')[1]).toEqual({
      draft: draftId,
      table: 'Custos',
      author: '',
      ...choices,
      decimal: ',',
      withoutTotals: false,
      sheet: 'Dados',
      heading: { first: 3, count: 1 },
    })
    const checked = {
      objeto: `powerbi:${idPowerBi}`,
      detalhes: { reportId, rascunho: draftId, tabela: 'Custos' },
    }
    const comparisons = await suite.app.db
      .selectFrom('auditoria')
      .select(['objeto', 'detalhes'])
      .where('acao', '=', 'publication.data-checked')
      .execute()
    expect(comparisons).toEqual([checked, checked])
    expect((await admin.post(data, order)).status).toBe(200)
    const author = expect.stringMatching(/^Pessoa \d+$/)
    expect(sentTo('/data')).toEqual([{ draft: draftId, table: 'Custos', author, ...choices }])
    const lines = await suite.app.db
      .selectFrom('auditoria')
      .select(['objeto', 'detalhes'])
      .where('acao', '=', 'publication.data-replaced')
      .execute()
    expect(lines).toEqual([{ objeto: `powerbi:${idPowerBi}`, detalhes: { reportId, tabela: 'Custos' } }])
    expect(await ends()).toEqual([
      { detalhes: { reportId, tabela: 'Custos', resultado: 'PUBLICADA', ...involved } },
    ])
  })

  test('the portal passes on chosen types and scales, with an audit line, and what became of the columns', async () => {
    await connect()
    const column = { name: 'Valor', label: 'Valor (R$)', type: 'number', distinct: 2, isKey: false }
    suite.provider.answer('replaceData', () => ({
      body: {
        faults: ['x.csv: uma pergunta'],
        remarks: [],
        rows: 2,
        preview: [['0.08']],
        changes: ['a coluna Valor era número inteiro e agora é número'],
        columns: [{ ...column, before: 'integer', shownAs: 'percent' }],
        questions: [
          { name: 'Valor', label: 'Valor (R$)', hasSign: true, isUnknown: true },
          {
            name: 'Taxa',
            label: 'Taxa',
            hasSign: false,
            isFraction: true,
            answers: ['share', 'divided', 'new'],
          },
        ],
      },
    }))
    const read = { aba: 'Dados', marcaDecimal: 'ponto', semTotais: true }
    const chosen = { tipos: { Valor: 'NUMERO' }, escalas: { Valor: 'DIVIDIR', Taxa: 'FRACAO' }, ...read }
    for (const url of [`${data}/conferencia`, data])
      expect((await admin.post(url, { ...order, ...chosen })).body).toEqual({
        erros: ['x.csv: uma pergunta'],
        avisos: [],
        linhas: 2,
        amostra: [['0.08']],
        mudancas: ['a coluna Valor era número inteiro e agora é número'],
        colunas: [
          {
            nome: 'Valor',
            rotulo: 'Valor (R$)',
            tipo: 'NUMERO',
            notacao: 'PERCENTUAL',
            valores: 2,
            duasLeituras: false,
            duasOrdens: false,
            antes: 'INTEIRO',
          },
        ],
        perguntas: [
          {
            nome: 'Valor',
            rotulo: 'Valor (R$)',
            percentual: true,
            desconhecida: true,
            fracoes: false,
            respostas: ['COMO_LIDO', 'MULTIPLICAR'],
            exemplo: null,
          },
          {
            nome: 'Taxa',
            rotulo: 'Taxa',
            percentual: false,
            desconhecida: false,
            fracoes: true,
            respostas: ['FRACAO', 'DIVIDIR'],
            exemplo: null,
          },
        ],
        lugar: null,
        escrita: {
          marcaDecimal: null,
          marcaEmDuvida: false,
          ordemDasDatas: null,
          ordemEmDuvida: false,
          totais: 0,
          semTotais: false,
        },
      })
    const readAs = { sheet: 'Dados', decimal: '.', withoutTotals: true }
    const choices = { types: { Valor: 'number' }, scales: { Valor: 'divided' }, ...readAs }
    expect(sentTo('/data')).toMatchObject([choices])
    expect(sentTo('/data/check')).toMatchObject([choices])
    const lines = await suite.app.db
      .selectFrom('auditoria')
      .select('detalhes')
      .where('acao', '=', 'publication.data-replaced')
      .execute()
    expect(lines).toEqual([{ detalhes: { reportId, tabela: 'Custos', ...chosen } }])
  })

  test.each([
    ['DraftNotFound', 404, 'rascunho_inexistente'],
    ['PowerBIEntityNotFound', 404, 'nao_encontrado'],
    ['PublicationBusy', 409, 'publicacao_em_andamento'],
  ])('refused with %s becomes a sentence', async (code, status, codigo) => {
    await connect()
    suite.provider.answer('replaceData', () => ({ status, body: { error: { code, message: 'x' } } }))
    expect((await admin.post(data, order)).body.codigo).toBe(codigo)
  })
})

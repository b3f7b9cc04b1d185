import { beforeEach, expect, test } from 'vitest'
import { createConnection } from '../../test/reports.ts'
import { embeddingSuite } from '../../test/stand-ins/embedding.ts'
import { draftId, reportId } from '../../test/stand-ins/provider-stand-in.ts'
import type { TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'

/* How a sent file is read: what the portal passes on to the report service, and what comes back. */

const { suite } = embeddingSuite()
let admin: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
})

const connect = () => createConnection(suite.app, { provedor: 'local' })
const draft = `/publicacoes/${draftId}`
const received = (end: string) =>
  suite.provider.seen.filter(({ path }) => path.endsWith(end)).map(({ body }) => JSON.parse(body))

test('the portal reads it with the chosen types, and returns columns, rows and the proposed definition', async () => {
  await connect()
  const { status, body } = await admin.post(`${draft}/leitura`, {
    nomeRelatorio: 'Custos',
    tipos: { Valor: 'NUMERO', Dia: 'DATA_HORA' },
  })
  expect(status).toBe(200)
  expect(received('/read')).toEqual([{ reportName: 'Custos', types: { Valor: 'number', Dia: 'timestamp' } }])
  expect(body).toEqual({
    erros: [],
    avisos: ['x.csv: um aviso'],
    linhas: 2,
    colunas: [
      {
        nome: 'Valor',
        rotulo: 'Valor (R$)',
        tipo: 'NUMERO',
        notacao: 'MOEDA',
        valores: 2,
        duasLeituras: false,
        duasOrdens: false,
      },
      {
        nome: 'Lista',
        rotulo: 'Lista',
        tipo: 'OUTRO',
        notacao: null,
        valores: 1,
        duasLeituras: false,
        duasOrdens: false,
      },
    ],
    amostra: [['1.5', null]],
    tabelas: [{ nome: 'x', colunas: ['Valor', 'Lista'] }],
    relatorio: `${JSON.stringify({ id: reportId, name: 'Custos' }, null, 2)}\n`,
    proposta: ['Somadas: Valor (R$).'],
    // An older service sends neither.
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
})

test('the portal passes on how a file is read, and what may be chosen about it', async () => {
  await connect()
  suite.provider.answer('readDraft', () => ({
    body: {
      faults: [],
      columns: [
        {
          name: 'Peso',
          label: 'Peso',
          type: 'number',
          distinct: 2,
          fitsBothMarks: true,
          fitsBothOrders: true,
        },
      ],
      choice: { sheets: [], heading: { first: 4, count: 1 }, rows: [{ row: 4, text: 'Unidade · Peso' }] },
      decimal: null,
      isInDoubt: true,
      dateOrder: 'monthFirst',
      isOrderInDoubt: true,
      totals: 2,
      withoutTotals: true,
    },
  }))
  const chosen = { linhaDoCabecalho: 4, marcaDecimal: 'ponto', ordemDasDatas: 'diaAntes', semTotais: true }
  const { body } = await admin.post(`${draft}/leitura`, { nomeRelatorio: 'Custos', ...chosen })
  expect(received('/read')).toEqual([
    {
      reportName: 'Custos',
      types: {},
      heading: { first: 4, count: 1 },
      decimal: '.',
      dateOrder: 'dayFirst',
      withoutTotals: true,
    },
  ])
  expect(body).toMatchObject({
    colunas: [{ nome: 'Peso', duasLeituras: true, duasOrdens: true }],
    lugar: {
      abas: [],
      aba: null,
      linhaDoCabecalho: 4,
      linhasNoCabecalho: 1,
      primeirasLinhas: [{ linha: 4, texto: 'Unidade · Peso' }],
    },
    escrita: {
      marcaDecimal: null,
      marcaEmDuvida: true,
      ordemDasDatas: 'mesAntes',
      ordemEmDuvida: true,
      totais: 2,
      semTotais: true,
    },
  })
})

test('the portal reads the chosen sheet below the chosen heading, and returns what may be chosen', async () => {
  await connect()
  const choice = {
    sheets: ['Capa', 'Dados'],
    sheet: 'Dados',
    heading: { first: 3, count: 2 },
    rows: [{ row: 1, text: 'Produção' }],
  }
  suite.provider.answer('readDraft', () => ({ body: { faults: ['x.xlsx: …'], choice } }))
  const place = { aba: 'Dados', linhaDoCabecalho: 3, linhasNoCabecalho: 2 }
  const { body } = await admin.post(`${draft}/leitura`, { nomeRelatorio: 'Custos', ...place })
  expect(received('/read')).toEqual([
    { reportName: 'Custos', types: {}, sheet: 'Dados', heading: { first: 3, count: 2 } },
  ])
  expect(body).toMatchObject({
    erros: ['x.xlsx: …'],
    colunas: [],
    relatorio: '',
    lugar: { ...place, abas: ['Capa', 'Dados'], primeirasLinhas: [{ linha: 1, texto: 'Produção' }] },
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  convertFiles,
  hasLibreOffice,
  NEEDS_LIBREOFFICE,
  type OpenedCell,
  openedCells,
} from '../../../../../scripts/machines/libreoffice.ts'
import { CLAIMS, GROUP, REPORT, type Service, startService, visual } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { visualCsv } from '../../embed-page/host/visual-csv.ts'
import { dataCsv, exportedRows } from '../../embed-page/view/tables/data-csv.ts'
import type { EmbeddedReport, EmbeddedVisual, PageData, VisualData } from '../../wire/embed-contract.ts'

/* LibreOffice opens the exported files, and keeps the values and types of the report's rows. */

const KEY = '35260312345678000190550010000012341000012345'
const FORMULAS = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', "=cmd|' /C calc'!A0", "'já com apóstrofo"]
const SPECIAL = ['a;b "c"', 'duas\nlinhas', '00123', '1.234,56', '05/03/2026', '_x000D_', 'São Paulo ￥']

const texts = [...FORMULAS, ...SPECIAL]
const ROWS = `
SELECT i AS n, texto, '${KEY}' AS chave, 9007199254740993 + i AS grande,
  CAST('12345678901234567.12' AS DECIMAL(38,2)) AS larga, CAST(-1234.5 AS DECIMAL(18,2)) - i AS valor,
  CAST(-0.0 AS DOUBLE) AS zero, 0.1::DOUBLE + i AS dobro, 1e-7::DOUBLE AS pequeno, 0.125::DOUBLE AS taxa,
  DATE '2026-03-05' + i::INTEGER AS dia, DATE '2026-03-01' AS mes, TIMESTAMP '2026-03-05 14:30:15' AS quando,
  TIMESTAMPTZ '2026-03-05 02:30:00Z' AS em, TIME '08:30:00' AS hora, i % 2 = 0 AS pago,
  CASE WHEN i = 0 THEN 1.5 END AS vazio
FROM (SELECT unnest(range(${texts.length})) AS i, unnest([${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]) AS texto)`

const columns =
  'n, texto, chave, grande, larga, valor, zero, dobro, pequeno, taxa, dia, mes, quando, em, hora, pago, vazio'
const format = { valor: 'moeda', taxa: 'percentual', mes: 'mes', chave: 'texto' }

/** The cells of a row, in the order of `columns`. */
const rowOf = (text: string, index: number): OpenedCell[] => [
  { type: 'float', value: String(index) },
  { type: 'string', value: text },
  { type: 'string', value: KEY },
  { type: 'string', value: String(9_007_199_254_740_993n + BigInt(index)) },
  { type: 'string', value: '12345678901234567,12' },
  { type: 'currency', value: String(-1234.5 - index) },
  { type: 'float', value: '0' },
  { type: 'float', value: String(0.1 + index) },
  { type: 'float', value: '0.0000001' },
  { type: 'percentage', value: '0.125' },
  { type: 'date', value: `2026-03-${String(5 + index).padStart(2, '0')}` },
  { type: 'date', value: '2026-03-01' },
  { type: 'date', value: '2026-03-05T14:30:15' },
  { type: 'date', value: '2026-03-04T23:30:00' },
  { type: 'time', value: 'PT08H30M00S' },
  { type: 'boolean', value: index % 2 === 0 ? 'true' : 'false' },
  index === 0 ? { type: 'float', value: '1.5' } : undefined,
]
const expected = texts.map((text, index) => {
  const row = rowOf(text, index)
  return row.slice(0, row.findLastIndex((cell) => cell !== undefined) + 1)
})

let service: Service
let described: EmbeddedReport
let shown: EmbeddedVisual
let answers: PageData['visuals']
let data: VisualData

beforeAll(async () => {
  const report = {
    id: REPORT,
    name: 'Valores',
    dataset: CLAIMS,
    pages: [
      {
        name: 'Main',
        displayName: 'Principal',
        visuals: [
          visual('linhas', `SELECT ${columns} FROM Valores ORDER BY n`, { format }),
          visual('soma', 'SELECT sum(valor) AS valor FROM Valores', { format: { valor: 'moeda' } }),
          visual(
            'matriz',
            "SELECT 'g' || n % 2 AS grupo, 'c' || n % 3 AS coluna, n + 0.5 AS total FROM Valores WHERE n < 6",
            {
              type: 'matrix',
              matrix: { rows: ['grupo'], columns: ['coluna'], values: { total: 'sum(total)' } },
              format: { total: 'moeda' },
            },
          ),
        ],
      },
    ],
  }
  service = await startService({
    files: {
      'datasets/claims/dataset.json': {
        id: CLAIMS,
        name: 'Valores',
        tables: { Valores: { file: 'valores.parquet' } },
        roles: [{ name: 'todos', rows: {} }],
      },
      'datasets/claims/valores.parquet': await parquetOf(ROWS),
      'workspaces/one/claims.json': report,
    },
    env: { REPORTS_URL: 'https://bi.example.org' },
    options: { now: () => Date.now() },
  })
  await service.loaded
  const token = await service.embedToken(['todos'])
  described = (await service.embed(token, 'GET', `/reports/${REPORT}`)).json()
  shown = described.pages[0]?.visuals[0] as EmbeddedVisual
  const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, { page: 'Main', filters: [] })
  answers = (answer.json() as PageData).visuals
  data = answers.linhas as VisualData
  expect(data.rows).toHaveLength(texts.length)
}, 240_000)
afterAll(() => service.stop())

/** Exports as a reader does, or as a subscription. */
const exported = async (pages: object[], more: object = {}): Promise<Buffer> => {
  const token = await service.entraToken()
  const base = `/groups/${GROUP}/reports/${REPORT}`
  const identities = [{ username: 'ana@x.br', roles: ['todos'], datasets: [CLAIMS] }]
  const asked = await service.rest(token, 'POST', `${base}/ExportTo`, {
    format: 'XLSX',
    powerBIReportConfiguration: { identities, pages, ...more },
  })
  expect(asked.statusCode, asked.body).toBe(202)
  const at = `${base}/exports/${asked.json().id}`
  const done = await expect
    .poll(async () => (await service.rest(token, 'GET', at)).json(), { timeout: 20_000 })
    .toMatchObject({ status: 'Succeeded' })
    .then(async () => (await service.rest(token, 'GET', at)).json())
  const file = await service.app.inject({
    url: new URL(done.resourceLocation).pathname,
    headers: { authorization: `Bearer ${token}` },
  })
  return file.rawPayload
}
const opened = (
  name: string,
  bytes: Buffer | string,
  how: Partial<Parameters<typeof convertFiles>[1]> = {},
) => openedCells(convertFiles([{ name, bytes }], { ...how, to: 'fods' })[0] as Buffer)
const text = (value: string): OpenedCell => ({ type: 'string', value })

/** Numbers of columns, from 1. */
const places = (...names: string[]) => names.map((name) => columns.split(', ').indexOf(name) + 1)

describe.skipIf(!hasLibreOffice)(`LibreOffice opens ${NEEDS_LIBREOFFICE}`, { timeout: 400_000 }, () => {
  test('LibreOffice opens the XLSX of a visual', async () => {
    const bytes = await exported([{ pageName: 'Main', visualName: 'linhas' }])
    const sheets = opened('visual.xlsx', bytes)
    expect(Object.keys(sheets)).toEqual(['Sobre', 'linhas'])
    expect(sheets.linhas?.slice(1)).toEqual(expected)
  })

  test('LibreOffice opens the XLSX of a page, with the facts of its first sheet', async () => {
    const sheets = opened('pagina.xlsx', await exported([{ pageName: 'Main' }]))
    expect(Object.keys(sheets)).toEqual(['Sobre', 'linhas', 'soma', 'matriz'])
    expect(sheets.linhas?.slice(1)).toEqual(expected)
    const total = texts.reduce((sum, _, index) => sum - 1234.5 - index, 0)
    expect(sheets.soma?.[1]).toEqual([{ type: 'currency', value: String(total) }])
    const facts = new Map(sheets.Sobre?.map(([label, fact]) => [label?.value, fact]))
    expect(facts.get('Exportado em')?.type).toBe('date')
    expect(facts.get('Página')).toEqual({ type: 'string', value: 'Principal' })
  })

  /** A text that could be a formula has an apostrophe, which a CSV needs. */
  const guarded = (text: string) => text.replace(/(^|[;\n])(?=[=+\-@])/g, "$1'")

  test('LibreOffice opens the CSV of a visual, whose codes a person declares as text', () => {
    const csv = dataCsv(shown, data, data.rows, {})
    const asText = places('texto', 'chave', 'grande', 'larga')
    const sheets = opened('visual.csv', csv, { asText })
    const rows = Object.values(sheets)[0]?.slice(1)
    const plain = expected.map((row, index) =>
      row.map((cell, column): OpenedCell => {
        const name = columns.split(', ')[column]
        if (name === 'texto') return { type: 'string', value: guarded(texts[index] ?? '') }
        // A CSV has neither currency nor percent signs, nor truth values.
        if (name === 'valor' || name === 'taxa') return { type: 'float', value: cell?.value ?? '' }
        if (name === 'pago') return { type: 'string', value: index % 2 === 0 ? 'sim' : 'não' }
        return cell
      }),
    )
    expect(rows).toEqual(plain)
  })

  test('LibreOffice opens the CSV of `exportData`, as programs read it', () => {
    const csv = visualCsv(shown, data, 30_000)
    expect(csv.split('\r\n')[0]).toBe(columns.replaceAll(', ', ','))
    const asText = places('texto', 'chave', 'grande', 'larga')
    const rows = Object.values(opened('dados.csv', csv, { asText, notation: 'english' }))[0]?.slice(1)
    const plain = expected.map((row, index) =>
      row.map((cell, column): OpenedCell => {
        const name = columns.split(', ')[column]
        if (name === 'texto') return { type: 'string', value: guarded(texts[index] ?? '') }
        if (name === 'larga') return { type: 'string', value: '12345678901234567.12' }
        // A CSV has neither currency nor percent signs.
        if (name === 'valor' || name === 'taxa') return { type: 'float', value: cell?.value ?? '' }
        return cell
      }),
    )
    expect(rows).toEqual(plain)
  })

  test('LibreOffice opens the XLSX and the CSV of a matrix, without totals that a sum would count again', async () => {
    const money = (value: string) => ({ type: 'currency', value })
    const rows = [
      ['g0', 'c0', '0.5'],
      ['g0', 'c1', '4.5'],
      ['g0', 'c2', '2.5'],
      ['g1', 'c0', '3.5'],
      ['g1', 'c1', '1.5'],
      ['g1', 'c2', '5.5'],
    ]
    const cells = (value: (text: string) => OpenedCell) => [
      ['Grupo', 'Coluna', 'Total'].map(text),
      ...rows.map(([group = '', column = '', total = '']) => [text(group), text(column), value(total)]),
    ]
    const bytes = await exported([{ pageName: 'Main', visualName: 'matriz' }])
    expect(opened('matriz.xlsx', bytes).matriz).toEqual(cells(money))
    const [visual, answer] = [described.pages[0]?.visuals[2] as EmbeddedVisual, answers.matriz as VisualData]
    expect(answer.rows.length).toBeGreaterThan(rows.length)
    const csv = dataCsv(visual, answer, exportedRows(visual, answer), {})
    const sheet = Object.values(opened('matriz.csv', csv))[0]
    expect(sheet).toEqual(cells((value) => ({ type: 'float', value })))
  })

  test('LibreOffice opens the XLSX of a subscription, with the rows of its filter', async () => {
    const bytes = await exported([{ pageName: 'Main', visualName: 'linhas' }], {
      settings: { locale: 'pt-BR' },
      reportLevelFilters: [{ filter: 'Valores/n ge 1 and Valores/n le 2' }],
    })
    expect(opened('assinatura.xlsx', bytes).linhas?.slice(1)).toEqual(expected.slice(1, 3))
  })
})

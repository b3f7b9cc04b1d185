import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../../../../test/fixture.ts'
import { type Begun, replacingCalls } from '../../../../test/replacing.ts'
import { areCasesThere, casesFolder } from '../../../../test/shared-cases.ts'
import type { PageData, VisualData } from '../../../wire/embed-contract.ts'

/*
 * The CSV of public bug reports become reports by the calls that the page makes, with its proposals as they
 * are: the cards and the rows that a reader sees have the right answers.
 */

let service: Service
let calls: Begun
beforeAll(async () => {
  if (!areCasesThere) return
  service = await startService()
  await service.loaded
  calls = await replacingCalls(service)
}, 240_000)
afterAll(() => service?.stop())

/** The cards but that of the lines, by their titles; the sums of columns of numbers in the rows. */
interface Shown {
  rows: number
  cards: Record<string, number>
  sums?: Record<string, number>
}

const CASES: Record<string, Shown> = {
  '01-ponto-decimal-em-outra-coluna.csv': { rows: 3, cards: { Custo: 3_320.41, Peso: 9.645 } },
  '03-contabil.csv': { rows: 6, cards: { Despesa: 2_074.66 } },
  '04-parenteses.csv': { rows: 4, cards: { Saldo: -272.46 } },
  '05-menos-no-fim.csv': { rows: 4, cards: { Saldo: -272.46 } },
  '07-chave-nfe.csv': { rows: 4, cards: { Valor: 408 } },
  '08-carteira-18.csv': { rows: 6, cards: { Valor: 24 } },
  '12-texto-unicode.txt': { rows: 1, cards: { Valor: 1.5 } },
  '13-windows-1252.csv': { rows: 2, cards: { Valor: 1_314.5 } },
  '14-com-bom.csv': { rows: 2, cards: { Valor: 3.75 } },
  '15-separador-no-fim.csv': { rows: 2, cards: { Chuva: 1.2 } },
  // With the row of totals, which the page names and offers to leave out.
  '17-tabnet.csv': { rows: 3, cards: { Total: 920, '2026/Jan': 380 }, sums: { c_2026_Mar: 140 } },
  '18-traco-sem-dado.csv': { rows: 12, cards: { 2024: 76_200, 2025: 66.5 } },
  '19-linha-de-total.csv': { rows: 4, cards: { Valor: 350 } },
  '20-virgula-no-cabecalho.csv': { rows: 2, cards: { 'Receita (bruta, líquida, ajustada)': 2_500.5 } },
  '21-aspas-e-quebras.csv': { rows: 3, cards: { Qtd: 6 } },
  '22-polegada.csv': { rows: 2, cards: { Qtd: 3 } },
  '23-quebra-no-cabecalho.csv': { rows: 2, cards: { 'Valor pago': 3.5 } },
  '24-datas.csv': { rows: 3, cards: {} },
  '25-data-impossivel.csv': { rows: 6, cards: { Q: 15 } },
  '26-cabecalhos-iguais.csv': { rows: 2, cards: { Valor: 4, 'valor 2': 7 }, sums: { Qtd: 5 } },
  '28-so-cr.csv': { rows: 3, cards: { Valor: 6.5 } },
  '29-ans-operadoras.csv': { rows: 30, cards: {} },
  // The balances of the last period.
  '30-ans-contabil.csv': {
    rows: 12,
    cards: { VL_SALDO_INICIAL: 22_500.05, VL_SALDO_FINAL: 39_000.8 },
    sums: { VL_SALDO_INICIAL: 62_500.85, VL_SALDO_FINAL: 99_002.4 },
  },
  '31-ans-beneficiarios.csv': {
    rows: 40,
    cards: { QT_BENEFICIARIO_ATIVO: 273 },
    sums: { QT_BENEFICIARIO_ATIVO: 820 },
  },
  '32-ans-cmpt-antigo.csv': {
    rows: 40,
    cards: { QT_BENEFICIARIO_ATIVO: 273 },
    sums: { QT_BENEFICIARIO_ATIVO: 820 },
  },
  '34-sim-nao.csv': { rows: 3, cards: { Qtd: 2 } },
  '35-erros-em-portugues.csv': { rows: 5, cards: { 'Taxa (média)': 7 / 3 } },
}

const publishCase = async (name: string) => {
  const id = await calls.draft(readFileSync(casesFolder + name), encodeURIComponent(name))
  const { report } = (await calls.post(`/drafts/${id}/read`, { reportName: name })).json()
  const body = { workspace: { name: `Área ${name}` }, report: JSON.stringify(report), author: 'Ana' }
  const { faults, reportId, workspaceId } = (await calls.post(`/drafts/${id}/publish`, body)).json()
  expect(faults).toEqual([])
  const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
  const { token } = (await calls.post(path, { accessLevel: 'View' })).json()
  const pages: PageData['visuals'][] = []
  for (const { name } of report.pages) {
    const { visuals, failures } = (await service.data(token, [], name, reportId)).json() as PageData
    expect(failures).toEqual({})
    pages.push(visuals)
  }
  return { report, first: pages[0] ?? {}, rows: pages.at(-1)?.linhas as VisualData }
}
const sumOf = ({ columns, rows }: VisualData, name: string) =>
  rows.reduce((sum, row) => sum + Number(row[columns.indexOf(name)] ?? 0), 0)

describe.skipIf(!areCasesThere)('the published proposal of files of public bug reports', () => {
  test.each(Object.entries(CASES))('a report of %s shows the right numbers', async (name, shown) => {
    const { report, first, rows } = await publishCase(name)
    expect(rows.rows).toHaveLength(shown.rows)
    const cards = report.pages[0].visuals.filter(({ type }: { type: string }) => type === 'card')
    const values = cards.map(({ name, title }: { name: string; title: string }) => [
      title,
      Number(first[name]?.rows[0]?.[0]),
    ])
    expect(values).toEqual([
      ['Linhas', shown.rows],
      ...Object.entries(shown.cards).map(([title, value]) => [title, expect.closeTo(value, 6)]),
    ])
    for (const [column, sum] of Object.entries(shown.sums ?? {}))
      expect([column, sumOf(rows, column)]).toEqual([column, expect.closeTo(sum, 6)])
  })
})

test('the run says which published cases were left out', ({ annotate }) => {
  if (!areCasesThere) annotate(`${Object.keys(CASES).length} files of ${casesFolder} are not there.`)
  else expect(Object.keys(CASES)).toHaveLength(27)
})

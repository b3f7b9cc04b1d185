import { describe, expect, test } from 'vitest'
import { readWorkbook } from '../../../test/read-workbook.ts'
import { type Begun, beginReplacing } from '../../../test/replacing.ts'
import { initialState } from '../../embed-page/session/load-options.ts'
import { formatOf } from '../../embed-page/view/style/column-format.ts'
import { formatCell } from '../../embed-page/view/style/format.ts'
import { dataCsv } from '../../embed-page/view/tables/data-csv.ts'
import { collectWorkbook } from '../../exports/workbook/describe-workbook.ts'
import { writeXlsx } from '../../exports/workbook/write-xlsx.ts'
import type { EmbeddedReport, PageData } from '../../wire/embed-contract.ts'

/* Amounts that no double holds, from the file to what a reader takes out of the report. */

const LARGE = ['R$ 900.000.000.000.000,55', 'R$ 900.000.000.000.000,56', 'R$ 0,10']
const EXACT = ['0.10', '900000000000000.55', '900000000000000.56']

const csvOf = (amounts: string[]) =>
  ['Conta;Saldo', ...amounts.map((amount, index) => `c${index};${amount}`), ''].join('\n')

const layout = { x: 0, y: 0, width: 400, height: 300 }
const visuals = [
  {
    name: 'linhas',
    type: 'table',
    title: 'Linhas',
    layout,
    query: 'SELECT Conta, Saldo FROM contas ORDER BY Saldo',
    format: { Saldo: 'moeda' },
    totals: { Saldo: 'sum(Saldo)' },
  },
  { name: 'soma', type: 'card', title: 'Soma', layout, query: 'SELECT sum(Saldo) AS soma FROM contas' },
]

/** Publishes the amounts, and returns the calls of a reader. */
const publish = async ({ service, post, draft }: Begun, amounts: string[]) => {
  const id = await draft(csvOf(amounts), 'contas.csv')
  const { report, remarks } = (await post(`/drafts/${id}/read`, { reportName: 'Contas' })).json()
  const pages = [{ name: 'p', displayName: 'P', visuals }]
  const definition = JSON.stringify({ ...report, pages })
  const body = { workspace: { name: 'Área' }, report: definition, author: 'Ana' }
  const { faults, reportId, workspaceId } = (await post(`/drafts/${id}/publish`, body)).json()
  expect(faults).toEqual([])
  const tokenOf = async () => {
    const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
    return (await post(path, { accessLevel: 'View' })).json().token as string
  }
  const view = async (filters: object[] = []): Promise<PageData['visuals']> =>
    (await service.data(await tokenOf(), filters, 'p', reportId)).json().visuals
  const described = async (): Promise<EmbeddedReport> =>
    (await service.embed(await tokenOf(), 'GET', `/reports/${reportId}`)).json()
  return { reportId, remarks, view, described }
}

const target = { table: 'contas', column: 'Saldo' }

describe('amounts of seventeen digits in a CSV', { timeout: 120_000 }, () => {
  test('amounts of seventeen digits in a CSV are shown, summed, filtered and exported with all their digits', async () => {
    const { remarks, view, described } = await publish(await beginReplacing(), LARGE)
    expect(remarks.join()).not.toContain('arredond')
    const { linhas, soma } = await view()
    if (!linhas) throw new Error('the table has no answer')
    expect(linhas.kinds).toEqual(['text', 'number'])
    expect(linhas.rows.map(([, amount]) => String(amount))).toEqual(['0.1', ...EXACT.slice(1)])
    expect([soma?.rows[0]?.[0], linhas.totals?.at(-1)]).toEqual(Array(2).fill('1800000000000001.21'))
    // Each of two amounts that are one double finds its own row.
    for (const [index, amount] of EXACT.entries()) {
      const found = await view([{ target, operator: 'In', values: [amount] }])
      expect(found.linhas?.rows.map(([account]) => account)).toEqual([['c2', 'c0', 'c1'][index]])
      expect(String(found.soma?.rows[0]?.[0])).toBe(amount === '0.10' ? '0.1' : amount)
    }
    const report = await described()
    const [shown] = report.pages[0]?.visuals ?? []
    if (!shown) throw new Error('the page has no visual')
    const format = formatOf(shown, linhas, 'Saldo')
    expect(linhas.rows.map(([, amount]) => formatCell(amount, format).replace('\u00a0', ' '))).toEqual([
      'R$ 0,10',
      'R$ 900.000.000.000.000,55',
      'R$ 900.000.000.000.000,56',
    ])
    const csv = dataCsv(shown, linhas, linhas.rows, {}).trim().split('\r\n').slice(1)
    expect(csv).toEqual(['c2;0,1', 'c0;900000000000000,55', 'c1;900000000000000,56'])
    const workbook = collectWorkbook(report)
    workbook.add({ state: initialState(report, {}), result: { linhas } })
    const details = { person: undefined, dataTime: undefined, created: Date.UTC(2026, 0) }
    const sheets = await readWorkbook(writeXlsx(workbook.describe(details)))
    expect(sheets.Linhas?.slice(1, 4)).toEqual([
      ['c2', 0.1],
      ['c0', '900000000000000,55'],
      ['c1', '900000000000000,56'],
    ])
  })

  test('amounts of seventeen digits in a CSV replace amounts that a double holds, and are replaced by such amounts', async () => {
    const begun = await beginReplacing()
    const { reportId, view } = await publish(begun, ['R$ 1,50', 'R$ 2,25', 'R$ 3,00'])
    expect((await view()).soma?.rows).toEqual([[6.75]])
    const replace = async (amounts: string[]) =>
      (await begun.replace(reportId, await begun.draft(csvOf(amounts)), 'contas')).json()
    expect(await replace(LARGE)).toMatchObject({ faults: [] })
    const wide = await view()
    expect(wide.linhas?.rows.map(([, amount]) => String(amount))).toEqual(['0.1', ...EXACT.slice(1)])
    expect(wide.soma?.rows).toEqual([['1800000000000001.21']])
    const [found] = EXACT.slice(1)
    const one = await view([{ target, operator: 'In', values: [found] }])
    expect(one.linhas?.rows).toEqual([['c0', found]])
    expect(await replace(['R$ 1,50', 'R$ 2,25', 'R$ 3,00'])).toMatchObject({ faults: [] })
    expect((await view()).soma?.rows).toEqual([[6.75]])
  })
})

import { describe, expect, test } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import { serviceWith } from '../../../test/fixture.ts'
import { type TestCell, type TestSheet, workbookOf } from '../../../test/workbooks.ts'

const rowsOf = (count: number): TestCell[][] => [
  ['Unidade', 'Valor (R$)'],
  ...Array.from({ length: count }, (_, index): TestCell[] => [`U${index % 3}`, index + 0.5]),
]
const workbook = (...sheets: TestSheet[]) => workbookOf({ sheets })

/** Publishes a sheet of a workbook, and returns how its data are checked and replaced. */
const publish = async (bytes: Buffer, place: object = {}) => {
  const service = await serviceWith()
  const { call, draft, token } = await beginDrafts(service)
  const id = await draft(bytes, 'Custos.xlsx')
  const { report, faults } = await call(`${id}/read`, { reportName: 'Custos', ...place })
  expect(faults).toEqual([])
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(report) }
  const published = await call(`${id}/publish`, body)
  expect(published.faults).toEqual([])
  const send = async (what: '/check' | '', file: Buffer, fields: object) => {
    const payload = { draft: await draft(file, 'novo.xlsx'), table: 'Custos', author: 'Bia', ...fields }
    const answer = await service.app.inject({
      method: 'POST',
      url: `/v1.0/myorg/publications/${published.reportId}/data${what}`,
      payload,
      headers: { authorization: `Bearer ${token}`, 'x-requested-for': 'ana' },
    })
    return answer.json()
  }
  return {
    check: (file: Buffer, fields: object = {}) => send('/check', file, fields),
    replace: (file: Buffer, fields: object = {}) => send('', file, fields),
  }
}

describe('rows of a spreadsheet replace those of another', { timeout: 90_000 }, () => {
  const place = { sheet: '2026' }
  const [old, current] = [
    { name: '2025', rows: rowsOf(4) },
    { name: '2026', rows: rowsOf(5) },
  ]

  test('rows of a spreadsheet replace those of another from the sheet that was published, wherever its heading is now', async () => {
    const { replace } = await publish(workbook(old, current), place)
    const titled = { name: '2026', rows: [['Produção'], [null], ...rowsOf(7)] }
    expect(await replace(workbook(old, titled))).toMatchObject({
      faults: [],
      rows: 7,
      choice: { sheet: '2026' },
    })
    // Again: the replaced data know their sheet too.
    expect(await replace(workbook({ ...old, name: '2024' }, current))).toMatchObject({ faults: [], rows: 5 })
  })

  test('rows of a spreadsheet replace those of another from the only sheet that has the columns, or from the chosen one of several', async () => {
    const { check } = await publish(workbook(old, current), place)
    const cover = { name: 'Capa', rows: [['Produção'], ['Ana']] }
    const moved = { name: 'Dados', rows: rowsOf(6) }
    expect(await check(workbook(cover, moved))).toMatchObject({
      faults: [],
      rows: 6,
      choice: { sheet: 'Dados' },
    })
    const several = workbook(cover, moved, old)
    expect((await check(several)).faults).toEqual([
      'novo.xlsx: não tem mais a aba 2026; as abas Dados e 2025 têm as colunas do relatório: escolha uma, ou deixe só uma na planilha',
    ])
    expect(await check(several, { sheet: '2025' })).toMatchObject({ faults: [], rows: 4 })
    // A schedule has other readers than the author.
    expect(await check(several, { sheet: '2025', quotesData: false })).not.toHaveProperty('choice')
  })

  test('rows of a spreadsheet replace those of another with equal headings, if the report has them all', async () => {
    const twice = (...columns: TestCell[]): TestCell[][] => [
      ['Unidade', 'Valor', ...columns.slice(1)],
      ['A', 1, 2],
    ]
    const { replace } = await publish(workbook({ name: '2026', rows: twice('Valor', 'Valor') }))
    const again = workbook({ name: '2026', rows: [['Total por unidade'], ...twice('Valor', 'Valor')] })
    expect(await replace(again)).toMatchObject({ faults: [], rows: 1, changes: [] })
    const one = await publish(
      workbook({
        name: '2026',
        rows: [
          ['Unidade', 'Valor'],
          ['A', 1],
        ],
      }),
    )
    const heading = { first: 2, count: 1 }
    for (const place of [{}, { heading }])
      expect((await one.check(again, place)).faults).toEqual([
        expect.stringMatching(/^novo\.xlsx: linha 2: as colunas B e C têm o mesmo nome, Valor /),
      ])
  })

  test('rows of a spreadsheet replace those of another with what is missing named', async () => {
    const { check } = await publish(workbook(old, current), place)
    const other = await check(workbook({ name: '2026', rows: [['Unidade'], ['A']] }))
    expect(other.faults).toEqual(['novo.xlsx: falta a coluna Valor (R$)'])
    expect(other.choice.sheets).toEqual(['2026'])
  })
})

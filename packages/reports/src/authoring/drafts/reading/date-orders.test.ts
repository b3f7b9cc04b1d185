import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService } from '../../../../test/fixture.ts'
import { type Begun, publishFile, replacingCalls } from '../../../../test/replacing.ts'
import { workbookOf } from '../../../../test/workbooks.ts'

const file = (...rows: string[]) => ['Unidade;Pedido;Entrega', ...rows].join('\n')
/** Entrega shows that the month is first; Pedido fits both orders. */
const MONTHS = file('A;01/02/2026;03/25/2026', 'B;05/06/2026;04/30/2026')
const DAYS = file('A;01/02/2026;25/03/2026', 'B;05/06/2026;30/04/2026')
const OPEN = file('A;01/02/2026;03/04/2026', 'B;05/06/2026;07/08/2026')
/** Each order is shown by one column, and Pedido fits both. */
const BOTH =
  'Unidade;Pedido;Entrega;Baixa\nA;01/02/2026;03/25/2026;25/03/2026\nB;05/06/2026;04/30/2026;30/04/2026'

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 90_000 }

let begun: Begun
beforeAll(async () => {
  const service = await startService()
  await service.loaded
  begun = await replacingCalls(service)
})
afterAll(() => begun.service.stop())

describe('the order of dates of a draft', () => {
  const call = async (path: string, body: object) => (await begun.post(`/drafts/${path}`, body)).json()
  const read = async (bytes: string | Buffer, choices: object = {}, name = 'Datas.csv') => {
    const id = await begun.draft(bytes, name)
    const act = async (how: object) => call(`${id}/read`, { reportName: 'Datas', ...how })
    const check = async (report: object) =>
      call(`${id}/check`, { workspace: { name: 'Área' }, report: JSON.stringify(report) })
    return { act, check, first: await act(choices) }
  }
  const days = ({ preview }: { preview: string[][] }) => preview[0]?.slice(1)

  test('the order of dates of a draft is shown by one column for the whole file, and can be changed with one choice', async () => {
    const { act, first } = await read(MONTHS)
    expect(first).toMatchObject({ faults: [], dateOrder: 'monthFirst', isOrderInDoubt: false })
    expect(days(first)).toEqual(['2026-01-02', '2026-03-25'])
    expect(first.columns.map(({ fitsBothOrders }: { fitsBothOrders: boolean }) => fitsBothOrders)).toEqual([
      false,
      true,
      false,
    ])
    expect(first.remarks).toEqual([
      'Datas.csv: a coluna Pedido tem o mês antes do dia: na linha 2, "01/02/2026" é 02/01/2026',
      'Datas.csv: a coluna Entrega tem o mês antes do dia: na linha 2, "03/25/2026" é 25/03/2026',
    ])
    expect(days(await act({ dateOrder: 'dayFirst' }))).toEqual(['2026-02-01', '2026-03-25'])
  })

  test.each([
    ['of the day where a column shows it', DAYS, ['2026-02-01', '2026-03-25']],
    ['of the day where nothing shows one', OPEN, ['2026-02-01', '2026-04-03']],
  ])('the order of dates of a draft is that %s', async (_name, bytes, expected) => {
    const { act, first } = await read(bytes)
    expect(first).toMatchObject({ dateOrder: 'dayFirst', isOrderInDoubt: false, remarks: [] })
    expect(first.columns[1]).toMatchObject({ type: 'date', fitsBothOrders: true })
    expect(days(first)).toEqual(expected)
    expect(days(await act({ dateOrder: 'monthFirst' }))?.[0]).toBe('2026-01-02')
  })

  test('the order of dates of a draft is shown by a date far below the sample', async () => {
    const { first } = await read(`Dia;n\n${'01/02/2026;1\n'.repeat(25_000)}12/31/2026;1\n`)
    expect(first).toMatchObject({ dateOrder: 'monthFirst', columns: [{ type: 'date' }, {}] })
    expect(first.preview[0][0]).toBe('2026-01-02')
  })

  test('the order of dates of a draft is asked where columns show both, and each of those keeps its own', async () => {
    const { act, check, first } = await read(BOTH)
    expect(first).toMatchObject({ faults: [], dateOrder: null, isOrderInDoubt: true })
    const doubt =
      'Datas.csv: a coluna Entrega tem o mês antes do dia, e a coluna Pedido tem datas que podem ser lidas das duas formas: "01/02/2026" é 1 de fevereiro de 2026 ou 2 de janeiro de 2026. Escolha, em Ordem das datas, o que vem antes.'
    expect((await check(first.report)).faults).toEqual([doubt])
    for (const [dateOrder, day] of [
      ['monthFirst', '2026-01-02'],
      ['dayFirst', '2026-02-01'],
    ]) {
      const chosen = await act({ dateOrder })
      expect(chosen).toMatchObject({ isOrderInDoubt: false, dateOrder })
      expect(days(chosen)).toEqual([day, '2026-03-25', '2026-03-25'])
    }
  })

  test('the order of dates of a draft decides dates with time, and texts of a spreadsheet, but not its cells of dates', async () => {
    const { first } = await read('A;B\n01/02/2026 10:30;03/25/2026 08:00\n01/03/2026 10:30;1/31/2026 8:15\n')
    expect(first.preview[0]).toEqual(['2026-01-02 10:30:00', '2026-03-25 08:00:00'])
    const rows = [
      ['Pedido', 'Entrega', 'Baixa'],
      ['01/02/2026', '03/25/2026', { value: 46_054, style: 1 }],
    ]
    const bytes = workbookOf({ sheets: [{ rows }], formats: ['dd/mm/yyyy'] })
    const sheet = await read(bytes, {}, 'Datas.xlsx')
    expect(sheet.first.preview[0]).toEqual(['2026-01-02', '2026-03-25', '2026-02-01'])
  })

  test('the order of dates of a draft is of no matter to days that are the same with both', async () => {
    const { first } = await read('A;B\n05/05/2026;25/03/2026\n06/06/2026;26/03/2026\n')
    expect(first.columns[0]).toMatchObject({ type: 'date', fitsBothOrders: false })
  })
})

describe('the order of dates of published data', LONG, () => {
  const begin = async (bytes: string, choices: object = {}) => {
    const { reportId } = await publishFile(begun, bytes, choices)
    return async (next: string, how: object = {}) =>
      (await begun.replace(reportId, await begun.draft(next), 'Custos', '', how)).json()
  }
  const days = ({ preview }: { preview: string[][] }) => preview[0]?.slice(1)
  const CHOOSE = 'Escolha, em Ordem das datas, o que vem antes'
  /** A schedule has no such choice. */
  const ANSWER_ONCE =
    'Envie este arquivo uma vez em Substituir dados e diga se nas datas vem antes o dia ou o mês; as trocas seguintes, também as agendadas, usam a resposta'

  test('the order of dates of published data holds for later data that shows none, and is asked about when another one is shown', async () => {
    const replace = await begin(MONTHS)
    expect(days(await replace(OPEN))).toEqual(['2026-01-02', '2026-03-04'])
    const refused = await replace(DAYS)
    expect(refused).toMatchObject({ reading: { isOrderInDoubt: true, dateOrder: null } })
    expect(refused.faults).toEqual([
      `novo.csv: a coluna Entrega tem o dia antes do mês, e a coluna Pedido tem datas que podem ser lidas das duas formas: "01/02/2026" é 1 de fevereiro de 2026 ou 2 de janeiro de 2026. ${CHOOSE}`,
    ])
    expect((await replace(DAYS, { quotesData: false })).faults).toEqual([
      `novo.csv: a coluna Entrega tem o dia antes do mês, e a coluna Pedido tem datas que podem ser lidas das duas formas. ${ANSWER_ONCE}`,
    ])
    expect(days(await replace(DAYS, { dateOrder: 'dayFirst' }))).toEqual(['2026-02-01', '2026-03-25'])
    // The answer holds for the next file.
    expect(days(await replace(OPEN))).toEqual(['2026-02-01', '2026-04-03'])
  })

  test('the order of dates of published data is asked about when a column that was read with the day first shows the month first', async () => {
    const replace = await begin('Unidade;Dia\nA;01/02/2026\nB;05/06/2026')
    const next = 'Unidade;Dia\nA;01/02/2026\nB;03/25/2026'
    expect((await replace(next)).faults).toEqual([
      `novo.csv: a coluna Dia tem o mês antes do dia, e os dados publicados, o dia antes do mês. ${CHOOSE}`,
    ])
    expect(days(await replace(next, { dateOrder: 'monthFirst' }))).toEqual(['2026-01-02'])
  })
})

import { describe, expect, test } from 'vitest'
import { useDrafts } from '../../../../test/draft-calls.ts'
import { type TestCell, workbookOf } from '../../../../test/workbooks.ts'

/* What is true of the texts and rows of a CSV is true of those of a sheet. */

const drafts = useDrafts()

const read = async (rows: TestCell[][], choices: object = {}, formats: string[] = []) => {
  const id = await drafts.draft(workbookOf({ sheets: [{ rows }], formats }), 'Pesos.xlsx')
  return { id, ...(await drafts.call(`${id}/read`, { reportName: 'Pesos', ...choices })) }
}
const checkOf = ({ id, report }: { id: string; report: object }) =>
  drafts.call(`${id}/check`, { workspace: { name: 'Área' }, report: JSON.stringify(report) })
const column = ({ preview }: { preview: (string | null)[][] }, index: number) =>
  preview.map((row) => Number(row[index]))

describe('the decimal mark of texts in a sheet', () => {
  const rows: TestCell[][] = [
    ['Unidade', 'Peso'],
    ['A', '3.250'],
    ['B', '2.980'],
  ]

  test('the decimal mark of texts in a sheet is asked where nothing decides it, before any publication', async () => {
    const first = await read(rows)
    expect(first).toMatchObject({ faults: [], isInDoubt: true, decimal: null })
    expect(first.columns[1]).toMatchObject({ type: 'number', fitsBothMarks: true })
    expect((await checkOf(first)).faults).toEqual([
      expect.stringMatching(
        /^Pesos\.xlsx: a coluna Peso pode ser lida de duas formas: "3\.250" é 3\.250 ou 3,25\./,
      ),
    ])
    const chosen = await drafts.call(`${first.id}/read`, { reportName: 'Pesos', decimal: '.' })
    expect(chosen).toMatchObject({ isInDoubt: false, decimal: '.' })
    expect(column(chosen, 1)).toEqual([3.25, 2.98])
    expect((await checkOf({ ...first, ...chosen })).faults).toEqual([])
  })

  test.each([
    ['commas', '0,5', ',', 3250],
    ['points', '12.5', '.', 3.25],
  ])(
    'the decimal mark of texts in a sheet is decided by other texts with %s',
    async (_name, text, decimal, value) => {
      const found = await read(rows.map((row, index) => [...row, index === 0 ? 'Taxa' : text]))
      expect(found).toMatchObject({ faults: [], isInDoubt: false, decimal })
      expect(column(found, 1)[0]).toBe(value)
    },
  )

  test('the decimal mark of texts in a sheet is not decided by numbers, whose cells have no mark, nor by the commas that show them', async () => {
    const numbers = await read(rows.map((row, index) => [...row, index === 0 ? 'Taxa' : index + 0.5]))
    expect(numbers).toMatchObject({ isInDoubt: true, decimal: null })
    const mixed: TestCell[] = ['Taxa', 1.5, '12']
    const found = await read(rows.map((row, index) => [...row, mixed[index] ?? null]))
    expect(found).toMatchObject({ isInDoubt: true, decimal: null })
    expect(column(found, 2)).toEqual([1.5, 12])
  })

  test('the decimal mark of texts in a sheet never changes the number of a cell beside texts', async () => {
    const mixed: TestCell[] = ['Taxa', 1.234, '2.500']
    for (const decimal of [',', '.']) {
      const found = await read(
        rows.map((row, index) => [...row, mixed[index] ?? null]),
        { decimal },
      )
      expect(column(found, 2)).toEqual([1.234, 2500])
    }
    // A number that was typed before the cell became text.
    const typed: TestCell[] = [
      { value: 1.234, style: 1 },
      { value: 2.5, style: 1 },
    ]
    const asText = await read([['Taxa', 'Peso'], ...typed.map((cell): TestCell[] => [cell, '12.5'])], {}, [
      '@',
    ])
    expect(column(asText, 0)).toEqual([1.234, 2.5])
  })
})

describe('amounts in another currency', () => {
  const styled = (value: number, style: number) => ({ value, style })
  const formats = ['"R$" #,##0.00', '[$US$-409] #,##0.00']
  const columnsOf = (found: { columns: { type: string; shownAs?: string }[] }) =>
    found.columns.slice(1).map(({ type, shownAs }) => [type, shownAs])
  const formatOf = (found: { report: { pages: { visuals: { type: string; format?: object }[] }[] } }) =>
    found.report.pages[0]?.visuals.find(({ type }) => type === 'table')?.format

  test('amounts in another currency are numbers without a currency, and a sentence says so', async () => {
    const found = await read(
      [
        ['Item', 'Valor'],
        ['A', styled(10.5, 2)],
        ['B', styled(20, 2)],
      ],
      {},
      formats,
    )
    expect(columnsOf(found)).toEqual([['number', 'foreign']])
    expect(found.remarks).toContain(
      'Pesos.xlsx: a coluna Valor tem valores em outra moeda que o real, e fica como número, sem moeda',
    )
    expect(formatOf(found)).toEqual({})
  })

  test('amounts in another currency are not mixed with reais without a word', async () => {
    const found = await read(
      [
        ['Item', 'Valor'],
        ['A', styled(10.5, 1)],
        ['B', styled(20, 2)],
      ],
      {},
      formats,
    )
    expect(columnsOf(found)).toEqual([['number', 'foreign']])
    expect(found.remarks).toContain(
      'Pesos.xlsx: a coluna Valor mistura valores em R$ (desde B2) e valores em outra moeda (desde B3), e fica como número, sem moeda: as somas juntam moedas diferentes',
    )
  })
})

describe('rows of a sheet that are no values', () => {
  const rows: TestCell[][] = [
    ['Produção de março'],
    [null],
    ['Unidade', 'Valor'],
    ['A', 10],
    ['B', 20],
    [null],
    ['C', 30],
  ]

  test('rows of a sheet that are no values are rows of totals, which the author may leave out', async () => {
    const withTotal = [...rows, ['Total', 60]] satisfies TestCell[][]
    const found = await read(withTotal)
    expect(found).toMatchObject({ faults: [], rows: 4, totals: 1, withoutTotals: false })
    expect(found.remarks).toContain('Pesos.xlsx: a linha 8 parece um total: as somas a contam de novo')
    const left = await read(withTotal, { withoutTotals: true })
    expect(left).toMatchObject({ rows: 3, totals: 1, withoutTotals: true })
    expect(left.remarks).toContain('Pesos.xlsx: a linha 8 parece um total e fica de fora')
  })

  test('rows of a sheet that are no values are rows of subtotals with a name, and of a grand total with one', async () => {
    const totals: TestCell[][] = [
      ['Subtotal Norte', 60],
      ['SUB-TOTAL: Sul', 60],
      ['Total geral de março', 120],
      ['Totalmed', 5],
      ['Total Saúde', 7],
    ]
    const found = await read([...rows, ...rows.slice(3, 5), ...rows.slice(3, 5), ...totals])
    expect(found).toMatchObject({ faults: [], rows: 12, totals: 3 })
  })

  test('rows of a sheet that are no values are notes below the table, which leave their column as it is', async () => {
    const years = rows.map((row, index) =>
      index < 3 || row.length === 1 ? row : [2020 + index, row[1] ?? null],
    )
    const found = await read([...years, [null], ['Fonte: ANS'], [null], ['Notas: provisório']])
    expect(found).toMatchObject({ faults: [], rows: 3 })
    expect(found.columns[0]).toMatchObject({ type: 'integer' })
    expect(found.remarks.at(-1)).toBe(
      'Pesos.xlsx: as linhas 9 a 11, abaixo da tabela, são notas e ficam de fora',
    )
  })

  test('rows of a sheet that are no values are named by their row in the sheet, as are accounting notations', async () => {
    const found = await read([
      ['Título'],
      [null],
      ['Unidade', 'Valor'],
      ['A', '1.234,56'],
      [null],
      ['B', '(2,50)'],
    ])
    expect(column(found, 1)).toEqual([1234.56, -2.5])
    expect(found.remarks.at(-1)).toBe(
      'Pesos.xlsx: coluna Valor: 1 valor entre parênteses ou com o sinal no fim ("(2,50)") é negativo, na linha 6',
    )
  })
})

describe('texts of a sheet', () => {
  test('texts of a sheet are telephones and durations as in a CSV, below a row of units', async () => {
    const found = await read([
      ['Contato', 'Receita', 'Cobertura', 'Jornada'],
      [null, 'R$ mil', '%', null],
      ['+5511999998888', 1234.5, 8, '25:30'],
      ['+551133334444', 980, 9, '8:30'],
    ])
    expect(found).toMatchObject({ faults: [], rows: 2, isInDoubt: false })
    expect(found.columns.map(({ type }: { type: string }) => type)).toEqual([
      'text',
      'number',
      'integer',
      'number',
    ])
    expect(found.preview).toEqual([
      ['+5511999998888', '1234.5', '8', '25.5'],
      ['+551133334444', '980.0', '9', '8.5'],
    ])
    expect(found.remarks).toEqual([
      'Pesos.xlsx: a linha 2 tem as unidades das colunas (R$ mil e %) e fica de fora',
      'Pesos.xlsx: a coluna Jornada tem durações, que viram números de horas: 8:30 vira 8,5',
    ])
  })
})

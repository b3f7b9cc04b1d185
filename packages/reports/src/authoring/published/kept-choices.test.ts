import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import { type Begun, replacingCalls } from '../../../test/replacing.ts'
import { type TestCell, type TestSheet, workbookOf } from '../../../test/workbooks.ts'

/* What was chosen for a file holds for the files after it, of whatever kind they are. */

/** Several publications, each of which checks the report on its data. */
const LONG = { timeout: 120_000 }

let begun: Begun
beforeAll(async () => {
  const service = await startService()
  await service.loaded
  begun = await replacingCalls(service)
})
afterAll(() => begun.service.stop())

type File = { bytes: string | Buffer; name: string }
const csv = (...lines: string[]): File => ({ bytes: lines.join('\n'), name: 'novo.csv' })
const parquet = async (select: string): Promise<File> => ({
  bytes: Buffer.from(await parquetOf(select)),
  name: 'novo.parquet',
})
const xlsx = (...sheets: TestSheet[]): File => ({ bytes: workbookOf({ sheets }), name: 'novo.xlsx' })

/** Publishes a file, and returns the call that checks or replaces its rows. */
const publish = async ({ bytes, name }: File, choices: object = {}) => {
  const { post, draft, replace } = begun
  const id = await draft(bytes, name.replace('novo', 'Pesos'))
  const read = (await post(`/drafts/${id}/read`, { reportName: 'Pesos', ...choices })).json()
  expect([read.faults ?? read, read.isInDoubt]).toEqual([[], false])
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(read.report), author: 'Ana' }
  const { faults, reportId } = (await post(`/drafts/${id}/publish`, body)).json()
  expect(faults).toEqual([])
  return async (next: File, how: object = {}, what: '' | '/check' = '') =>
    (await replace(reportId, await draft(next.bytes, next.name), 'Pesos', what, how)).json()
}

const SELECT = `SELECT 'A' AS Unidade, 3.25::DOUBLE AS Peso UNION ALL SELECT 'B', 1.5`
const WEIGHTS = csv('Unidade;Peso', 'A;3.250', 'B;1.500')
const IN_DOUBT = { faults: [expect.stringContaining('pode ser lida de duas formas')] }

describe('the decimal mark', () => {
  test('the decimal mark is asked of a CSV that replaces a Parquet', LONG, async () => {
    const replace = await publish(await parquet(SELECT))
    expect(await replace(WEIGHTS)).toMatchObject(IN_DOUBT)
    expect(await replace(csv('Unidade;Peso;Taxa', 'A;3.250;12.5', 'B;1.500;0.5'))).toMatchObject({
      faults: [],
      reading: { decimal: '.' },
      preview: [
        ['A', '3.25', '12.5'],
        ['B', '1.5', '0.5'],
      ],
    })
  })

  test('the decimal mark that was chosen for a CSV holds after a Parquet', LONG, async () => {
    const replace = await publish(WEIGHTS, { decimal: '.' })
    expect(await replace(await parquet(SELECT))).toMatchObject({ faults: [] })
    expect(await replace(WEIGHTS)).toMatchObject({ faults: [], reading: { decimal: '.' } })
  })

  test('the decimal mark is asked again when later data shows both', LONG, async () => {
    const both = csv('Unidade;Peso;Taxa;Custo', 'A;3.250;0.5;R$ 1.200,50', 'B;1.500;0.25;R$ 10,00')
    const replace = await publish(csv('Unidade;Peso', 'A;0,5', 'B;12,75'))
    const asked = await replace(both)
    expect(asked).toMatchObject({ ...IN_DOUBT, reading: { isInDoubt: true } })
    // The answer holds for files that show both again.
    expect(await replace(both, { decimal: '.' })).toMatchObject({ faults: [] })
    expect(await replace(both)).toMatchObject({ faults: [], reading: { decimal: '.' } })
  })

  test.each([
    ['without a mark', csv('Unidade;Peso;Taxa;Custo', 'A;3;1;R$ 5', 'B;1;2;R$ 7')],
    ['that shows none', csv('Unidade;Peso;Taxa;Custo', 'A;3.250;1;R$ 5', 'B;1.125;2;R$ 7')],
    ['that shows one', csv('Unidade;Peso;Taxa;Custo', 'A;3.250;0.5;R$ 5', 'B;1.125;0.25;R$ 7')],
  ])('the decimal mark that was answered for both holds after a file %s', LONG, async (_name, other) => {
    const both = csv('Unidade;Peso;Taxa;Custo', 'A;3.250;0.5;R$ 1.200,50', 'B;1.500;0.25;R$ 10,00')
    const replace = await publish(both, { decimal: '.' })
    expect(await replace(other, { quotesData: false })).toMatchObject({ faults: [] })
    expect(await replace(both, { quotesData: false })).toMatchObject({
      faults: [],
      reading: { decimal: '.' },
    })
  })

  test('the decimal mark in doubt is answered once in Substituir dados, says a schedule', LONG, async () => {
    const replace = await publish(await parquet(SELECT))
    const { faults } = await replace(WEIGHTS, { quotesData: false })
    expect(faults).toEqual([
      'novo.csv: a coluna Peso pode ser lida de duas formas. Envie este arquivo uma vez em Substituir dados e diga se vale a vírgula decimal ou o ponto decimal; as trocas seguintes, também as agendadas, usam a resposta',
    ])
  })

  test('the decimal mark and the order of dates in doubt are answered there too', LONG, async () => {
    const replace = await publish(csv('Unidade;Dia', 'A;25/03/2026', 'B;01/02/2026'))
    const { faults } = await replace(csv('Unidade;Dia', 'A;03/25/2026', 'B;01/02/2026'), {
      quotesData: false,
    })
    expect(faults).toEqual([
      'novo.csv: a coluna Dia tem o mês antes do dia, e os dados publicados, o dia antes do mês. Envie este arquivo uma vez em Substituir dados e diga se nas datas vem antes o dia ou o mês; as trocas seguintes, também as agendadas, usam a resposta',
    ])
  })
})

describe('the order of dates', () => {
  test.each([
    ['without dates', csv('Unidade;Dia;Entrega;Baixa', 'A;;;', 'B;;;')],
    ['that shows one', csv('Unidade;Dia;Entrega;Baixa', 'A;01/02/2026;03/25/2026;', 'B;05/06/2026;;')],
  ])('the order of dates that was answered for both holds after a file %s', LONG, async (_name, other) => {
    const both = csv('Unidade;Dia;Entrega;Baixa', 'A;01/02/2026;03/25/2026;25/03/2026', 'B;05/06/2026;;')
    const replace = await publish(both, { dateOrder: 'monthFirst' })
    expect(await replace(other, { quotesData: false })).toMatchObject({ faults: [] })
    expect(await replace(both, { quotesData: false })).toMatchObject({
      faults: [],
      reading: { dateOrder: 'monthFirst' },
    })
  })
})

describe('the sheet', () => {
  const sheet = (name: string, ...values: number[]): TestSheet => ({
    name,
    rows: [['Unidade', 'Peso'], ...values.map((value, index): TestCell[] => [`U${index}`, value])],
  })
  const years = xlsx(sheet('2025', 1.5, 2.5), sheet('2026', 10.5, 20.5, 30.5))

  test('the sheet that was chosen holds after files of other kinds', LONG, async () => {
    const replace = await publish(years, { sheet: '2026' })
    for (const other of [csv('Unidade;Peso', 'A;1,5'), await parquet(SELECT)]) {
      expect(await replace(other)).toMatchObject({ faults: [] })
      expect(await replace(years, { quotesData: false })).toMatchObject({ faults: [], rows: 3 })
    }
  })

  test('the sheet is asked where no sheet was chosen and several have the columns', LONG, async () => {
    const replace = await publish(csv('Unidade;Peso', 'A;1,5', 'B;2,5'))
    const asked = await replace(years)
    expect(asked.faults).toEqual([
      'novo.xlsx: as abas 2025 e 2026 têm as colunas do relatório: escolha uma, ou deixe só uma na planilha',
    ])
    expect(asked.choice).toMatchObject({ sheets: ['2025', '2026'], sheet: '2025' })
    expect((await replace(years, { quotesData: false })).faults).toEqual([
      'novo.xlsx: as abas 2025 e 2026 têm as colunas do relatório: envie este arquivo uma vez em Substituir dados e escolha uma, que as trocas seguintes usam, ou deixe só uma na planilha',
    ])
    expect(await replace(years, { sheet: '2026' })).toMatchObject({ faults: [], rows: 3 })
    expect(await replace(years, { quotesData: false })).toMatchObject({ faults: [], rows: 3 })
  })
})

describe('the heading of a replacement', () => {
  const titled = csv('Relatório;2026', 'Unidade;Peso', 'A;1,5', 'B;2,5')
  const plain = csv('Unidade;Peso', 'A;1,5', 'B;2,5', 'C;3,5')
  const sheets: TestCell[][] = [
    ['Unidade', 'Peso'],
    ['A', 1.5],
  ]

  test(
    'the heading of a replacement is the row with the columns of the table, which the page shows',
    LONG,
    async () => {
      const replace = await publish(titled, { heading: { first: 2, count: 1 } })
      const at = (first: number, rows: number) => ({
        faults: [],
        rows,
        choice: { heading: { first, count: 1 } },
      })
      expect(await replace(plain)).toMatchObject(at(1, 3))
      expect(await replace(csv('Ano;2026', 'Mês;3', 'Peso;Unidade', '1,5;A'))).toMatchObject(at(3, 1))
      for (const other of [xlsx({ rows: sheets }), await parquet(SELECT)])
        expect(await replace(other)).toMatchObject({ faults: [] })
      expect(await replace(titled, { quotesData: false })).toMatchObject({ faults: [], rows: 2 })
    },
  )

  test(
    'the heading of a replacement is the row that a person chooses, whatever the columns are',
    LONG,
    async () => {
      const replace = await publish(plain)
      const twice = csv('Unidade;Peso', 'A;1,5', 'Unidade;Peso', 'B;2,5')
      expect(await replace(twice, { heading: { first: 3, count: 1 } }, '/check')).toMatchObject({
        faults: [],
        rows: 1,
        choice: { heading: { first: 3, count: 1 } },
      })
      expect(await replace(plain, { heading: { first: 2, count: 1 } }, '/check')).toMatchObject({
        faults: ['novo.csv: faltam as colunas Unidade e Peso; no arquivo há a mais: A e 1,5'],
        choice: { heading: { first: 2, count: 1 } },
      })
    },
  )

  test(
    'the heading of a replacement is none again after a file without one, of whatever kind',
    LONG,
    async () => {
      const none = csv('A;1,5', 'B;2,5')
      const replace = await publish(none, { heading: { first: 1, count: 0 } })
      expect(await replace(none, { quotesData: false })).toMatchObject({ faults: [], rows: 2 })
      const rows: TestCell[][] = [
        ['A', 1.5],
        ['B', 2.5],
      ]
      expect(await replace(xlsx({ rows }))).toMatchObject({
        faults: [],
        rows: 2,
        choice: { heading: { first: 1, count: 0 } },
      })
      expect(await replace(none, {}, '/check')).toMatchObject({
        faults: [],
        rows: 2,
        choice: { heading: { first: 1, count: 0 } },
      })
      expect(await replace(csv('Coluna 1;Coluna 2', 'C;3,5'), {}, '/check')).toMatchObject({
        faults: [],
        rows: 1,
      })
    },
  )
})

describe('marks of missing values in a column of texts', () => {
  const rows = csv('Unidade;Peso;Bairro', 'A;1,5;Lapa', 'B;2,5;-', 'C;3,5;#N/D')
  const places = (preview: string[][]) => preview.map(([, , place]) => place)

  test(
    'marks of missing values in a column of texts become empty in the file and in those that replace it',
    LONG,
    async () => {
      const replace = await publish(rows)
      const next = await replace(rows, { quotesData: false })
      expect([next.faults, places(next.preview)]).toEqual([[], ['Lapa', null, null]])
      expect(next.remarks).toContain(
        'novo.csv: coluna Bairro: 2 valores sem dado ficaram vazios, o primeiro na linha 3',
      )
    },
  )

  test(
    'marks of missing values in a column of texts stay in the files that replace texts which may have them',
    LONG,
    async () => {
      const select = `SELECT *, '-' AS Bairro FROM (${SELECT})`
      const replace = await publish(await parquet(select))
      for (let time = 0; time < 2; time++) {
        const next = await replace(rows)
        expect([next.faults, places(next.preview)]).toEqual([[], ['Lapa', '-', '#N/D']])
      }
    },
  )
})

describe('signs in a column of texts', () => {
  const signs = (...values: string[]) =>
    csv('Unidade;Rh', ...values.map((value, row) => `${'AB'[row % 2]}${row};${value}`))
  const valuesOf = ({
    faults,
    preview,
    reading,
  }: {
    faults: string[]
    preview: string[][]
    reading: object
  }) => ({
    faults,
    reading,
    values: preview.map(([, value]) => value),
  })

  test.each([
    ['a CSV', signs('-', '-')],
    [
      'a spreadsheet',
      xlsx({
        rows: [
          ['Unidade', 'Rh'],
          ['A0', '-'],
          ['B1', '-'],
        ],
      }),
    ],
  ])('signs in a column of texts stay values in %s with only dashes', LONG, async (_name, next) => {
    const replace = await publish(signs('+', '-', '+'))
    for (const _turn of [1, 2])
      expect(valuesOf(await replace(next))).toMatchObject({ faults: [], values: ['-', '-'] })
  })

  test('signs in a column of texts stay values after a Parquet that has them', LONG, async () => {
    const replace = await publish(signs('positivo', 'negativo'))
    const both = `SELECT 'A0' AS Unidade, '+' AS Rh UNION ALL SELECT 'B1', '-'`
    expect(await replace(await parquet(both))).toMatchObject({ faults: [] })
    expect(valuesOf(await replace(signs('-', '-'), {}, '/check')).values).toEqual(['-', '-'])
  })

  test('signs in a column of texts are not the dashes of a Parquet without a plus', LONG, async () => {
    const replace = await publish(csv('Unidade;Obs', 'A;-', 'B;bom'))
    const marks = `SELECT 'A' AS Unidade, '-' AS Obs UNION ALL SELECT 'B', 'bom'`
    expect(await replace(await parquet(marks))).toMatchObject({ faults: [] })
    const { preview } = await replace(csv('Unidade;Obs', 'A;-', 'B;bom'), {}, '/check')
    expect(preview.map(([, value]: string[]) => value)).toEqual([null, 'bom'])
  })

  test('signs in a column of texts do not keep the dashes of another column', LONG, async () => {
    const replace = await publish(csv('Unidade;Rh;Bairro', 'A;+;Lapa', 'B;-;-'))
    const { faults, preview } = await replace(csv('Unidade;Rh;Bairro', 'A;-;-', 'B;-;Lapa'))
    expect([faults, preview]).toEqual([
      [],
      [
        ['A', '-', null],
        ['B', '-', 'Lapa'],
      ],
    ])
  })
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestCell, workbookOf } from '../../../test/workbooks.ts'
import { notationsOf } from '../data/csv/csv-notations.ts'
import { isNumberText } from './merged-cells.ts'
import { readSheet } from './read-sheet.ts'

const LONG = { timeout: 120_000 }

const read = async (rows: TestCell[][], merged: string[], texts: string[] = []) => {
  const folder = await mkdtemp(join(tmpdir(), 'mescladas-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [file, csv] = [join(folder, 'enviado.xlsx'), join(folder, 'lido.csv')]
  await writeFile(file, workbookOf({ sheets: [{ rows, merged }] }))
  const forms = texts.map((name) => ({ name, form: 'shown' as const }))
  const answer = await readSheet({ file, csv, order: { texts: forms } })
  if ('fault' in answer) return { fault: answer.fault, lines: [], notices: [] }
  const lines = (await readFile(csv, 'utf8')).trimEnd().split('\n')
  return { fault: undefined, lines, notices: answer.sheet.notices }
}

test('texts of cells that are merged over several rows are repeated', LONG, async () => {
  const rows: TestCell[][] = [
    ['Região', 'Valor'],
    ['Norte', 10],
    [null, 20],
    [null, 30],
    ['Sul', 5],
    [null, 7],
    ['Leste', 1],
  ]
  const { lines, notices } = await read(rows, ['A2:A4', 'A5:A6'])
  expect(lines).toEqual(['Região;Valor', 'Norte;10', 'Norte;20', 'Norte;30', 'Sul;5', 'Sul;7', 'Leste;1'])
  expect(notices).toEqual(['na coluna Região, o valor de células mescladas foi repetido nas outras 3 linhas'])
})

test('amounts are not, since sums would count them again, nor cells merged over columns', LONG, async () => {
  const rows: TestCell[][] = [
    ['Região', 'Valor', 'Meta'],
    ['Norte', 10, 90],
    ['Sul', 20, null],
    ['Total', null, 90],
  ]
  const { lines, notices } = await read(rows, ['C2:C3', 'A4:B4'])
  expect(lines).toEqual(['Região;Valor;Meta', 'Norte;10;90', 'Sul;20;', 'Total;;90'])
  expect(notices).toEqual([
    'as células mescladas C2:C3 e A4:B4 têm o valor só na primeira: as outras ficaram vazias',
  ])
})

test('amounts as texts are not, beside texts or numbers', LONG, async () => {
  const amounts = [
    'R$ 1.000,00',
    '1.000,50',
    '1000',
    '-2',
    '(1.234,56)',
    '1.5',
    '8%',
    '0,5',
    '10 000',
    'R$ -',
  ]
  const emptyRow = (name: string): TestCell[] => [name, ...amounts.map(() => null)]
  const rows: TestCell[][] = [
    ['UF', ...amounts.map((_amount, index) => `Valor ${index}`)],
    ['SP', ...amounts],
    emptyRow('RJ'),
    emptyRow('MG'),
    ['ES', ...amounts.map((_amount, index) => (index % 2 ? 10 : '10,00'))],
  ]
  const merged = amounts.map((_amount, index) => `${'BCDEFGHIJK'[index]}2:${'BCDEFGHIJK'[index]}4`)
  const { lines, notices } = await read(rows, merged)
  const unquoted = lines.slice(1, 4).map((line) => line.replaceAll('"', ''))
  expect(unquoted).toEqual([`SP;${amounts.join(';')}`, 'RJ;;;;;;;;;;', 'MG;;;;;;;;;;'])
  expect(notices).toContain(
    'as células mescladas B2:B4, C2:C4, D2:D4, E2:E4, F2:F4, G2:G4, H2:H4, I2:I4, J2:J4 e K2:K4 têm o valor só na primeira: as outras ficaram vazias',
  )
})

test('texts that are no amounts are repeated', LONG, async () => {
  const texts = ['00123', '12.11.2026', '1.1.1', '12E3', '1'.repeat(44), '05/03/2026', '-', 'A-1', '08:30']
  const rows: TestCell[][] = [
    [...texts.map((_text, index) => `Código ${index}`), 'Valor'],
    [...texts, 10],
    [...texts.map(() => null), 20],
  ]
  const merged = texts.map((_text, index) => `${'ABCDEFGHI'[index]}2:${'ABCDEFGHI'[index]}3`)
  const { lines } = await read(rows, merged)
  expect(lines.slice(1)).toEqual([`${texts.join(';')};10`, `${texts.join(';')};20`])
})

test('the same texts look like numbers as in a CSV', () => {
  const all = (['plain', 'accounting', 'wide'] as const).flatMap((reach) =>
    notationsOf(reach, { first: ',', bigIntegers: false }),
  )
  const matches = all.flatMap(({ type, reach, match }) =>
    reach !== 'wide' && (type === 'integer' || type === 'number')
      ? [new RegExp(`^(?:${match.replaceAll(/\\x\{(\w+)\}/g, '\\u{$1}')})$`, 'u')]
      : [],
  )
  const numbers = ['0', '1', '12', '1234', '1.234', '1,234', '1.234,5', '1,234.5', '0,5', ',5', '10 237,65']
  const forms = [
    '%s',
    '-%s',
    '%s-',
    '(%s)',
    '+ %s',
    'R$ %s',
    'R$\u00A0%s',
    '-R$ %s',
    'R$ -%s',
    '(R$ %s)',
    '%s%',
    '%s %',
  ]
  const others = [
    '',
    '-',
    'R$ -',
    '007',
    '1.1.1',
    '12E3',
    '1.5E3',
    '1E-5',
    '12.11.2026',
    '1'.repeat(15),
    '1'.repeat(16),
  ]
  const written = forms.flatMap((form) => numbers.map((number) => form.replace('%s', number)))
  for (const text of [...written, ...others])
    expect([text, isNumberText(text)]).toEqual([text, matches.some((one) => one.test(text))])
})

test('numbers as texts are repeated in a column whose type is text', LONG, async () => {
  const rows: TestCell[][] = [
    ['Conta', 'Valor'],
    ['1.1', 10],
    [null, 20],
    [7, 30],
    [null, 40],
  ]
  const { lines } = await read(rows, ['A2:A3', 'A4:A5'], ['Conta'])
  expect(lines).toEqual(['Conta;Valor', '1.1;10', '1.1;20', '7;30', ';40'])
})

test('rows without any value of their own are made up by none', LONG, async () => {
  const rows: TestCell[][] = [
    ['Região', 'Valor'],
    ['Norte', 10],
    [null, null],
    ['Sul', 20],
  ]
  expect((await read(rows, ['A2:A3', 'A1:B1'])).lines).toEqual(['Região;Valor', 'Norte;10', 'Sul;20'])
})

describe('a sheet of a report generator, which merges each cell over columns of its layout', () => {
  const rows: TestCell[][] = [
    ['Custo', null, 'Quando', null],
    ['Região', 'Valor', 'Mês', 'Dia'],
    ['Norte', 10, 'jan', 1],
    ['Sul', null, 'fev', 2],
    ['Leste', 30, null, 3],
  ]
  /** More ranges than a sheet may have of those that are repeated. */
  const across = (first: number) => Array.from({ length: 100_010 }, (_, n) => `A${first + n}:B${first + n}`)

  test(
    'a sheet of a report generator, which merges each cell over columns of its layout is read, with its groups of headings and the texts that are repeated',
    LONG,
    async () => {
      const merged = [...across(4), 'C4:C5', 'A1:B1', 'C1:D1']
      const { fault, lines, notices } = await read(rows, merged)
      expect(fault).toBeUndefined()
      expect(lines).toEqual([
        'Custo · Região;Custo · Valor;Quando · Mês;Quando · Dia',
        'Norte;10;jan;1',
        'Sul;;fev;2',
        'Leste;30;fev;3',
      ])
      expect(notices).toEqual([
        'o cabeçalho são as linhas 1 e 2',
        'na coluna Quando · Mês, o valor de células mescladas foi repetido na outra linha',
        'as células mescladas A4:B4, A5:B5 e outras têm o valor só na primeira: as outras ficaram vazias',
      ])
    },
  )

  test(
    'a sheet of a report generator, which merges each cell over columns of its layout is refused with more ranges over rows than are repeated',
    LONG,
    async () => {
      const down = Array.from({ length: 100_001 }, (_, n) => `A${3 + n * 2}:A${4 + n * 2}`)
      expect((await read(rows, down)).fault).toBe(
        'tem mais de 100.000 grupos de células mescladas em várias linhas',
      )
    },
  )
})

test('the cells that stay empty are counted', LONG, async () => {
  const rows: TestCell[][] = [
    ['A', 'B', 'C'],
    ...Array.from({ length: 1_200 }, (): TestCell[] => ['x', null, 1]),
  ]
  const merged = Array.from({ length: 1_200 }, (_, n) => `A${n + 2}:B${n + 2}`)
  const { notices } = await read(rows, merged)
  expect(notices).toEqual([
    expect.stringMatching(/^as células mescladas A2:B2, .* A11:B11 e mais 1\.190 têm /),
  ])
})

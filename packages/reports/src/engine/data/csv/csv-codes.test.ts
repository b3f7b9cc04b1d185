import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CsvType } from '../../../definitions/definition.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { copyCsv, type DraftOptions } from './read-csv.ts'

/* Values that look like numbers, days or truth values, and may be something else. */

let dir = ''
let database: Database
let tables = 0
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'codigos-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 60_000 })
}, 300_000)
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})

/** Reads a draft; `first` has the texts of the first column, and `second` the numbers of the second. */
const read = async (
  lines: string[],
  types: Record<string, CsvType> = {},
  how: Partial<DraftOptions> = {},
) => {
  const table = `t${++tables}`
  const file = join(dir, `${table}.csv`)
  await writeFile(file, lines.join('\n'))
  const notices: string[] = []
  const { columns, decimal, evidence, doubts } = await copyCsv(
    database,
    file,
    table,
    {},
    {
      notice: (sentence) => notices.push(sentence),
      quotesData: true,
      draft: { typesOf: () => types, ...how },
    },
  )
  const list = columns.map(({ name }) => `"${name}"::VARCHAR`).join(', ')
  const rows = await database.load(`SELECT ${list} FROM ${table}`)
  const [type] = columns.map((column) => column.type)
  const [first, second] = [rows.map(([text]) => text), rows.map(([, text]) => Number(text))]
  return { type, decimal, evidence, doubt: doubts.mark, notices, first, second }
}
const DOUBT = expect.stringContaining('pode ser lida de duas formas')

describe('codes with points', { timeout: 120_000 }, () => {
  test.each(['conta', 'plano'])(
    'codes with points stay text, and decide no decimal mark (%s)',
    async (heading) => {
      const lines = [`${heading};valor`, '1.1;3.250', '1.2;12.500', '1.10;1.100']
      expect(await read(lines)).toMatchObject({
        type: 'text',
        first: ['1.1', '1.2', '1.10'],
        evidence: 'none',
        doubt: DOUBT,
        notices: [
          `a coluna ${heading} fica como texto: "1.1" e "1.10" seriam um só número. Se são valores, escolha Número`,
        ],
      })
      expect(await read(lines, {}, { decimal: ',' })).toMatchObject({ decimal: ',', doubt: undefined })
    },
  )

  test('codes with points stay text by their heading before two of them are one number', async () => {
    expect(await read(['Código;valor', '1.1;3', '1.2;4'])).toMatchObject({
      type: 'text',
      notices: ['a coluna Código fica como texto: "1.1" parece um código. Se são valores, escolha Número'],
    })
    // Other columns are in English.
    expect(await read(['Item,valor', '1.1,3.25', '1.10,2.5'])).toMatchObject({
      type: 'text',
      first: ['1.1', '1.10'],
      evidence: '.',
    })
  })

  test.each([
    ['Código', ['1.1', '1.10', '1.01']],
    ['Cod. conta', ['3.1', '3.10', '3.100']],
    ['Conta', ['1.1', '1.10', '1.01']],
    ['Código', ['1,1', '1,10', '2,5']],
    ['plano', ['1.0', '1.1', '1.10', '1.2']],
  ])(
    'codes with points stay text where two of them are one number, whatever the others are (%s %j)',
    async (heading, codes) => {
      const found = await read([`${heading};v`, ...codes.map((code) => `${code};1`)])
      expect(found).toMatchObject({ type: 'text', first: codes, evidence: 'none' })
      expect(found.notices).toEqual([
        expect.stringMatching(`^a coluna ${heading} fica como texto: ".*" e ".*" seriam um só número`),
      ])
    },
  )

  test.each(['1.1.1;7.500', '1.6;7.500', '1.A;7.500'])(
    'codes with points decide no mark where they may be numbers, or where others make the column text (%s)',
    async (last) => {
      const lines = ['x;valor', '1.1;3.250', '1.2;2.100', '1.3;5.125', '1.4;2.250', last]
      expect(await read(lines)).toMatchObject({ decimal: null, doubt: DOUBT })
    },
  )

  test('codes with points decide no mark by their heading', async () => {
    const lines = ['Item;valor', '1.3;3.250', '2.7;2.100', '4.9;5.125']
    expect(await read(lines)).toMatchObject({ type: 'number', decimal: null, doubt: DOUBT })
  })

  test('codes with points of a new column are asked about where they contradict the published data', async () => {
    const lines = ['x;valor', '1.1;3.250', '1.2;2.100', '1.3;5.125']
    const kept = (decimal: ',' | '.', evidence: ',' | '.' | 'none') => ({
      isReplacement: true,
      kept: { mark: { decimal, evidence } },
    })
    expect(await read(lines, {}, kept(',', ','))).toMatchObject({ decimal: null, doubt: DOUBT })
    expect(await read(lines, {}, kept('.', 'none'))).toMatchObject({ decimal: '.', doubt: undefined })
    // The answer for such a file holds.
    const { evidence } = await read(lines, {}, { decimal: ',' })
    expect(evidence).toBe('.')
    expect(await read(lines, {}, kept(',', evidence as '.'))).toMatchObject({
      decimal: ',',
      doubt: undefined,
    })
    // Another column shows the mark of the published data.
    const shown = lines.map((line, index) => `${line};${index === 0 ? 'taxa' : '0,5'}`)
    expect(await read(shown, {}, kept(',', ','))).toMatchObject({ decimal: ',', doubt: undefined })
  })

  test('codes with points are named where they become one number', async () => {
    const notices = [
      'a coluna x tem textos diferentes que são o mesmo número: "1.1" e "1.10". Se são códigos, escolha Texto',
    ]
    expect(await read(['x,valor', '1.1,3.25', '1.2,0.5', '1.10,2.5'])).toMatchObject({
      type: 'number',
      notices,
    })
    // The type of a published column stays.
    expect(await read(['x;valor', '1.1;3', '1.2;5', '1.10;2'], { x: 'number' })).toMatchObject({
      type: 'number',
      notices,
    })
  })

  test.each([
    ['with commas', ['1,5', '1,50', '2,75'], ','],
    ['with points', ['1.5', '1.50', '2.75'], '.'],
    ['below one', ['0.1', '0.10', '0.2'], '.'],
    ['of hundreds', ['100.1', '100.10', '100.2'], '.'],
  ])('codes with points are not values %s that somebody typed', async (_what, values, mark) => {
    const lines = ['peso;valor', ...values.map((value) => `${value};3.250`)]
    expect(await read(lines)).toMatchObject({ type: 'number', decimal: mark, evidence: mark, notices: [] })
  })

  test.each(['Nível (m)', 'Conta de luz', 'Item', 'Natureza', 'altura'])(
    'codes with points are not values under a heading that codes have too (%s)',
    async (heading) => {
      const lines = [`${heading};v`, '1.5;1', '2.3;1', '3.1;1']
      expect(await read(lines)).toMatchObject({ type: 'number', first: ['1.5', '2.3', '3.1'], notices: [] })
    },
  )
})

describe('the decimal mark of values that look like codes', { timeout: 120_000 }, () => {
  const lines = ['nota;peso', '1.5;3.250', '2.3;1.125', '3.1;2.500']
  const dense = ['nota;peso', '1.1;3.250', '1.2;1.125', '1.3;2.500']
  const kept = { isReplacement: true, kept: { mark: { decimal: ',', evidence: ',' } } } as const

  test.each([lines, dense])(
    'the decimal mark of values that look like codes is shown by a published column of numbers (%s, %s)',
    async (...file) => {
      const types = { nota: 'number', peso: 'number' } as const
      expect(await read(file, types, kept)).toMatchObject({ evidence: '.', decimal: null, doubt: DOUBT })
      expect(await read(file, types)).toMatchObject({ decimal: '.', second: [3.25, 1.125, 2.5] })
    },
  )

  test('the decimal mark of values that look like codes is shown by values that do not count from 1', async () => {
    expect(await read(lines)).toMatchObject({ decimal: '.', second: [3.25, 1.125, 2.5], doubt: undefined })
  })

  test('the decimal mark of values that look like codes is shown by a column in which one date with points makes the others text', async () => {
    const values = ['0.5', '1.75', '2.125', '3.4', '12.05.2026']
    expect(await read(['peso;valor', ...values.map((value) => `${value};3.250`)])).toMatchObject({
      type: 'text',
      decimal: '.',
      doubt: undefined,
    })
  })
})

describe('single letters', { timeout: 120_000 }, () => {
  test('single letters are truth values, of which a notice tells: they are also south and north', async () => {
    expect(await read(['Hemisfério;v', 'N;1', 'S;2'])).toMatchObject({
      type: 'boolean',
      first: ['false', 'true'],
      notices: [expect.stringContaining('2 valores de uma letra')],
    })
    expect(await read(['Hemisfério;v', 'N;1', 'S;2'], { Hemisfério: 'text' })).toMatchObject({
      type: 'text',
      first: ['N', 'S'],
      notices: [],
    })
  })
})

describe('a column of moments', { timeout: 120_000 }, () => {
  test.each([
    ['25/05/2026 10:30', '2026-05-25 10:30:00'],
    ['2026-05-25T10:30:15', '2026-05-25 10:30:15'],
  ])('a column of moments takes %s', async (text, moment) => {
    const column = await read(['Dia;v', `${text};1`], { Dia: 'timestamp' })
    expect(column).toMatchObject({ type: 'timestamp', first: [moment], notices: [] })
  })

  test.each(['05/05/2026', '2026-05-05'])(
    'a column of moments takes the day %s as its midnight, and says so',
    async (text) => {
      expect(await read(['Dia;v', `${text};1`], { Dia: 'timestamp' })).toMatchObject({
        type: 'timestamp',
        first: ['2026-05-05 00:00:00'],
        notices: [`coluna Dia: 1 valor sem hora ("${text}") é meia-noite, na linha 2`],
      })
    },
  )

  test('a column of moments takes days among moments', async () => {
    const lines = ['Dia;v', '05/05/2026;1', '25/05/2026 10:30;2']
    expect(await read(lines, { Dia: 'timestamp' })).toMatchObject({
      first: ['2026-05-05 00:00:00', '2026-05-25 10:30:00'],
      notices: ['coluna Dia: 1 valor sem hora ("05/05/2026") é meia-noite, na linha 2'],
    })
  })
})

describe('numbers with a plus', { timeout: 120_000 }, () => {
  test.each([
    ['without marks', '+5511999998888', '+551133334444'],
    ['with spaces', '+351 912 345 678', '+351 213 456 789'],
    ['with points', '+351.912.345.678', '+351.213.456.789'],
    ['of eight digits', '+12345678', '+12345679'],
  ])(
    'numbers with a plus are telephones, which stay text with their plus (%s)',
    async (_name, one, other) => {
      const found = await read(['Contato;Qtd', `${one};1`, `${other};2`])
      expect(found).toMatchObject({ type: 'text', first: [one, other], doubt: undefined, notices: [] })
    },
  )

  test.each([
    ['+7', 7],
    ['+1234567', 1_234_567],
    ['+1.234.567,5', 1_234_567.5],
    ['+12345678,90', 12_345_678.9],
    ['+123.456.789', 123_456_789],
    ['+1 234', 1_234],
    ['+R$ 12345678', 12_345_678],
  ])(
    'numbers with a plus are amounts where they have few digits, decimals or R$ (%s)',
    async (text, number) => {
      const found = await read(['Variação;Taxa', `${text};0,5`, '-0,5;1,5'])
      expect(found).toMatchObject({ type: 'number', first: [number, -0.5].map((one) => one.toFixed(1)) })
    },
  )

  test('numbers with a plus are numbers by a choice, whatever they look like', async () => {
    const found = await read(['Contato;Qtd', '+5511999998888;1'], { Contato: 'number' })
    expect(found).toMatchObject({ type: 'number', first: ['5511999998888.0'] })
  })
})

describe('hours and minutes', { timeout: 120_000 }, () => {
  const DURATIONS = 'a coluna Jornada tem durações, que viram números de horas: 8:30 vira 8,5'

  test.each([
    [
      ['25:30', '8:30'],
      [25.5, 8.5],
    ],
    [
      ['08:30:00', '24:00:36', '-100:15'],
      [8.5, 24.01, -100.25],
    ],
    [
      ['8:30', '-', '160:20'],
      [8.5, null, 160 + 20 / 60],
    ],
  ])('hours and minutes are hours where one value has 24 of them or more (%j)', async (texts, hours) => {
    const found = await read(['Jornada;Qtd', ...texts.map((text, index) => `${text};${index}`)])
    expect(found.type).toBe('number')
    expect(found.first.map((one) => (one === null ? null : Number(one)))).toEqual(hours)
    expect(found.notices[0]).toBe(DURATIONS)
  })

  test('hours and minutes are hours by a value far below the sample, and by a choice', async () => {
    const rows = Array.from({ length: 25_000 }, (_, n) => `${n % 24}:15;${n}`)
    expect(await read(['Jornada;Qtd', ...rows, '30:00;1'])).toMatchObject({ type: 'number' })
    const chosen = await read(['Jornada;Qtd', '8:30;1', '23:59;2'], { Jornada: 'number' })
    expect(chosen).toMatchObject({ type: 'number', notices: [DURATIONS] })
    expect(Number(chosen.first[0])).toBe(8.5)
  })

  test.each([
    ['times of a day', ['8:30', '23:59']],
    ['times until the end of a day', ['08:00', '17:30', '24:00']],
    ['others', ['25:30', '8:75']],
    ['texts', ['25:30', 'folga']],
  ])('hours and minutes are texts of %s', async (_name, texts) => {
    const found = await read(['Jornada;Qtd', ...texts.map((text, index) => `${text};${index}`)])
    expect(found).toMatchObject({ type: 'text', first: texts })
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CsvType } from '../../../definitions/definition.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { copyCsv } from './read-csv.ts'

let dir = ''
let database: Database
let tables = 0
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'exact-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})

/** Reads values of a column V, as a draft or as a published folder. */
const read = async (
  values: string[],
  { types = {}, isDraft = true }: { types?: Record<string, CsvType>; isDraft?: boolean } = {},
) => {
  const [file, table] = [join(dir, 'dados.csv'), `t${++tables}`]
  await writeFile(file, ['Nome;V', ...values.map((value, row) => `n${row};${value}`)].join('\n'))
  const notices: string[] = []
  const { columns } = await copyCsv(
    database,
    file,
    table,
    { types },
    {
      notice: (sentence) => notices.push(sentence),
      quotesData: true,
      draft: isDraft ? { typesOf: () => types, decimal: ',' } : undefined,
    },
  )
  const [described = []] = await database.query(`SELECT column_type FROM (DESCRIBE SELECT V FROM ${table})`)
  const rows = await database.query(`SELECT V::VARCHAR FROM ${table}`)
  return { type: columns[1]?.type, sql: described[0], values: rows.map(([value]) => value), notices }
}

describe('copyCsv with amounts that a DOUBLE does not hold', () => {
  test.each([
    ['900000000000000,55', '900000000000000.55', '1.50'],
    ['999.999.999.999.999,99', '999999999999999.99', '1.50'],
    ['-R$ 900.000.000.000.000,55', '-900000000000000.55', '1.50'],
    ['(900.000.000.000.000,55)', '-900000000000000.55', '1.50'],
    ['12345678901,2345678', '12345678901.2345678', '1.5000000'],
  ])(
    'copyCsv with amounts that a DOUBLE does not hold keeps all digits of %s',
    async (text, exact, other) => {
      const found = await read([text, '1,5'])
      expect(found).toMatchObject({ type: 'number', values: [exact, other] })
      expect(found.sql).toMatch(/^DECIMAL\(38,\d\)$/)
      expect(found.notices.join()).not.toContain('arredond')
    },
  )

  test('copyCsv with amounts that a DOUBLE does not hold keeps them in a published folder, and by a chosen type', async () => {
    const amounts = ['900000000000000,55', '1,5']
    const exact = ['900000000000000.55', '1.50']
    expect((await read(amounts, { isDraft: false })).values).toEqual(exact)
    expect((await read(amounts, { types: { V: 'number' } })).values).toEqual(exact)
    const keys = ['12345678901234567890', '1']
    expect(await read(keys, { types: { V: 'number' } })).toMatchObject({ sql: 'DECIMAL(38,0)', values: keys })
  })

  test('copyCsv with amounts that a DOUBLE does not hold sums them exactly', async () => {
    await read(['900000000000000,55', '0,45', '-0,01'])
    expect(await database.query(`SELECT sum(V)::VARCHAR FROM t${tables}`)).toEqual([['900000000000000.99']])
  })
})

describe('copyCsv with measurements of too many digits', () => {
  test.each([
    ['-23,55051998765432109876', '-23.550519987654322'],
    ['33,33333333333333333333%', '0.333333333333333'],
    ['0,00000000123456789012345678', '1.23456789012345'],
  ])(
    'copyCsv with measurements of too many digits says that the last ones of %s are rounded',
    async (text, start) => {
      const { sql, values, notices } = await read([text.endsWith('%') ? '1,5%' : '1,5', text])
      expect([sql, String(values[1]).slice(0, start.length)]).toEqual(['DOUBLE', start])
      expect(notices).toEqual([
        `coluna V: 1 valor com mais de 15 algarismos ("${text}") ficou arredondado, na linha 3`,
      ])
    },
  )

  test('copyCsv with measurements of too many digits counts them, and says it of numbers with an exponent and of those too long for a decimal', async () => {
    const long = `${'1'.repeat(39)}`
    expect((await read([long, `${long}0`, '2'], { types: { V: 'number' } })).notices).toEqual([
      `coluna V: 2 valores com mais de 15 algarismos ("${long}") ficaram arredondados, o primeiro na linha 2`,
    ])
    const folder = await read(['1.23456789012345678E+5', '2.5'], { isDraft: false })
    expect([folder.sql, folder.notices.length]).toEqual(['DOUBLE', 1])
  })
})

describe('copyCsv with numbers that a DOUBLE holds', () => {
  test.each([
    ['prices', ['1.234,56', '-0,10'], ['1234.56', '-0.1']],
    ['coordinates', ['-23,5505199876543', '-46,6333'], ['-23.5505199876543', '-46.6333']],
    [
      'results of programs',
      ['0,30000000000000004', '33,333333333333336'],
      ['0.30000000000000004', '33.333333333333336'],
    ],
    ['zeros at both ends', ['0,00000000000000000000', '1,50000000000000000000'], ['0.0', '1.5']],
    ['the most digits', ['999999999999999', '0,5'], ['999999999999999.0', '0.5']],
  ])(
    'copyCsv with numbers that a DOUBLE holds reads %s as DOUBLE without a notice',
    async (_name, texts, values) => {
      expect(await read(texts)).toEqual({ type: 'number', sql: 'DOUBLE', values, notices: [] })
    },
  )
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { copyCsv } from './read-csv.ts'

let dir = ''
let database: Database
let tables = 0
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'missing-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
})
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})

/** Reads values of a column of texts T. */
const read = async (values: string[], { emptiesTexts = true, isKnown = false } = {}) => {
  const [file, table] = [join(dir, 'dados.csv'), `t${++tables}`]
  await writeFile(file, ['Nome;T', ...values.map((value, row) => `n${row};${value}`)].join('\n'))
  const notices: string[] = []
  await copyCsv(
    database,
    file,
    table,
    {},
    {
      notice: (sentence) => notices.push(sentence),
      quotesData: true,
      draft: { typesOf: () => ({}), emptiesTexts },
      known: isKnown ? new Map([['T', { type: 'text' }]]) : undefined,
    },
  )
  const rows = await database.query(`SELECT T FROM ${table}`)
  return { values: rows.map(([value]) => value), notices }
}

describe('copyCsv with marks of missing values in a column of texts', () => {
  test('copyCsv with marks of missing values in a column of texts empties them, and counts them with the line of the first', async () => {
    const texts = ['Curitiba', '-', '–', '...', 'N/D', '#N/D', '#REF!', 'Lapa']
    const found = {
      values: ['Curitiba', null, null, null, null, null, null, 'Lapa'],
      notices: ['coluna T: 6 valores sem dado ("-") ficaram vazios, o primeiro na linha 3'],
    }
    expect(await read(texts)).toEqual(found)
    // A column of codes in a spreadsheet.
    expect(await read(texts, { isKnown: true })).toEqual(found)
  })

  test('copyCsv with marks of missing values in a column of texts empties a column that has nothing else', async () => {
    expect(await read(['-', '#N/D'])).toEqual({
      values: [null, null],
      notices: ['coluna T: 2 valores sem dado ("-") ficaram vazios, o primeiro na linha 2'],
    })
  })

  test('copyCsv with marks of missing values in a column of texts keeps what may be a text', async () => {
    const texts = ['NA', 'S/N', 'nan', 'null', 'ND', 'A - B', '-x', 'casa']
    expect(await read(texts)).toEqual({ values: texts, notices: [] })
  })

  test('copyCsv with marks of missing values in a column of texts keeps the dashes of a column with plus signs', async () => {
    expect((await read(['+', '-', '...'])).values).toEqual(['+', '-', null])
  })

  test('copyCsv with marks of missing values in a column of texts keeps all of them where the published texts have them', async () => {
    const texts = ['Curitiba', '-', '#N/D']
    expect(await read(texts, { emptiesTexts: false })).toEqual({ values: texts, notices: [] })
  })
})

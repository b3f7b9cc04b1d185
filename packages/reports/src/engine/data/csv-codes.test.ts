import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CsvType } from '../definitions/definition.ts'
import { type Database, openDatabase } from './database.ts'
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

/** Reads a draft; `first` has the texts of the first column. */
async function read(lines: string[], types: Record<string, CsvType> = {}, how: Partial<DraftOptions> = {}) {
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
  const [name = ''] = columns.map((column) => column.name)
  const rows = await database.load(`SELECT "${name}"::VARCHAR FROM ${table}`)
  const [type, other] = columns.map((column) => column.type)
  return { type, other, decimal, evidence, doubt: doubts.mark, notices, first: rows.map(([text]) => text) }
}
const DOUBT = expect.stringContaining('pode ser lida de duas formas')

describe('codes with points', { timeout: 120_000 }, () => {
  it.each(['conta', 'plano'])('stay text, and decide no decimal mark (%s)', async (heading) => {
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
  })

  it('stay text by their heading before two of them are one number', async () => {
    expect(await read(['Conta;valor', '1.1;3', '1.2;4'])).toMatchObject({
      type: 'text',
      notices: ['a coluna Conta fica como texto: "1.1" parece um código. Se são valores, escolha Número'],
    })
    // Other columns are in English.
    expect(await read(['Item,valor', '1.1,3.25', '1.10,2.5'])).toMatchObject({
      type: 'text',
      first: ['1.1', '1.10'],
      evidence: '.',
    })
  })

  it('decide nothing, either, where deeper ones make the column text, or where they may be numbers', async () => {
    for (const last of ['1.1.1;7.500', '1.6;7.500'])
      expect(await read(['x;valor', '1.1;3.250', '1.2;2.100', '1.3;5.125', '1.4;2.250', last])).toMatchObject(
        { evidence: 'none', doubt: DOUBT },
      )
  })

  it('are named where they become one number', async () => {
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

  it.each([
    ['with commas', ['1,5', '1,50', '2,75'], ','],
    ['with points', ['1.5', '1.50', '2.75'], '.'],
    ['below one', ['0.1', '0.10', '0.2'], '.'],
    ['of hundreds', ['100.1', '100.10', '100.2'], '.'],
  ])('are not values %s that somebody typed', async (_what, values, mark) => {
    const lines = ['peso;valor', ...values.map((value) => `${value};3.250`)]
    expect(await read(lines)).toMatchObject({ type: 'number', decimal: mark, evidence: mark, notices: [] })
  })
})

describe('single letters', { timeout: 120_000 }, () => {
  it('are truth values, of which a notice tells: they are also south and north', async () => {
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
  it.each([
    ['05/05/2026', '2026-05-05 00:00:00'],
    ['2026-05-05', '2026-05-05 00:00:00'],
    ['25/05/2026 10:30', '2026-05-25 10:30:00'],
    ['2026-05-25T10:30:15', '2026-05-25 10:30:15'],
  ])('takes %s', async (text, moment) => {
    const read1 = await read(['Dia;v', `${text};1`], { Dia: 'timestamp' })
    expect(read1).toMatchObject({ type: 'timestamp', first: [moment], notices: [] })
  })

  it('takes days among moments', async () => {
    const lines = ['Dia;v', '05/05/2026;1', '25/05/2026 10:30;2']
    expect(await read(lines, { Dia: 'timestamp' })).toMatchObject({
      first: ['2026-05-05 00:00:00', '2026-05-25 10:30:00'],
      notices: [],
    })
  })
})

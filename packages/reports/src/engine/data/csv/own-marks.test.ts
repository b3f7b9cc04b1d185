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
  dir = await mkdtemp(join(tmpdir(), 'marcas-'))
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 60_000 })
}, 300_000)
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})

/** Reads a draft; `columns` has the texts of the values of each column. */
const read = async (
  lines: string[],
  { types = {}, decimal }: { types?: Record<string, CsvType>; decimal?: ',' } = {},
) => {
  const table = `t${++tables}`
  const file = join(dir, `${table}.csv`)
  await writeFile(file, lines.join('\n'))
  const draft = { typesOf: () => types, decimal }
  const reading = await copyCsv(database, file, table, {}, { quotesData: true, draft })
  const rows = await database.load(
    `SELECT ${reading.columns.map(({ name }) => `"${name}"::VARCHAR`).join(', ')} FROM ${table}`,
  )
  return {
    types: reading.columns.map(({ type }) => type),
    columns: reading.columns.map((_column, index) => rows.map((row) => row[index])),
    decimal: reading.decimal,
    evidence: reading.evidence,
    doubt: reading.doubts.mark,
  }
}
const DOUBT = expect.stringContaining('a coluna Valor pode ser lida de duas formas')

describe('coordinates', { timeout: 120_000 }, () => {
  test.each(['Latitude', 'lat', 'ponto_lon', 'Coordenada X', 'LONGITUDE', 'Posição'])(
    'under %s are read with their point, and decide no decimal mark',
    async (heading) => {
      const lines = [`${heading};Valor`, '-23.5505;3.250', '-3.1190;12.500']
      expect(await read(lines)).toMatchObject({
        types: ['number', 'number'],
        columns: [['-23.5505', '-3.119'], expect.anything()],
        evidence: 'none',
        decimal: null,
        doubt: DOUBT,
      })
      expect(await read(lines, { decimal: ',' })).toMatchObject({
        columns: [
          ['-23.5505', '-3.119'],
          ['3250.0', '12500.0'],
        ],
        decimal: ',',
        doubt: undefined,
      })
    },
  )

  test('with three decimals are no thousands', async () => {
    const read3 = await read(['Lat;Lon;Custo', '-23.550;-46.633;1.234,56', '-3.119;-60.021;980,10'])
    expect(read3).toMatchObject({
      columns: [
        ['-23.55', '-3.119'],
        ['-46.633', '-60.021'],
        ['1234.56', '980.1'],
      ],
      evidence: ',',
      doubt: undefined,
    })
  })

  test('alone say nothing about later files', async () => {
    expect(await read(['Lat;Lon', '-23.5505;-46.6333', '-3.1190;-60.0217'])).toMatchObject({
      types: ['number', 'number'],
      decimal: null,
      evidence: 'none',
      doubt: undefined,
    })
  })
})

describe('versions and codes with points', { timeout: 120_000 }, () => {
  test.each<[string, string[]]>([
    ['Versão', ['12.0', '12.10', '11.2']],
    ['App', ['1.0', '1.2', '2.0', '2.1', '2.2', '3.0', '3.1', '3.2', '1.10.2']],
    ['CFOP', ['5.102', '6.108']],
    ['RG', ['12.345.678', '23.456.789']],
    ['Matrícula', ['12.345', '23.456']],
    ['NCM', ['8471.30', '8517.12']],
  ])('under %s stay text, and decide no decimal mark', async (heading, texts) => {
    const lines = texts.map((text, index) => `${text};${index + 1}.250`)
    expect(await read([`${heading};Valor`, ...lines])).toMatchObject({
      types: ['text', 'number'],
      columns: [texts, expect.anything()],
      evidence: 'none',
      doubt: DOUBT,
    })
  })

  test('versions and codes with points are numbers by a choice, and decide no decimal mark either', async () => {
    const lines = ['Versão;Valor', '12.05;1.250', '11.25;2.250']
    expect(await read(lines, { types: { Versão: 'number' } })).toMatchObject({
      types: ['number', 'number'],
      columns: [['12.05', '11.25'], expect.anything()],
      doubt: DOUBT,
    })
  })

  test('without points stay whole numbers', async () => {
    expect((await read(['Matrícula;Valor', '12345;1,5', '23456;2,5'])).types).toEqual(['integer', 'number'])
  })
})

test('amounts decide the decimal mark', async () => {
  const lines = ['Peso;Valor', '1234.56;3.250', '980.10;12.500']
  expect(await read(lines)).toMatchObject({ evidence: '.', decimal: '.', doubt: undefined })
})

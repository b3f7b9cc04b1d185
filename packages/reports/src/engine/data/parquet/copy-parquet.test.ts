import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentenceOf } from '../../loading/load-dataset.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { copyParquet } from './copy-parquet.ts'

let dir = ''
let writer: DuckDBConnection
let database: Database
let tables = 0

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parquet-'))
  writer = await (await DuckDBInstance.create(':memory:')).connect()
  database = await openDatabase({ memoryMegabytes: 64, timeoutMs: 10_000 })
})
afterAll(async () => {
  writer.closeSync()
  await database.close()
  await rm(dir, { recursive: true })
})

/** Returns the table's name, or the sentence of the refusal. */
const copied = async (bytes?: Uint8Array, options = {}): Promise<string> => {
  const file = join(dir, 'dados.parquet')
  if (bytes) await writeFile(file, bytes)
  const table = `t${++tables}`
  return copyParquet(database, file, table, options).then(
    () => table,
    (error) => sentenceOf(error, true),
  )
}
const written = async (select: string, more = ''): Promise<Buffer> => {
  const file = join(dir, 'dados.parquet')
  await writer.run(`COPY (${select}) TO '${file}' (FORMAT parquet, COMPRESSION zstd${more})`)
  return readFile(file)
}
/** Returns a number as the footer has it: a zigzag varint of Thrift. */
const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let left = value * 2; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) + 128)
  }
}
const BROKEN = /^não pôde ser lido como Parquet: corrompido, incompleto ou de outro formato$/

describe('copyParquet', () => {
  test('copyParquet copies a file into a table', async () => {
    const table = await copied(
      await written("SELECT range AS n, 'é' AS t, DATE '2024-01-05' AS d FROM range(3)"),
    )
    expect(await database.query(`SELECT sum(n)::INTEGER, min(t), min(d)::VARCHAR FROM ${table}`)).toEqual([
      [3, 'é', '2024-01-05'],
    ])
  })

  test.each<[string, (good: Buffer) => Uint8Array]>([
    ['an empty file', () => Buffer.alloc(0)],
    ['a CSV file', () => Buffer.from('a;b\n1;2\n3;4\n')],
    ['a truncated file', (good) => good.subarray(0, good.length - 100)],
    ['a file without its beginning', (good) => good.subarray(100)],
    [
      'a file with a false footer size',
      (good) => {
        const bytes = Buffer.from(good)
        bytes.writeUInt32LE(0x7fffffff, bytes.length - 8)
        return bytes
      },
    ],
    ['a file of magic numbers only', () => Buffer.from('PAR1\0\0\0\0PAR1')],
  ])('copyParquet refuses %s', async (_name, spoil) => {
    const sentence = await copied(spoil(await written('SELECT range AS n FROM range(2000)')))
    expect(sentence).toMatch(BROKEN)
    expect(sentence).not.toContain(dir)
  })

  test('copyParquet reads or refuses a file with changed bytes, and does not crash', async () => {
    const good = await written("SELECT range AS n, 'abc' || range AS t FROM range(500)")
    let seed = 7
    const below = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return seed % most
    }
    for (let round = 0; round < 80; round++) {
      const bytes = Buffer.from(good)
      const end = round % 2 ? bytes.length : 600
      bytes[bytes.length - 1 - below(end)] = below(256)
      expect(await copied(bytes)).toMatch(/^t\d+$|Parquet|memória|banco/)
    }
    expect(await database.query('SELECT 1')).toEqual([[1]])
  })

  test('copyParquet refuses a small file with too many rows, within the memory limit', async () => {
    const bomb = await written('SELECT 7 AS n FROM range(20000000)')
    expect(bomb.length).toBeLessThan(200_000)
    const before = process.memoryUsage().rss
    expect(await copied()).toBe('não cabe na memória que há (REPORTS_MEMORY_MB)')
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    expect(await database.query('SELECT 1')).toEqual([[1]])
  })

  test('copyParquet refuses a file that declares more data than the memory limit, without reading it', async () => {
    const size = 'range(400000)'
    await written(
      `SELECT hash(range) AS a, hash(range + 1) AS b, repeat(hash(range)::VARCHAR, 10) AS t FROM ${size}`,
    )
    expect(await copied()).toMatch(/^descompactado, tem \d+ MB, e há 64 MB de memória \(REPORTS_MEMORY_MB\)$/)
  })

  /** Only the footer is changed: a refusal must not depend on the pages. */
  const declaring = async (rows: number, columns: number): Promise<Buffer> => {
    const real = 1_050_000
    const list = Array.from({ length: columns }, (_, index) => `7 AS c${index}`).join(', ')
    const bytes = await written(`SELECT ${list} FROM range(${real})`, ', ROW_GROUP_SIZE 2000000')
    const [before, after] = [varint(real), varint(rows)]
    expect(after.length).toBe(before.length)
    let changed = 0
    for (let at = bytes.indexOf(before); at >= 0; at = bytes.indexOf(before, at + 1), changed++)
      after.copy(bytes, at)
    expect(changed).toBeGreaterThan(1)
    return bytes
  }

  test.each([true, false])(
    'copyParquet refuses a file that declares too many rows, with rows: %s',
    async (withRows) => {
      expect(await copied(await declaring(100_000_001, 1), { withRows })).toBe(
        'tem 100.000.001 linhas; o limite é 100.000.000. Deixe no arquivo só as que o relatório usa, ou grave as somas delas',
      )
    },
  )

  test('copyParquet refuses a file that declares too many values', async () => {
    expect(await copied(await declaring(99_000_000, 21))).toBe(
      'tem 99.000.000 linhas e 21 colunas, que são 2.079.000.000 valores; o limite é 2.000.000.000. Deixe no arquivo só as linhas e as colunas que o relatório usa, ou grave as somas delas',
    )
  })

  // Kind: the reader leaves rows out, and no notice says so.
  test.each(['groups', 'file'])(
    'copyParquet refuses a file whose footer has fewer rows in its %s than its columns have values',
    async (place) => {
      const bytes = await written('SELECT range AS n FROM range(2000)')
      const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8)
      const [before, after] = [varint(2000), varint(1500)]
      const places: number[] = []
      for (let at = bytes.indexOf(before, footer); at >= 0; at = bytes.indexOf(before, at + 1))
        places.push(at)
      // The rows of the file, the values of its column, and the rows of its group.
      expect(places).toHaveLength(3)
      const [ofFile = 0, , ofGroup = 0] = places
      for (const at of place === 'file' ? [ofFile] : [ofFile, ofGroup]) after.copy(bytes, at)
      expect(await copied(bytes)).toBe(
        'o rodapé do Parquet diz que há 1.500 linhas, e as colunas têm 2.000: o arquivo está corrompido ou foi alterado. Grave-o de novo',
      )
    },
  )

  test('copyParquet reads lists, which have more values than the file has rows', async () => {
    await written('SELECT [1, 2, 3] AS many, {a: 1, b: [2]} AS parts, range AS n FROM range(20)')
    expect(await copied()).toMatch(/^t\d+$/)
  })

  test('copyParquet refuses a file with too many columns', async () => {
    const many = Array.from({ length: 501 }, (_, one) => `1 AS c${one}`).join(', ')
    expect(await copied(await written(`SELECT ${many}`))).toBe(
      'tem 501 colunas; o limite é 500. Deixe no arquivo só as que o relatório usa; se há uma por mês ou por ano, ponha o período em uma coluna e uma linha para cada um',
    )
  })
})

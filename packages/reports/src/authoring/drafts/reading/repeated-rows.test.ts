import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../engine/data/database/database.ts'
import { remarkRepeated } from './repeated-rows.ts'

const LONG = { timeout: 120_000 }
let database: Database
let dir = ''
let published = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'repetidas-'))
  published = join(dir, 'dados.parquet')
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 60_000 })
  await database.load(
    `COPY (SELECT range AS a, 'U' || range AS b FROM range(20)) TO '${published}' (FORMAT parquet)`,
  )
}, 300_000)
afterAll(async () => {
  await database.close()
  await rm(dir, { recursive: true })
})
const remarks = (select: string, rows = 20) =>
  remarkRepeated(database, select, { names: ['a', 'b'], rows, published })

test(
  'the remark says that rows are the published ones, in whatever order and with a wider type',
  LONG,
  async () => {
    const same = ['os dados são os mesmos dos publicados']
    expect(
      await remarks(`SELECT (19 - range)::DOUBLE AS a, 'U' || (19 - range) AS b FROM range(20)`),
    ).toEqual(same)
    // The values of two rows are exchanged, one is another, one is missing.
    expect(await remarks(`SELECT (19 - range) AS a, 'U' || range AS b FROM range(20)`)).toEqual([])
    expect(await remarks(`SELECT range AS a, 'U' || least(range, 18) AS b FROM range(20)`)).toEqual([])
    expect(await remarks(`SELECT range AS a, 'U' || range AS b FROM range(19)`, 19)).toEqual([])
  },
)

test('the remark compares a decimal with a number of an earlier version digit by digit', LONG, async () => {
  const file = join(dir, 'numeros.parquet')
  const decimal = (text: string) => `SELECT (${text} + range)::DECIMAL(18, 2) AS a, 'U' AS b FROM range(20)`
  const same = ['os dados são os mesmos dos publicados']
  const remarksOf = (select: string) =>
    remarkRepeated(database, select, { names: ['a', 'b'], rows: 5, published: file })
  for (const [number, like, unlike] of [
    ['900000000000000.5::DOUBLE', '900000000000000.50', '900000000000000.55'],
    // A double has more decimals.
    ['1.005::DOUBLE', undefined, '1.01'],
    ['0.07::DOUBLE', '0.07', '0.08'],
    ['12345678901234::BIGINT', '12345678901234.00', '12345678901234.01'],
    ['0.1::DECIMAL(5, 1)', '0.10', '0.11'],
  ] as const) {
    const select = `SELECT ${number} + range AS a, 'U' AS b FROM range(20)`
    await database.load(`COPY (${select}) TO '${file}' (FORMAT parquet)`)
    if (like !== undefined) expect([number, await remarksOf(decimal(like))]).toEqual([number, same])
    expect([number, await remarksOf(decimal(unlike))]).toEqual([number, []])
  }
})

test(
  'the remark counts rows that a file has twice, and leaves equal rows of another kind alone',
  LONG,
  async () => {
    const twice = await remarks(`SELECT range % 10 AS a, 'U' || range % 10 AS b FROM range(20)`)
    expect(twice).toEqual([
      '10 linhas ocorrem duas vezes, iguais em todas as colunas: veja se o arquivo tem os mesmos dados colados duas vezes',
    ])
    expect(await remarks(`SELECT range % 4 AS a, 'U' || range % 4 AS b FROM range(20)`)).toEqual([])
    expect(await remarks(`SELECT least(range, 18) AS a, 'X' AS b FROM range(20)`)).toEqual([])
  },
)

describe('texts', () => {
  const numbered = (texts: string[]) =>
    texts.map((text, index) => `SELECT ${index} AS a, '${text}' AS b`).join(' UNION ALL ')
  const repeat = (one: string, other: string, rows = 20) =>
    `SELECT range // 2 AS a, CASE range % 2 WHEN 0 THEN '${one}' ELSE '${other}' END AS b FROM range(${rows})`

  test.each([
    ['with zeros', ['7', '8'], ['007', '008']],
    ['of codes', ['1.1', '1.2'], ['1.10', '1.20']],
    ['of long keys', [`${'1'.repeat(43)}2`, '8'], [`${'1'.repeat(43)}3`, '8']],
  ])('%s are other ones although they are the same number', LONG, async (_what, before, after) => {
    const file = join(dir, 'textos.parquet')
    await database.load(`COPY (${numbered(before)}) TO '${file}' (FORMAT parquet)`)
    const remarksOf = (texts: string[]) =>
      remarkRepeated(database, numbered(texts), { names: ['a', 'b'], rows: 2, published: file })
    expect(await remarksOf(after)).toEqual([])
    expect(await remarksOf(before)).toEqual(['os dados são os mesmos dos publicados'])
  })

  test.each([
    ['1.1', '1.10'],
    ['7', '007'],
    [`${'1'.repeat(43)}2`, `${'1'.repeat(43)}3`],
  ])('%s and %s do not make two rows equal', LONG, async (one, other) => {
    expect(await remarks(repeat(one, other))).toEqual([])
    expect(await remarks(repeat(one, one))).toEqual([expect.stringContaining('10 linhas ocorrem duas vezes')])
  })
})

test('the remark compares whole numbers, and numbers of a Parquet file, digit by digit', LONG, async () => {
  for (const type of ['BIGINT', 'DECIMAL(20, 2)']) {
    const number = (last: string) => `(123456789012345670 + ${last})::${type}`
    const select = (last: string) => `SELECT ${number(last)} AS a, 'U' || range // 2 AS b FROM range(20)`
    expect(await remarks(select('range % 2'))).toEqual([])
    const file = join(dir, `${type.slice(0, 3)}.parquet`)
    await database.load(`COPY (${select('0')}) TO '${file}' (FORMAT parquet)`)
    const published = { names: ['a', 'b'], rows: 5, published: file }
    expect(await remarkRepeated(database, select('1'), published)).toEqual([])
    expect(await remarkRepeated(database, select('0'), published)).toEqual([
      'os dados são os mesmos dos publicados',
    ])
  }
})

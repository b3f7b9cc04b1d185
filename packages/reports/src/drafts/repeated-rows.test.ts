import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../engine/data/database.ts'
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

it('says that rows are the published ones, in whatever order and with a wider type', LONG, async () => {
  const same = ['os dados são os mesmos dos publicados']
  expect(await remarks(`SELECT (19 - range)::DOUBLE AS a, 'U' || (19 - range) AS b FROM range(20)`)).toEqual(
    same,
  )
  // The values of two rows are exchanged, one is another, one is missing.
  expect(await remarks(`SELECT (19 - range) AS a, 'U' || range AS b FROM range(20)`)).toEqual([])
  expect(await remarks(`SELECT range AS a, 'U' || least(range, 18) AS b FROM range(20)`)).toEqual([])
  expect(await remarks(`SELECT range AS a, 'U' || range AS b FROM range(19)`, 19)).toEqual([])
})

it('counts rows that a file has twice, and leaves equal rows of another kind alone', LONG, async () => {
  const twice = await remarks(`SELECT range % 10 AS a, 'U' || range % 10 AS b FROM range(20)`)
  expect(twice).toEqual([
    '10 linhas ocorrem duas vezes, iguais em todas as colunas: veja se o arquivo tem os mesmos dados colados duas vezes',
  ])
  expect(await remarks(`SELECT range % 4 AS a, 'U' || range % 4 AS b FROM range(20)`)).toEqual([])
  expect(await remarks(`SELECT least(range, 18) AS a, 'X' AS b FROM range(20)`)).toEqual([])
})

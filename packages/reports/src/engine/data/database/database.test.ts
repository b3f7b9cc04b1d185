import { expect, test } from 'vitest'
import { CONNECTIONS, openDatabase } from './database.ts'

const rows = 400_000

/** Returns a table's megabytes before and after compressing, and the answer of a query over it. */
const measure = async (select: string) => {
  const database = await openDatabase({ memoryMegabytes: 1000, timeoutMs: 30_000 })
  try {
    const held = 'SELECT sum(memory_usage_bytes)::DOUBLE / 1e6 FROM duckdb_memory()'
    await database.load(`CREATE TEMP TABLE antes AS SELECT ${select} FROM range(${rows}) t(n)`)
    const [[before] = []] = await database.load(held)
    await database.load('DROP TABLE antes')
    await database.createTable('linhas', `SELECT ${select} FROM range(${rows}) t(n)`)
    await database.seal()
    const found = await database.query('SELECT plano, sum(valor)::INTEGER FROM linhas GROUP BY 1 ORDER BY 1')
    return { before: Number(before), after: database.dataMegabytes(), found }
  } finally {
    await database.close()
  }
}

test('the database compresses loaded data and returns the same answers', async () => {
  const { before, after, found } = await measure(
    "'Plano de saúde número ' || (n % 3) AS plano, (n % 7)::INTEGER AS valor",
  )
  expect(before).toBeGreaterThan(10)
  expect(after).toBeLessThan(before / 5)
  const sums = [0, 0, 0]
  for (let n = 0; n < rows; n++) sums[n % 3] = (sums[n % 3] ?? 0) + (n % 7)
  expect(found).toEqual(sums.map((sum, plan) => [`Plano de saúde número ${plan}`, sum]))
})

test('the database finds the tables from each of its connections', async () => {
  const database = await openDatabase({ memoryMegabytes: 500, timeoutMs: 30_000 })
  try {
    await database.createTable('linhas', 'SELECT 1 AS n')
    await database.seal()
    const asked = Array.from({ length: 2 * CONNECTIONS }, () => database.query('SELECT n FROM linhas'))
    for (const answer of await Promise.all(asked)) expect(answer).toEqual([[1]])
  } finally {
    await database.close()
  }
})

test.each([
  ['BIGINT', true],
  ['HUGEINT', false],
  ['DECIMAL(38,2)', false],
])('the database packs numbers unless they have 128 bits: %s', async (type, isPacked) => {
  const database = await openDatabase({ memoryMegabytes: 500, timeoutMs: 30_000 })
  try {
    await database.createTable('linhas', `SELECT (n % 9)::${type} AS soma FROM range(${rows}) t(n)`)
    const kinds = await database.query("SELECT DISTINCT compression FROM pragma_storage_info('linhas')")
    expect(kinds.flat().includes('BitPacking')).toBe(isPacked)
  } finally {
    await database.close()
  }
})

import { expect, it } from 'vitest'
import { CONNECTIONS, NotCompressed, openDatabase } from './database.ts'

const rows = 400_000

/** Returns a table's megabytes before and after compressing, and the answer of a query over it. */
async function measure(select: string) {
  const database = await openDatabase({ memoryMegabytes: 1000, timeoutMs: 30_000 })
  try {
    await database.load(`CREATE TABLE linhas AS SELECT ${select} FROM range(${rows}) t(n)`)
    const [[held] = []] = await database.load(
      'SELECT sum(memory_usage_bytes)::DOUBLE / 1e6 FROM duckdb_memory()',
    )
    await database.compress(false)
    await database.seal()
    const found = await database.query('SELECT plano, sum(valor)::INTEGER FROM linhas GROUP BY 1 ORDER BY 1')
    return { before: Number(held), after: database.dataMegabytes(), found }
  } finally {
    await database.close()
  }
}

it('compresses loaded data and returns the same answers', async () => {
  const { before, after, found } = await measure(
    "'Plano de saúde número ' || (n % 3) AS plano, (n % 7)::INTEGER AS valor",
  )
  expect(before).toBeGreaterThan(10)
  expect(after).toBeLessThan(before / 5)
  const sums = [0, 0, 0]
  for (let n = 0; n < rows; n++) sums[n % 3] = (sums[n % 3] ?? 0) + (n % 7)
  expect(found).toEqual(sums.map((sum, plan) => [`Plano de saúde número ${plan}`, sum]))
})

it('finds the tables from each of its connections', async () => {
  const database = await openDatabase({ memoryMegabytes: 500, timeoutMs: 30_000 })
  try {
    await database.load('CREATE TABLE linhas AS SELECT 1 AS n')
    await database.compress(false)
    await database.seal()
    const asked = Array.from({ length: 2 * CONNECTIONS }, () => database.query('SELECT n FROM linhas'))
    for (const answer of await Promise.all(asked)) expect(answer).toEqual([[1]])
  } finally {
    await database.close()
  }
})

it.each([false, true])('packs numbers unless some have 128 bits: %s', async (hasWideNumbers) => {
  const database = await openDatabase({ memoryMegabytes: 500, timeoutMs: 30_000 })
  try {
    await database.load(`CREATE TABLE linhas AS SELECT (n % 9)::HUGEINT AS soma FROM range(${rows}) t(n)`)
    await database.compress(hasWideNumbers)
    const kinds = await database.query("SELECT DISTINCT compression FROM pragma_storage_info('linhas')")
    expect(kinds.flat().includes('BitPacking')).toBe(!hasWideNumbers)
  } finally {
    await database.close()
  }
})

it('rejects with NotCompressed when compressing exceeds the memory limit', async () => {
  const database = await openDatabase({ memoryMegabytes: 46, timeoutMs: 30_000 })
  try {
    // Random numbers do not compress.
    const columns = Array.from({ length: 8 }, (_, place) => `random() AS x${place}`)
    await database.load(`CREATE TABLE linhas AS SELECT ${columns} FROM range(${rows})`)
    await expect(database.compress(false)).rejects.toThrow(NotCompressed)
  } finally {
    await database.close()
  }
})

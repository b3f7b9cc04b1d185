import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../data/database/database.ts'
import { sentBack, sentBackText, wireExpression } from './cell-expressions.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 60_000 })
  await database.load('CREATE TABLE numeros AS SELECT unnest([0.1, 19.9, 1234.56])::FLOAT AS x')
})
afterAll(() => database.close())

test('a FLOAT is sent with the digits of its text, not with those of its bits', async () => {
  const rows = await database.query(`SELECT ${wireExpression('x', 'FLOAT')} FROM numeros ORDER BY 1`)
  expect(rows).toEqual([[0.1], [19.9], [1234.56]])
})

test.each([0.1, Math.fround(0.1)])(
  'a FLOAT is found by %d, which this version or an earlier one has sent',
  async (value) => {
    const test = sentBack('x', 'FLOAT', 'v')
    const rows = await database.query(`SELECT count(*)::INTEGER FROM numeros WHERE ${test}`, {
      v: sentBackText(value),
    })
    expect(rows).toEqual([[1]])
  },
)

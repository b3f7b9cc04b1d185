import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../engine/data/database/database.ts'
import { proposeReport } from '../proposal/propose-report.ts'
import { readEvidence } from './column-evidence.ts'
import type { DraftColumn } from './read-draft.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 60_000 })
}, 300_000)
afterAll(() => database.close())

test.each([
  ['(range - 100)::TINYINT', true],
  ['range::UTINYINT', true],
  [`(CASE WHEN range = 0 THEN -32768 ELSE 32767 END)::SMALLINT`, true],
  [`(CASE WHEN range = 0 THEN -9223372036854775807 ELSE 9223372036854775807 END)::BIGINT`, true],
  ['(18446744073709551615 - range)::UBIGINT', true],
  [`(CASE WHEN range = 0 THEN '0' ELSE '340282366920938463463374607431768211455' END)::UHUGEINT`, true],
  [`(CASE WHEN range = 0 THEN '-99999999999999.9999' ELSE '99999999999999.9999' END)::DECIMAL(18, 4)`, false],
  [
    `(CASE WHEN range = 0 THEN '-9999999999999999999999999999.9999999999'
      ELSE '9999999999999999999999999999.9999999999' END)::DECIMAL(38, 10)`,
    false,
  ],
  [`(CASE WHEN range = 0 THEN 'NaN' ELSE 'inf' END)::DOUBLE`, false],
])('numbers near the limits of their type have evidence: %s', { timeout: 120_000 }, async (sql, isWhole) => {
  await database.load(`CREATE OR REPLACE TABLE numeros AS SELECT ${sql} AS x FROM range(201)`)
  const [evidence] = await readEvidence(database, 'numeros', [{ label: 'x', type: 'number' }])
  expect(evidence?.isWhole).toBe(isWhole)
})

test.each([
  ['1, 2, 3, 4', true],
  ['3, 1, 4, 2', true],
  ['0, 1, 2, 3', true],
  ['1, 2, 3, 3', false],
  ['1, 2, 3, 5', false],
  ['1, 2', false],
  ['98, 99, 100, 101', false],
  [Array.from({ length: 30 }, (_, index) => 501 + index).join(', '), true],
])('numbers that are counted without a gap are a sequence: %s', async (values, isSequence) => {
  await database.load(`CREATE OR REPLACE TABLE contados AS SELECT unnest([${values}])::BIGINT AS x`)
  const [evidence] = await readEvidence(database, 'contados', [{ label: 'x', type: 'integer' }])
  expect(evidence?.isSequence).toBe(isSequence)
})

test.each([
  ['0, 5, 9.5', true],
  ['-40, 100', true],
  ['5, 1001', false],
])('numbers of a scale are small: %s', async (values, isScore) => {
  await database.load(`CREATE OR REPLACE TABLE notas AS SELECT unnest([${values}])::DOUBLE AS x`)
  const [evidence] = await readEvidence(database, 'notas', [{ label: 'x', type: 'number' }])
  expect(evidence?.isScore).toBe(isScore)
})

test.each([
  ['(0.08), (0.12), (1)', true],
  ['(-1), (-0.5), (NULL)', true],
  ['(0.08), (1.2)', false],
  ['(0), (1)', false],
  ["('NaN'::DOUBLE), (0.5)", false],
  ['(NULL)', false],
])('the numbers %s are fractions: %s', { timeout: 120_000 }, async (values, isFraction) => {
  for (const type of ['DOUBLE', 'DECIMAL(5, 2)']) {
    if (type !== 'DOUBLE' && values.includes('NaN')) continue
    await database.load(
      `CREATE OR REPLACE TABLE partes AS SELECT x::${type} AS x FROM (VALUES ${values}) rows(x)`,
    )
    const [evidence] = await readEvidence(database, 'partes', [{ label: 'x', type: 'number' }])
    expect([type, evidence?.isFraction]).toEqual([type, isFraction])
  }
})

test.each([
  ['DOUBLE', 'number'],
  ['BIGINT', 'integer'],
  ['VARCHAR', 'text'],
] as const)(
  'months in a column of type %s are the time axis, also when it becomes wider',
  { timeout: 120_000 },
  async (sqlType, type) => {
    await database.load(
      `CREATE OR REPLACE TABLE T AS SELECT x::${sqlType} AS competencia, 10 AS valor
     FROM (VALUES (202508), (202509), (NULL)) rows(x)`,
    )
    const base = {
      shownAs: undefined,
      fitsBothMarks: false,
      fitsBothOrders: false,
      isKey: false,
      distinct: 2,
    }
    const found = await readEvidence(database, 'T', [
      { label: 'competencia', type },
      { label: 'valor', type: 'integer' },
    ])
    const columns = (['competencia', 'valor'] as const).map((name, index) => ({
      ...base,
      name,
      label: name,
      type: index === 0 ? type : 'integer',
      evidence: found[index],
    })) as DraftColumn[]
    const { report } = proposeReport('T', columns, { id: 'r', dataset: 'd', name: 'R', rows: 3 })
    const { pages } = report as { pages: { visuals: { name: string; query: string[] }[] }[] }
    const query = pages[0]?.visuals.find(({ name }) => name === 'por_mes')?.query.join(' ') ?? ''
    const months = async () =>
      (await database.load(`SELECT inicio_do_mes::VARCHAR, valor::VARCHAR FROM (${query})`)).map((row) => [
        ...row,
      ])
    const shown = [
      ['2025-08-01', '10'],
      ['2025-09-01', '10'],
    ]
    expect(await months()).toEqual(shown)
    if (type !== 'integer') return
    await database.load('ALTER TABLE T ALTER competencia TYPE DOUBLE')
    expect(await months()).toEqual(shown)
  },
)

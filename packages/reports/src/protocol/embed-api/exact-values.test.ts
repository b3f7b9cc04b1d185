import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLAIMS, REPORT, type Service, startService, visual } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import type { Cell, ColumnValues, PageData } from '../../wire/embed-contract.ts'

/** Six keys that one double stands for, wide decimals, and every type that a Parquet file has. */
const ROWS = `
SELECT chave, CAST(chave AS UBIGINT) + 9223372036854775808 AS sem_sinal,
  CAST('12345678901234567' || (chave % 10) || '.12' AS DECIMAL(38,2)) AS quantia,
  CAST(chave % 10 AS DECIMAL(18,6)) / 4 + CAST(0.25 AS DECIMAL(18,6)) AS parte,
  CAST('2235-0' || (chave % 10) AS VARCHAR) AS cbo, CAST(chave % 10 AS INTEGER) AS n,
  DATE '2024-05-01' + CAST(chave % 10 AS INTEGER) AS dia,
  TIMESTAMP '2024-05-01 10:20:30.5' AS quando, TIMESTAMPTZ '2024-05-01 01:30:00Z' AS em,
  TIME '14:30:00' AS hora, INTERVAL 36 HOUR AS duracao, [1.5::DECIMAL(4,2)] AS lista, [TIMESTAMP '2024-05-01 10:00:00'] AS horas,
  {'a': 1} AS estrutura, MAP {'k': 1} AS mapa, UUID 'b9d2a5a3-ebfe-4e6c-acd0-2f958228f495' AS uid, 'ab'::BLOB AS bin,
  CAST('a' AS ENUM ('a', 'b')) AS um_de
FROM (SELECT 1234567890123456781 + i AS chave FROM range(6) r(i))`

const keys = Array.from({ length: 6 }, (_, index) => String(1234567890123456781n + BigInt(index)))
const types =
  'CAST(chave AS HUGEINT) * 1000000000 AS larga, sem_sinal, quantia, parte, n, cbo, dia, quando, em, hora, duracao, lista, horas, estrutura, mapa, uid, bin, um_de'
let service: Service
let token: string

beforeAll(async () => {
  const dataset = {
    id: CLAIMS,
    name: 'Chaves',
    tables: { Chaves: { file: 'chaves.parquet' } },
    roles: [{ name: 'todos', rows: {} }],
  }
  const drill = {
    levels: [
      { column: 'chave', label: 'Chave' },
      { column: 'cbo', label: 'CBO' },
    ],
    values: { linhas: 'count(*)' },
  }
  const report = {
    id: REPORT,
    name: 'Chaves',
    dataset: CLAIMS,
    pages: [
      {
        name: 'Main',
        displayName: 'Principal',
        visuals: [
          visual('linhas', 'SELECT chave, n FROM Chaves ORDER BY n', {
            totals: { chave: 'sum(chave)', n: 'count(*)' },
          }),
          visual('tipos', `SELECT ${types} FROM Chaves ORDER BY n LIMIT 1`),
          visual('niveis', 'SELECT chave, cbo FROM Chaves', { type: 'bar', drill }),
          visual('somas', 'SELECT chave, quantia, cbo FROM Chaves', {
            type: 'bar',
            drill: {
              ...drill,
              levels: [
                { column: 'quantia', label: 'Quantia' },
                { column: 'cbo', label: 'CBO' },
              ],
            },
          }),
          visual('matriz', 'SELECT chave, cbo, n FROM Chaves', {
            type: 'matrix',
            matrix: { rows: ['chave'], columns: [], values: { soma: 'sum(chave)' } },
          }),
        ],
      },
    ],
  }
  service = await startService({
    files: {
      'datasets/claims/dataset.json': dataset,
      'datasets/claims/chaves.parquet': await parquetOf(ROWS),
      'workspaces/one/claims.json': report,
    },
  })
  await service.loaded
  token = await service.embedToken(['todos'])
})
afterAll(() => service.stop())

const ask = async (body: object): Promise<PageData> => {
  const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, {
    page: 'Main',
    filters: [],
    ...body,
  })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}
const found = async (...filters: object[]) =>
  (await ask({ visuals: ['linhas'], filters })).visuals.linhas?.rows.map(([key]) => key)
const target = (column: string) => ({ table: 'Chaves', column })
const among = (column: string, operator: string, values: Cell[]) => ({
  target: target(column),
  operator,
  values,
})
const values = async (column: string): Promise<ColumnValues> =>
  (await service.embed(token, 'POST', `/reports/${REPORT}/values`, { target: target(column) })).json()

describe('numbers that no double holds', () => {
  test('numbers that no double holds travel with all their digits, in rows, totals, drill levels and matrices', async () => {
    const { visuals } = await ask({})
    expect(visuals.linhas?.rows.map(([key]) => key)).toEqual(keys)
    const sum = keys.reduce((total, key) => total + BigInt(key), 0n)
    expect([visuals.linhas?.totals, visuals.linhas?.totalKinds]).toEqual([
      [String(sum), 6],
      ['integer', 'integer'],
    ])
    expect(visuals.niveis?.rows).toEqual(keys.map((key) => [key, 1]))
    expect(visuals.matriz?.rows).toEqual([...keys.map((key) => [key, key]), [null, String(sum)]])
  })

  test.each([
    ['chave', (index: number) => keys[index] ?? ''],
    ['sem_sinal', (index: number) => String(BigInt(keys[index] ?? 0) + 2n ** 63n)],
    ['quantia', (index: number) => `12345678901234567${index + 1}.12`],
  ])('a value of %s from the list of a slicer finds one row', async (column, written) => {
    const listed = await values(column)
    expect(listed.kind).toBe(column === 'quantia' ? 'number' : 'integer')
    expect(listed.values).toEqual(keys.map((_, index) => written(index)))
    for (const [index, value] of listed.values.entries()) {
      const others = keys.filter((_, other) => other !== index)
      expect(await found(among(column, 'In', [value]))).toEqual([keys[index]])
      expect(await found(among(column, 'NotIn', [value]))).toEqual(others)
      const is = { target: target(column), logicalOperator: 'And', conditions: [{ operator: 'Is', value }] }
      expect(await found(is)).toEqual([keys[index]])
      const from = { ...is, conditions: [{ operator: 'GreaterThan', value }] }
      expect(await found(from)).toEqual(keys.slice(index + 1))
    }
    // A longer list is bound as one value; numbers, texts and values that cannot be in the column.
    const many = Array.from({ length: 60 }, (_, index) => index)
    const [first = null, , third = null] = listed.values
    expect(
      await found(
        among(column, 'In', [...many, first, 1.5, third, '99999999999999999999999999999999999999']),
      ),
    ).toEqual([keys[0], keys[2]])
    expect(await found(among(column, 'NotIn', [`${first}.5`.replace(/\.12\.5/, '.125')]))).toEqual(keys)
  })

  test('a slicer is searched by the digits that it shows', async () => {
    const search = async (text: string) =>
      (
        await service.embed(token, 'POST', `/reports/${REPORT}/values`, {
          target: target('chave'),
          search: text,
        })
      ).json().values
    expect(await search('123.456.783')).toEqual([keys[2]])
    expect(await search('456783')).toEqual([keys[2]])
    expect(await search('456.782')).toEqual([keys[1]])
  })

  test('point filters and selections find one row', async () => {
    const points = {
      target: [[target('chave'), target('cbo')]],
      filterType: 3,
      isExclude: false,
      values: [[[{ value: keys[2] }, { value: '2235-03' }]]],
    }
    expect(await found(points)).toEqual([keys[2]])
    const selection = { visual: 'niveis', filters: [among('chave', 'In', [keys[3] ?? ''])] }
    const { visuals } = await ask({ visuals: ['linhas'], selection })
    expect(visuals.linhas?.rows).toEqual([[keys[3], 4]])
  })

  test('a visual opens one value of a hierarchy, also of decimals', async () => {
    const opened = await ask({
      visuals: ['niveis', 'somas'],
      drill: { niveis: [keys[1]], somas: ['123456789012345672.12'] },
    })
    expect(opened.visuals.niveis?.rows).toEqual([['2235-02', 1]])
    expect(opened.visuals.somas?.rows).toEqual([['2235-02', 1]])
    const { visuals } = await ask({ visuals: ['niveis'], drill: { niveis: ['no number'] } })
    expect(visuals.niveis?.rows).toEqual([])
  })

  test('a filter compares a JSON number as before: its last digits were lost', async () => {
    expect(await found(among('chave', 'In', [Number(keys[0])]))).toEqual(keys)
    expect(await found(among('parte', 'In', [0.5]))).toEqual([keys[0]])
    expect(await found(among('n', 'In', ['3']))).toEqual([keys[2]])
  })

  test('a filter refuses a text that is no number', async () => {
    const answer = await service.data(token, [among('chave', 'In', ['12a'])])
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'InvalidFilter'])
  })
})

test('each type has its kind, and cells in the form of that kind', async () => {
  const { kinds, rows, columns } = (await ask({ visuals: ['tipos'] })).visuals.tipos ?? {}
  const [row = []] = rows ?? []
  expect(
    Object.fromEntries(columns?.map((name, index) => [name, [kinds?.[index], row[index]]]) ?? []),
  ).toEqual({
    larga: ['integer', '1234567890123456781000000000'],
    sem_sinal: ['integer', '10457939926978232589'],
    quantia: ['number', '123456789012345671.12'],
    parte: ['number', 0.5],
    n: ['integer', 1],
    cbo: ['text', '2235-01'],
    dia: ['date', '2024-05-02'],
    quando: ['timestamp', '2024-05-01T10:20:30.5'],
    em: ['timestamp', '2024-04-30T22:30:00'],
    hora: ['time', '14:30:00'],
    duracao: ['other', '36:00:00'],
    lista: ['other', '[1.50]'],
    horas: ['other', "['2024-05-01 10:00:00']"],
    estrutura: ['other', "{'a': 1}"],
    mapa: ['other', '{k=1}'],
    uid: ['other', 'b9d2a5a3-ebfe-4e6c-acd0-2f958228f495'],
    bin: ['other', 'ab'],
    um_de: ['text', 'a'],
  })
})

test('the report names the kind of each column and level, and its time zone', async () => {
  const described = (await service.embed(token, 'GET', `/reports/${REPORT}`)).json()
  const kinds = Object.fromEntries(
    described.columns.Chaves.map((name: string, index: number) => [
      name,
      described.columnKinds.Chaves[index],
    ]),
  )
  expect(kinds).toMatchObject({
    chave: 'integer',
    quantia: 'number',
    cbo: 'text',
    em: 'timestamp',
    hora: 'time',
  })
  expect(described.timeZone).toBe('America/Sao_Paulo')
  const [{ visuals }] = described.pages
  expect(visuals[2].drill.levels.map(({ kind }: { kind: string }) => kind)).toEqual(['integer', 'text'])
})

test('an instant in UTC finds the cells of its local time, in lists, conditions and points', async () => {
  const utc = '2024-05-01T01:30:00.000Z'
  expect(await found(among('em', 'In', [utc]))).toEqual(keys)
  expect(await found(among('em', 'In', ['2024-04-30T22:30:00']))).toEqual(keys)
  expect(await found(among('em', 'In', ['2024-05-01T01:30:00']))).toEqual([])
  const before = {
    target: target('em'),
    logicalOperator: 'And',
    conditions: [{ operator: 'LessThan', value: utc }],
  }
  expect(await found(before)).toEqual([])
  const points = { target: [[target('em')]], filterType: 3, isExclude: false, values: [[[{ value: utc }]]] }
  expect(await found(points)).toEqual(keys)
  // Columns without a zone compare with the text as it is.
  expect(await found(among('quando', 'In', ['2024-05-01T10:20:30.500Z']))).toEqual(keys)
})

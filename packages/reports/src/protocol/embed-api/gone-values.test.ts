import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLAIMS, REPORT, type Service, startService, visual } from '../../../test/fixture.ts'
import { parquetOf } from '../../../test/parquet-of.ts'
import type { Cell, EmptyReasons, PageData } from '../../wire/embed-contract.ts'

/*
 * Values that a caller got earlier and sends back: in drill paths, selections and the lists of
 * slicers. They may be gone, or their column may have another type by now.
 */

const ROWS = `
SELECT 1234567890123456781::BIGINT AS chave, 3::INTEGER AS curto, 2.5::DECIMAL(10,2) AS quantia, 0.5::DOUBLE AS taxa,
  '2026' AS codigo, true AS ativo, TIMESTAMPTZ '2024-05-02 15:00:00Z' AS em, TIMESTAMP '2026-01-02' AS dia,
  DATE '2026-01-02' AS data
UNION ALL SELECT 1234567890123456782, 4, 7.25, 1, 'A', false, TIMESTAMPTZ '2024-05-03 15:00:00Z', TIMESTAMP '2026-01-03 10:30:00',
  DATE '2026-01-03'
UNION ALL SELECT 1234567890123456768, 2, -1, 'NaN', 'B', NULL, NULL, NULL, NULL`

const columns = ['chave', 'curto', 'quantia', 'taxa', 'codigo', 'ativo', 'em', 'dia', 'data']
const target = (column: string) => ({ table: 'Chaves', column })
const report = {
  id: REPORT,
  name: 'Chaves',
  dataset: CLAIMS,
  pages: [
    {
      name: 'Main',
      displayName: 'Principal',
      visuals: [
        ...columns.map((column) =>
          visual(column, `SELECT ${column}, curto AS folha FROM Chaves`, {
            type: 'bar',
            drill: {
              levels: [
                { column, label: column },
                { column: 'folha', label: 'Folha' },
              ],
              values: { n: 'count(*)' },
            },
          }),
        ),
        visual('linhas', 'SELECT curto FROM Chaves'),
      ],
    },
  ],
}

let service: Service
let token: string
beforeAll(async () => {
  service = await startService({
    files: {
      'datasets/claims/dataset.json': {
        id: CLAIMS,
        name: 'Chaves',
        tables: { Chaves: { file: 'chaves.parquet' } },
        roles: [
          { name: 'todos', rows: {} },
          { name: 'uma', rows: { Chaves: 'curto = 3' } },
        ],
      },
      'datasets/claims/chaves.parquet': await parquetOf(ROWS),
      'workspaces/one/claims.json': report,
    },
  })
  expect((await service.loaded).warnings).toEqual([])
  token = await service.embedToken(['todos'])
}, 120_000)
afterAll(() => service.stop())

const ask = async (body: object): Promise<PageData> => {
  const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, {
    page: 'Main',
    filters: [],
    ...body,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
/** The leaves below a value of the first level, without any failure. */
const below = async (column: string, value: Cell) => {
  const { visuals, failures } = await ask({ visuals: [column], drill: { [column]: [value] } })
  expect(failures).toEqual({})
  return visuals[column]?.rows.map(([leaf]) => leaf)
}

describe('a value of a drill path', () => {
  test.each<[string, Cell, number[]]>([
    ['chave', '1234567890123456781', [3]],
    // An older version rounded it: a row may have just this number.
    ['chave', 1_234_567_890_123_456_800, []],
    ['chave', '1234567890123456800', []],
    ['chave', 'A', []],
    ['chave', true, []],
    ['curto', 3, [3]],
    ['curto', '3', [3]],
    ['curto', 2.5, []],
    ['curto', '2.5', []],
    ['curto', true, []],
    ['quantia', 2.5, [3]],
    ['quantia', '2.500', [3]],
    ['quantia', 2.501, []],
    ['quantia', 'A', []],
    ['taxa', 0.5, [3]],
    ['taxa', 'NaN', [2]],
    ['taxa', 'A', []],
    ['taxa', true, []],
    ['codigo', '2026', [3]],
    ['codigo', 2026, [3]],
    ['codigo', 2027, []],
    ['codigo', true, []],
    ['ativo', true, [3]],
    ['ativo', null, [2]],
    ['ativo', 1, []],
    ['em', '2024-05-02T12:00:00', [3]],
    ['em', '2024-05-02T15:00:00.000Z', [3]],
    ['em', '2024-05-02T13:00:00', []],
    ['em', 'maio', []],
    ['em', 7, []],
    ['dia', '2026-01-02T00:00:00', [3]],
    ['dia', '2026-01-02', [3]],
    ['dia', '2026-01-03', []],
    ['dia', '2026', []],
    ['data', '2026-01-02', [3]],
    ['data', '2026-01-02T00:00:00', [3]],
    ['data', '2026-01-02T10:00:00', []],
    ['data', 'A', []],
  ])('a value of a drill path of %s, %s, equals exactly one value or none', async (column, value, leaves) => {
    expect(await below(column, value)).toEqual(leaves)
  })

  const reasons = async (body: object, as = token): Promise<EmptyReasons['reasons']> => {
    const answer = await service.embed(as, 'POST', `/reports/${REPORT}/empty`, {
      page: 'Main',
      filters: [],
      ...body,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().reasons
  }
  const gone = { visuals: ['codigo'], drill: { codigo: ['C'] } }

  test('a value of a drill path that no row has is named by its level, also when a filter leaves no row', async () => {
    expect(await reasons(gone)).toEqual({ codigo: { kind: 'drill', level: 0 } })
    const filters = [{ target: target('curto'), operator: 'In', values: [99] }]
    expect(await reasons({ ...gone, filters })).toEqual({ codigo: { kind: 'drill', level: 0 } })
  })

  test('a value of a drill path that a row has is not named: a filter leaves the visual empty', async () => {
    const filters = [{ target: target('curto'), operator: 'In', values: [99] }]
    const there = { visuals: ['codigo'], drill: { codigo: ['A'] } }
    expect(await reasons({ ...there, filters })).toEqual({ codigo: { kind: 'filters', filters: [0] } })
    expect(await reasons(there)).toEqual({})
  })

  test('a value of a drill path in a hidden row has the same answer as one in no row', async () => {
    const restricted = await service.embedToken(['uma'])
    const hidden = await reasons({ visuals: ['codigo'], drill: { codigo: ['A'] } }, restricted)
    expect(hidden).toEqual(await reasons(gone, restricted))
    expect(hidden).toEqual({ codigo: { kind: 'drill', level: 0 } })
  })
})

describe('a value of a list or a selection', () => {
  const found = async (filter: object) =>
    (await ask({ visuals: ['linhas'], filters: [filter] })).visuals.linhas?.rows.map(([row]) => row)
  const among = (column: string, operator: 'In' | 'NotIn', ...values: Cell[]) => ({
    target: target(column),
    operator,
    values,
    matchCase: true,
  })

  test.each<[string, Cell, number[]]>([
    ['curto', 'A', []],
    ['curto', true, []],
    ['ativo', 'Sim', []],
    ['em', 'maio', []],
    ['codigo', 2026, [3]],
    ['codigo', 2027, []],
    ['codigo', true, []],
  ])(
    'a value of a list or a selection of %s, %s, equals no row where the column cannot have it',
    async (column, value, rows) => {
      expect(await found(among(column, 'In', value))).toEqual(rows)
      const others = [3, 4, 2].filter((row) => !rows.includes(row))
      expect(await found(among(column, 'NotIn', value))).toEqual(others)
      const selection = {
        visual: column,
        filters: [{ target: target(column), operator: 'In', values: [value] }],
      }
      const { visuals } = await ask({ visuals: ['linhas'], selection })
      expect(visuals.linhas?.rows.map(([row]) => row)).toEqual(rows)
    },
  )

  test('a value of a list or a selection keeps the other values of the list', async () => {
    expect(await found(among('curto', 'In', 'A', 4))).toEqual([4])
  })

  test('a value of a list or a selection is refused in a filter of the embedder', async () => {
    const { matchCase: _, ...plain } = among('curto', 'In', 'A')
    const answer = await service.data(token, [plain])
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'InvalidFilter'])
  })
})

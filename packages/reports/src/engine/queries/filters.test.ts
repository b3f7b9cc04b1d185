import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  claimsDataset,
  claimsReport,
  type Service,
  serviceWith,
  startService,
} from '../../../test/fixture.ts'

let service: Service
let token: string

beforeAll(async () => {
  service = await startService()
  await service.loaded
  token = await service.embedToken(['todos'])
})
afterAll(() => service.stop())

const target = (column: string, table = 'Claims') => ({ table, column })
const basic = (column: string, operator: string, values: unknown[]) => ({
  target: target(column),
  filterType: 1,
  operator,
  values,
})
const advanced = (column: string, logicalOperator: string, ...conditions: [string, unknown?][]) => ({
  target: target(column),
  logicalOperator,
  conditions: conditions.map(([operator, value]) => ({ operator, ...(value !== undefined && { value }) })),
})
const one = (column: string, operator: string, value?: unknown) => advanced(column, 'And', [operator, value])

describe('POST …/data with filters', () => {
  test.each<[string, object[], number[]]>([
    ['In', [basic('operadora', 'In', ['CNU'])], [3, 4]],
    ['In without regard to case', [basic('operadora', 'In', ['cnu', 'santa_casa'])], [3, 4, 5]],
    ['In with blank', [basic('sexo', 'In', [null, 'masculino'])], [1, 3, 4]],
    ['In with blank alone', [basic('sexo', 'In', [null])], [4]],
    ['NotIn keeps blanks', [basic('sexo', 'NotIn', ['masculino'])], [2, 4, 5]],
    ['NotIn with blank', [basic('sexo', 'NotIn', ['masculino', null])], [2, 5]],
    ['All', [basic('operadora', 'All', ['CNU'])], [1, 2, 3, 4, 5]],
    ['In of nothing is all', [basic('operadora', 'In', [])], [1, 2, 3, 4, 5]],
    ['In over integers', [basic('id', 'In', [2, 5])], [2, 5]],
    ['In over decimals', [basic('valor', 'In', [100.5])], [1]],
    ['In over numbers written as digits', [basic('valor', 'In', ['100.50', 300, '75.25'])], [1, 3, 5]],
    ['In over booleans', [basic('pago', 'In', [false])], [2, 5]],
    ['In over dates', [basic('dia', 'In', ['2024-01-05', '2024-03-20T00:00:00.000Z'])], [1, 4]],
    [
      'In of 60',
      [
        basic(
          'id',
          'In',
          Array.from({ length: 60 }, (_, index) => index + 3),
        ),
      ],
      [3, 4, 5],
    ],
    [
      'NotIn of 60',
      [
        basic(
          'id',
          'NotIn',
          Array.from({ length: 60 }, (_, index) => index + 3),
        ),
      ],
      [1, 2],
    ],
    ['In of 60 dates', [basic('dia', 'In', Array(60).fill('2024-01-05'))], [1]],
    ['LessThan', [one('valor', 'LessThan', 100.5)], [4, 5]],
    ['LessThan an integer', [one('id', 'LessThan', 3)], [1, 2]],
    ['LessThan a number between two integers', [one('id', 'LessThan', 2.5)], [1, 2]],
    ['In of whole numbers and others', [basic('id', 'In', [2, 2.5, -0])], [2]],
    ['LessThan a number beyond all integers', [one('id', 'LessThan', 1e300)], [1, 2, 3, 4, 5]],
    ['GreaterThan a number beyond all integers', [one('id', 'GreaterThan', 1e300)], []],
    ['LessThan a number beyond all decimals', [one('valor', 'LessThan', -1e300)], []],
    ['In with numbers beyond all integers', [basic('id', 'In', [1e300, -1e300, 1.5, 3])], [3]],
    ['In of 60 with a number beyond all integers', [basic('id', 'In', [...Array(60).fill(1e300), 3])], [3]],
    ['LessThanOrEqual', [one('valor', 'LessThanOrEqual', 100.5)], [1, 4, 5]],
    ['GreaterThan', [one('dia', 'GreaterThan', '2024-03-15')], [4]],
    ['GreaterThan at noon', [one('hora', 'GreaterThanOrEqual', '2024-03-15T12:00:00')], [3, 4]],
    ['GreaterThanOrEqual', [one('dia', 'GreaterThanOrEqual', '2024-03-15')], [3, 4]],
    ['Is', [one('operadora', 'Is', 'Bradesco')], [1, 2]],
    ['Is blank', [one('dia', 'Is', null)], [5]],
    ['IsNot keeps blanks', [one('sexo', 'IsNot', 'masculino')], [2, 4, 5]],
    ['IsNot blank', [one('dia', 'IsNot', null)], [1, 2, 3, 4]],
    ['Contains', [one('operadora', 'Contains', 'a_c')], [5]],
    ['Contains takes % and _ as they are', [one('operadora', 'Contains', '%')], []],
    ['DoesNotContain keeps blanks', [one('sexo', 'DoesNotContain', 'FEM')], [1, 3, 4]],
    ['Contains of several spellings', [one('sexo', 'Contains', 'emin')], [2, 5]],
    ['Contains of nothing', [one('sexo', 'Contains', '')], [1, 2, 3, 5]],
    ['StartsWith', [one('sexo', 'StartsWith', 'fem')], [2, 5]],
    ['DoesNotStartWith', [one('sexo', 'DoesNotStartWith', 'fem')], [1, 3, 4]],
    ['IsBlank', [one('sexo', 'IsBlank')], [4]],
    ['IsNotBlank', [one('sexo', 'IsNotBlank')], [1, 2, 3, 5]],
    ['IsEmptyString', [one('sexo', 'IsEmptyString')], []],
    ['IsNotEmptyString', [one('sexo', 'IsNotEmptyString')], [1, 2, 3, 4, 5]],
    ['None', [one('sexo', 'None')], [1, 2, 3, 4, 5]],
    ['And', [advanced('valor', 'And', ['GreaterThan', 60], ['LessThan', 150])], [1, 5]],
    ['Or', [advanced('valor', 'Or', ['LessThan', 60], ['GreaterThan', 250])], [3, 4]],
    ['Or with None', [advanced('valor', 'Or', ['LessThan', 60], ['None'])], [4]],
    ['several filters all apply', [basic('operadora', 'In', ['CNU']), one('valor', 'GreaterThan', 60)], [3]],
    [
      'a table in other case',
      [{ ...basic('x', 'In', ['CNU']), target: target('OPERADORA', 'claims') }],
      [3, 4],
    ],
    ['SQL as a value is a value', [basic('operadora', 'In', ["x') OR ('1'='1"])], []],
    ['odd characters', [basic('operadora', 'In', ['\u0000', '\ud800', '"', '$f0'])], []],
  ])('POST …/data with filters returns the matching rows for %s', async (_name, filters, expected) => {
    expect(await service.ids(token, filters)).toEqual(expected)
  })
})

test('Contains and StartsWith also search a text column with many values', async () => {
  const names = Array.from({ length: 1200 }, (_, index) => `${index},Plano ${index}`)
  const csv = ['id,operadora', '1200,', ...names].join('\n')
  const many = await serviceWith({
    files: {
      'datasets/claims/claims.csv': csv,
      'datasets/claims/dataset.json': { ...claimsDataset, roles: [{ name: 'todos', rows: {} }] },
      'workspaces/one/claims.json': {
        ...claimsReport,
        pages: [{ ...claimsReport.pages[0], visuals: claimsReport.pages[0]?.visuals.slice(0, 1) }],
      },
    },
  })
  const found = async (operator: string, value: string) =>
    many.ids(await many.embedToken(['todos']), [one('operadora', operator, value)])
  expect(await found('Contains', 'NO 119')).toEqual([119, ...Array.from({ length: 10 }, (_, n) => 1190 + n)])
  expect(await found('StartsWith', 'plano 1199')).toEqual([1199])
  expect((await found('DoesNotContain', 'plano'))?.map(Number)).toEqual([1200])
  expect((await found('DoesNotStartWith', 'plano'))?.map(Number)).toEqual([1200])
})

describe('POST …/data', () => {
  test.each<[string, object]>([
    ['a table that does not exist', { ...basic('x', 'In', ['a']), target: target('x', 'Nada') }],
    ['a column that does not exist', basic('nada', 'In', ['a'])],
    ['a hidden table', { ...basic('email', 'In', ['ana@x.br']), target: target('email', 'Access') }],
    ['text for a number', basic('valor', 'In', ['100,5'])],
    ['text for a number in a long list', basic('id', 'In', [...Array(60).fill(1), 'x'])],
    ['a number for text', basic('operadora', 'In', [1])],
    ['text for a boolean', basic('pago', 'In', ['true'])],
    ['a date that does not exist', basic('dia', 'In', ['2024-02-30'])],
    ['text for a date', one('dia', 'GreaterThan', 'ontem')],
    ['a number for a date', one('dia', 'GreaterThan', 20240101)],
    ['Contains on a number', one('valor', 'Contains', '1')],
    ['IsEmptyString on a date', one('dia', 'IsEmptyString')],
    ['LessThan without value', one('valor', 'LessThan')],
    ['Contains without value', one('operadora', 'Contains')],
  ])('POST …/data returns 400 InvalidFilter for %s', async (_name, filter) => {
    const answer = await service.data(token, [filter])
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.json().error).toEqual({ code: 'InvalidFilter', message: expect.stringMatching(/\w/) })
  })

  test.each<[string, object]>([
    ['an unknown operator', basic('operadora', 'Like', ['a'])],
    ['three conditions', advanced('valor', 'And', ['LessThan', 1], ['LessThan', 2], ['LessThan', 3])],
    ['values that are objects', basic('operadora', 'In', [{ a: 1 }])],
    ['no target', { operator: 'In', values: [] }],
  ])('POST …/data returns 400 InvalidRequest for %s', async (_name, filter) => {
    const answer = await service.data(token, [filter])
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('InvalidRequest')
  })
})

const period = (operator: number, timeUnitsCount: number, timeUnitType: number, more: object = {}) => ({
  target: target('dia'),
  filterType: 4,
  operator,
  timeUnitsCount,
  timeUnitType,
  includeToday: true,
  ...more,
})
const topN = (operator: string, itemCount: number, column: string, orderBy: object) => ({
  target: target(column),
  filterType: 5,
  operator,
  itemCount,
  orderBy: { table: 'Claims', column: 'valor', ...orderBy },
})
const choice = (column: string, isExclude: boolean, values: unknown[]) => ({
  target: target(column),
  filterType: 3,
  isExclude,
  values,
})
const points = (columns: string[][], isExclude: boolean, values: unknown[][][]) => ({
  target: columns.map((group) => group.map((column) => target(column))),
  filterType: 3,
  isExclude,
  values: values.map((group) => group.map((point) => point.map((value) => ({ value })))),
})
const pairs = [
  ['CNU', null],
  ['bradesco', 'masculino'],
]

describe('POST …/data with the filters of a visual', () => {
  test.each<[string, object[], number[]]>([
    ['top 1', [topN('Top', 1, 'operadora', {})], [3, 4]],
    ['bottom 1', [topN('Bottom', 1, 'operadora', {})], [5]],
    ['top 2', [topN('Top', 2, 'operadora', { aggregationFunction: 'Sum' })], [1, 2, 3, 4]],
    ['top 1 by the greatest', [topN('Top', 1, 'operadora', { aggregationFunction: 'Max' })], [3, 4]],
    ['bottom 1 by the mean', [topN('Bottom', 1, 'operadora', { aggregationFunction: 'Average' })], [5]],
    [
      'top 1 shared by two',
      [topN('Top', 1, 'operadora', { column: 'id', aggregationFunction: 'Count' })],
      [1, 2, 3, 4],
    ],
    [
      'top 1 by distinct texts',
      [topN('Top', 1, 'operadora', { column: 'sexo', aggregationFunction: 'DistinctCount' })],
      [1, 2],
    ],
    ['top 1 by the last date', [topN('Top', 1, 'operadora', { column: 'dia' })], [3, 4]],
    ['bottom 1 that is blank', [topN('Bottom', 1, 'sexo', {})], [4]],
    [
      'top 1 without regard to case',
      [topN('Top', 1, 'sexo', { column: 'id', aggregationFunction: 'Max' })],
      [2, 5],
    ],
    [
      'top 1 among the rows of another filter',
      [topN('Top', 1, 'operadora', {}), basic('operadora', 'NotIn', ['CNU'])],
      [1, 2],
    ],
    [
      'two of them, each among all rows',
      [topN('Top', 1, 'operadora', {}), topN('Bottom', 1, 'sexo', {})],
      [4],
    ],
    ['include', [choice('operadora', false, ['CNU', 'santa_casa'])], [3, 4, 5]],
    ['exclude, keeping blanks', [choice('sexo', true, ['masculino'])], [2, 4, 5]],
    ['include points', [points([['operadora', 'sexo']], false, [pairs])], [1, 4]],
    ['exclude points', [points([['operadora', 'sexo']], true, [pairs])], [2, 3, 5]],
    [
      'include points of two groups',
      [points([['operadora'], ['id', 'pago']], false, [[['SANTA_CASA']], [[1, true]]])],
      [1, 5],
    ],
  ])("POST …/data applies a visual's filter: %s", async (_name, filters, expected) => {
    expect(await service.ids(token, filters)).toEqual(expected)
    expect(await service.ids(token, filters.toReversed())).toEqual(expected)
  })

  test("POST …/data with the filters of a visual counts a top N among the identity's rows only", async () => {
    const bradesco = await service.embedToken(['bradesco'])
    const user = await service.embedToken(['por-usuario'])
    for (const top of [topN('Top', 1, 'operadora', {}), topN('Bottom', 1, 'operadora', {})])
      expect(await service.ids(bradesco, [top])).toEqual([1, 2])
    expect(await service.ids(user, [topN('Top', 1, 'operadora', {})])).toEqual([3, 4])
    expect(await service.ids(user, [topN('Top', 3, 'operadora', {})])).toEqual([3, 4, 5])
  })

  test.each<[string, object]>([
    ['an order by a column that does not exist', topN('Top', 1, 'operadora', { column: 'nada' })],
    ['an order by a hidden table', topN('Top', 1, 'operadora', { table: 'Access', column: 'email' })],
    ['a sum of texts', topN('Top', 1, 'operadora', { column: 'sexo', aggregationFunction: 'Sum' })],
    ['an included value of another type', choice('id', false, ['x'])],
    ['a point with too few values', points([['operadora', 'sexo']], false, [[['CNU']]])],
    ['points without their columns', points([['operadora']], false, [[['CNU']], [['CNU']]])],
    ['points of a column that does not exist', points([['operadora', 'nada']], false, [[['CNU', 1]]])],
    [
      'points of a hidden table',
      { ...points([['email']], false, [[['x']]]), target: [[target('email', 'Access')]] },
    ],
    ['a period of texts', period(0, 1, 0, { target: target('operadora') })],
    ['a period of numbers', period(0, 1, 0, { target: target('id') })],
  ])('POST …/data with the filters of a visual returns 400 InvalidFilter for %s', async (_name, filter) => {
    const answer = await service.data(token, [filter])
    expect([answer.statusCode, answer.json().error.code], answer.body).toEqual([400, 'InvalidFilter'])
  })

  test.each<[string, object]>([
    ['no place', topN('Top', 0, 'operadora', {})],
    ['half a place', topN('Top', 1.5, 'operadora', {})],
    ['an unknown direction', topN('Middle', 1, 'operadora', {})],
    ['an unknown aggregate', topN('Top', 1, 'operadora', { aggregationFunction: 'sum(1)) --' })],
    ['an unknown unit', period(0, 1, 9)],
    ['too many units', period(0, 10_001, 0)],
    ['an unknown direction of time', period(3, 1, 0)],
    ['neither included nor excluded', { ...choice('id', false, [1]), isExclude: 'x' }],
    ['too many points of a group', points([['id']], false, [Array(201).fill([1])])],
  ])('POST …/data with the filters of a visual returns 400 InvalidRequest for %s', async (_name, filter) => {
    const answer = await service.data(token, [filter])
    expect([answer.statusCode, answer.json().error.code], answer.body).toEqual([400, 'InvalidRequest'])
  })
})

test('a query accepts 1,000 points of all filters together, and no more', async () => {
  const groups = Array.from({ length: 5 }, () => ['id'])
  const most = points(groups, false, Array(5).fill(Array(200).fill([3])))
  expect(await service.ids(token, [most])).toEqual([3])
  const answer = await service.data(token, [most, points([['id']], true, [[[1]]])])
  expect([answer.statusCode, answer.json().error]).toEqual([
    400,
    {
      code: 'InvalidFilter',
      message: 'os filtros de inclusão e exclusão têm no máximo 1000 pontos ao todo',
    },
  ])
})

test('a query accepts three top-N filters at a time, and no more', async () => {
  const most = ['operadora', 'sexo', 'id'].map((column) => topN('Top', 9, column, {}))
  expect(await service.ids(token, most)).toHaveLength(5)
  const answer = await service.data(token, [...most, topN('Bottom', 9, 'sexo', {})])
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'InvalidFilter'])
})

test('a period moves with the time, and its answer is not cached beyond it', async () => {
  const own = await serviceWith()
  own.clock.now = Date.parse('2024-03-20T15:00:00Z')
  const reader = await own.embedToken(['todos'])
  const ids = (...given: Parameters<typeof period>) => own.ids(reader, [period(...given)])
  expect(await ids(1, 1, 0)).toEqual([4])
  expect(await ids(0, 6, 0)).toEqual([3, 4])
  expect(await ids(0, 5, 0, { includeToday: false })).toEqual([3])
  expect(await ids(1, 1, 3)).toEqual([3, 4])
  expect(await ids(0, 2, 4)).toEqual([1, 2])
  const hours = { target: target('hora'), filterType: 7 }
  expect([await ids(0, 4, 8, hours), await ids(0, 3, 8, hours)]).toEqual([[4], []])
  own.clock.now += 3 * 60_000
  expect([await ids(1, 1, 0), await ids(0, 4, 8, hours)]).toEqual([[4], []])
})

test('matchCase compares texts by their letters, in lists of values only', async () => {
  const exactly = (operator: string, ...values: unknown[]) => ({
    ...basic('sexo', operator, values),
    matchCase: true,
  })
  expect(await service.ids(token, [exactly('In', 'feminino')])).toEqual([2])
  expect(await service.ids(token, [exactly('In', 'FEMININO')])).toEqual([])
  expect(await service.ids(token, [exactly('In', 'Feminino', null)])).toEqual([4, 5])
  expect(await service.ids(token, [exactly('NotIn', 'feminino')])).toEqual([1, 3, 4, 5])
  const restricted = await service.embedToken(['bradesco'])
  expect(await service.ids(restricted, [exactly('In', 'feminino')])).toEqual([2])
})

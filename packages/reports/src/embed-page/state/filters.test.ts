import { cellText, describeFilter } from '@bi-manager/contract/filter-text'
import { describe, expect, test } from 'vitest'
import { AdvancedFilter, BasicFilter, VisualFilter } from '../../definitions/wire-filters.ts'
import { applyOperation, keepValues, readFilters, readVisualFilters } from './filters.ts'

const columns = { Sinistralidade: ['operadora', 'sexo', 'idade', 'data'] }
const target = { table: 'Sinistralidade', column: 'operadora' }
const basic = (values: unknown[], column = 'operadora', operator = 'In') => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { ...target, column },
  filterType: 1,
  operator,
  values,
})
const advanced = (...conditions: unknown[]) => ({
  target: { ...target, column: 'idade' },
  filterType: 0,
  logicalOperator: 'And',
  conditions,
})
const one = (input: unknown) => {
  const [filter] = readFilters([input], columns)
  if (!filter) throw new Error('no filter')
  return filter
}

describe('readFilters', () => {
  test('readFilters reads what the client sends into what the server accepts', () => {
    const filter = one({ ...basic(['CNU', 'SANTA_CASA']), strange: 1 })
    expect(BasicFilter.strict().parse(filter)).toEqual({
      ...basic(['CNU', 'SANTA_CASA']),
      requireSingleSelection: false,
    })
    const since = one({
      ...advanced({ operator: 'GreaterThanOrEqual', value: new Date('2026-01-02') }),
      displaySettings: { isLockedInViewMode: true },
    })
    expect(AdvancedFilter.strict().parse(since)).toMatchObject({
      conditions: [{ operator: 'GreaterThanOrEqual', value: '2026-01-02T00:00:00.000Z' }],
      displaySettings: { isLockedInViewMode: true },
    })
  })

  test('readFilters keeps what a list of values asks for, which bookmarks store and clients send back', () => {
    const target = { table: 'Sinistralidade', column: 'operadora' }
    const kept = one(JSON.parse(JSON.stringify(keepValues(target, ['CURITIBA']))))
    expect(kept).toMatchObject({ values: ['CURITIBA'], matchCase: true })
    expect(BasicFilter.strict().parse(kept)).toMatchObject({ matchCase: true })
    expect(one(basic(['CURITIBA']))).not.toHaveProperty('matchCase')
  })

  test('readFilters accepts as many filters as one data call may carry', () => {
    expect(readFilters(Array(20).fill(basic(['x'])), columns)).toHaveLength(20)
  })

  test('readFilters reads null and undefined as no filter', () => {
    expect(readFilters(null, columns)).toEqual([])
    const shouted = { ...basic(['x']), target: { table: 'SINISTRALIDADE', column: 'Operadora' } }
    expect(readFilters([shouted], columns)).toMatchObject([
      { target: { table: 'Sinistralidade', column: 'operadora' } },
    ])
    expect(readFilters(undefined, columns)).toEqual([])
  })

  test.each<[string, unknown]>([
    ['an unknown column', [basic(['x'], 'nada')]],
    ['an unknown table', [{ ...basic(['x']), target: { table: 'Outra', column: 'operadora' } }]],
    ['a table of the prototype', [{ ...basic(['x']), target: { table: '__proto__', column: 'x' } }]],
    [
      'a hierarchy',
      [{ ...basic(['x']), target: { table: 'Sinistralidade', hierarchy: 'h', hierarchyLevel: 'l' } }],
    ],
    ['three conditions', [advanced(...[1, 2, 3].map((value) => ({ operator: 'Is', value })))]],
    ['no condition', [advanced()]],
    ['a condition that does not exist', [advanced({ operator: 'Quase', value: 1 })]],
    ['an operator that does not exist', [basic(['x'], 'sexo', 'Top')]],
    ['a value that is an object', [basic([{ $ne: 1 }])]],
    ['a value that is not a number', [basic([Number.NaN])]],
    ['too many values', [basic(Array.from({ length: 10_001 }, (_, index) => index))]],
    ['too many filters', Array.from({ length: 21 }, () => basic(['x']))],
    ['no list', { 0: basic(['x']) }],
  ])('readFilters refuses %s', (_case, input) => {
    expect(() => readFilters(input, columns)).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ errorCode: 'InvalidFilter' }) }),
    )
  })
})

describe('applyOperation', () => {
  const operadora = one(basic(['CNU']))
  const sexo = one(basic(['feminino'], 'sexo'))
  const other = one(basic(['BRADESCO']))

  test.each([
    ['removes all filters', 0, []],
    ['replaces all filters', 1, [other]],
    ['adds filters', 2, [operadora, sexo, other]],
    ['replaces filters of the same target', 3, [sexo, other]],
  ])('applyOperation %s', (_case, operation, expected) => {
    expect(applyOperation([operadora, sexo], operation, [other])).toEqual(expected)
  })

  test('applyOperation refuses an operation that does not exist', () => {
    expect(() => applyOperation([], 7, [])).toThrow(expect.objectContaining({ status: 400 }))
  })
})

describe('describeFilter', () => {
  test.each([
    [basic(['CNU']), 'é CNU'],
    [basic(['CNU', 'SANTA_CASA']), 'é CNU ou SANTA_CASA'],
    [basic(['a', 'b'], 'sexo', 'NotIn'), 'não é a nem b'],
    [basic(['a', 'b', 'c', 'd', 'e']), 'é a, b, c ou mais 2'],
    [basic([], 'sexo', 'All'), 'todos'],
    [basic([null]), 'é (em branco)'],
    [basic(['']), 'é (texto vazio)'],
    [
      advanced({ operator: 'GreaterThan', value: 1000 }, { operator: 'LessThan', value: 2000 }),
      'maior que 1.000 e menor que 2.000',
    ],
    // Without a kind, a day alone may be a text.
    [advanced({ operator: 'Is', value: '2026-02-01' }, { operator: 'None' }), 'é 2026-02-01'],
    [advanced({ operator: 'Is', value: '2026-02-01T10:30:00' }, { operator: 'None' }), 'é 01/02/2026 10:30'],
    [advanced({ operator: 'IsBlank' }), 'está em branco'],
  ])('describeFilter writes case %#: %s', (filter, text) => {
    expect(describeFilter(one(filter))).toBe(text)
  })

  test('describeFilter writes a day by the kind of its column', () => {
    const day = one(advanced({ operator: 'Is', value: '2026-02-01' }, { operator: 'None' }))
    expect(describeFilter(day, (value) => cellText(value, 'date'))).toBe('é 01/02/2026')
    expect(describeFilter(day, (value) => cellText(value, 'text'))).toBe('é 2026-02-01')
  })
})

describe('filters by time, place and choice', () => {
  const time = (
    operator: unknown,
    timeUnitType: unknown,
    timeUnitsCount?: unknown,
    includeToday?: unknown,
  ) => ({
    $schema: 'http://powerbi.com/product/schema#relativeDate',
    target: { ...target, column: 'data' },
    filterType: 4,
    operator,
    timeUnitsCount,
    timeUnitType,
    includeToday,
  })
  const top = (more: object = {}) => ({
    target,
    filterType: 5,
    operator: 'Top',
    itemCount: 3,
    orderBy: { ...target, column: 'idade', aggregationFunction: 'Sum' },
    ...more,
  })
  const choice = (more: object = {}) => ({
    target,
    filterType: 3,
    isExclude: true,
    values: ['CNU', null],
    ...more,
  })
  const points = {
    target: [[target, { ...target, column: 'sexo' }]],
    filterType: 3,
    isExclude: false,
    values: [[[{ value: 'CNU' }, { value: 'feminino' }]]],
  }
  const read = (input: unknown) => readVisualFilters([input], columns)[0]

  test.each<[string, object]>([
    ['a period', time(0, 3, 2, true)],
    ['a relative time', { ...time(2, 8, 4, false), filterType: 7 }],
    ['a top N', top()],
    ['a bottom N by a plain column', top({ operator: 'Bottom', orderBy: { ...target, column: 'idade' } })],
    ['an exclusion', choice()],
    ['included points', points],
  ])('readVisualFilters turns %s into what the server accepts, unchanged', (_name, filter) => {
    expect(read({ ...filter, strange: 1 })).toEqual(filter)
    expect(VisualFilter.parse(filter)).toEqual(filter)
  })

  test('readVisualFilters completes "this month", and takes the type from the unit', () => {
    expect(one(time(1, 3))).toMatchObject({ filterType: 4, timeUnitsCount: 1, includeToday: false })
    expect(one({ ...time(0, 7, 5), filterType: undefined })).toMatchObject({ filterType: 7 })
  })

  test.each([
    ['a top N', top()],
    ['an exclusion', choice()],
    ['points', points],
  ])('readFilters accepts %s for a visual only', (_name, filter) => {
    expect(() => readFilters([filter], columns)).toThrow('Este tipo de filtro só vale para um visual.')
  })

  test.each<[string, object]>([
    ['another direction of time', time(3, 0, 1)],
    ['another unit', time(0, 9, 1)],
    ['no count', time(0, 0)],
    ['half a day', time(0, 0, 0.5)],
    ['too many days', time(0, 0, 10_001)],
    ['a text for includeToday', time(0, 0, 1, 'x')],
    ['another direction', top({ operator: 'First' })],
    ['no item count', top({ itemCount: 0 })],
    ['a measure', top({ orderBy: { table: 'Sinistralidade', measure: 'Custo' } })],
    ['an unknown order', top({ orderBy: { ...target, column: 'nada' } })],
    ['an unknown aggregate', top({ orderBy: { ...target, aggregationFunction: 'Median' } })],
    ['no order', top({ orderBy: undefined })],
    ['no isExclude', choice({ isExclude: undefined })],
    ['objects among plain values', choice({ values: [{ value: 'CNU' }] })],
    ['a point without its second value', { ...points, values: [[[{ value: 'CNU' }]]] }],
    ['points without columns', { ...points, values: [...points.values, ...points.values] }],
    ['columns of two tables', { ...points, target: [[target, { table: 'Outra', column: 'x' }]] }],
    ['no points', { ...points, values: [[]] }],
    ['a tuple', { target: [target], filterType: 6, operator: 'In', values: [] }],
    ['a hierarchy', { target: [target], filterType: 9, hierarchyData: [] }],
  ])('readVisualFilters refuses %s', (_name, filter) => {
    expect(() => readVisualFilters([filter], { ...columns, Outra: ['x'] })).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ message: 'InvalidFilter' }) }),
    )
  })

  test('applyOperation replaces points of the same columns only', () => {
    const [given] = readVisualFilters([points], columns)
    const [other] = readVisualFilters([choice()], columns)
    if (!given || !other) throw new Error('no filters')
    expect(applyOperation([given, other], 3, [given])).toEqual([other, given])
  })

  test.each<[object, string]>([
    [time(0, 0, 7, true), 'nos últimos 7 dias, com hoje'],
    [time(0, 0, 1), 'no último dia'],
    [time(1, 3), 'neste mês'],
    [time(1, 2), 'nesta semana'],
    [time(2, 6, 2), 'nos próximos 2 anos completos'],
    [time(0, 2, 1), 'na última semana completa'],
    [time(0, 8, 3), 'nas últimas 3 horas'],
  ])('%j is described as %s', (filter, words) => {
    expect(describeFilter(one(filter))).toBe(words)
  })
})

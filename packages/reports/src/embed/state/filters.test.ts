import { describe, expect, it } from 'vitest'
import { AdvancedFilter, BasicFilter } from '../../engine/definitions/definition.ts'
import { describeFilter } from './filter-text.ts'
import { applyOperation, readFilters } from './filters.ts'

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
  it('reads what the client sends into what the server accepts', () => {
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

  it('accepts as many filters as one data call may carry', () => {
    expect(readFilters(Array(20).fill(basic(['x'])), columns)).toHaveLength(20)
  })

  it('reads null and undefined as no filter', () => {
    expect(readFilters(null, columns)).toEqual([])
    expect(readFilters(undefined, columns)).toEqual([])
  })

  it.each<[string, unknown]>([
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
  ])('refuses %s', (_case, input) => {
    expect(() => readFilters(input, columns)).toThrow(
      expect.objectContaining({ status: 400, body: expect.objectContaining({ errorCode: 'InvalidFilter' }) }),
    )
  })
})

describe('applyOperation', () => {
  const operadora = one(basic(['CNU']))
  const sexo = one(basic(['feminino'], 'sexo'))
  const other = one(basic(['BRADESCO']))

  it.each([
    ['removes all filters', 0, []],
    ['replaces all filters', 1, [other]],
    ['adds filters', 2, [operadora, sexo, other]],
    ['replaces filters of the same target', 3, [sexo, other]],
  ])('%s', (_case, operation, expected) => {
    expect(applyOperation([operadora, sexo], operation, [other])).toEqual(expected)
  })

  it('refuses an operation that does not exist', () => {
    expect(() => applyOperation([], 7, [])).toThrow(expect.objectContaining({ status: 400 }))
  })
})

describe('describeFilter', () => {
  it.each([
    [basic(['CNU']), 'é CNU'],
    [basic(['CNU', 'SANTA_CASA']), 'é CNU ou SANTA_CASA'],
    [basic(['a', 'b'], 'sexo', 'NotIn'), 'não é a nem b'],
    [basic(['a', 'b', 'c', 'd', 'e']), 'é a, b, c ou mais 2'],
    [basic([], 'sexo', 'All'), 'todos'],
    [basic([null]), 'é (em branco)'],
    [
      advanced({ operator: 'GreaterThan', value: 1000 }, { operator: 'LessThan', value: 2000 }),
      'maior que 1.000 e menor que 2.000',
    ],
    [advanced({ operator: 'Is', value: '2026-02-01' }, { operator: 'None' }), 'é 01/02/2026'],
    [advanced({ operator: 'IsBlank' }), 'está em branco'],
  ])('writes case %#: %s', (filter, text) => {
    expect(describeFilter(one(filter))).toBe(text)
  })
})

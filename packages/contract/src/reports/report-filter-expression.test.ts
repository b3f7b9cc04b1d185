import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FilterExpressionError, parseReportFilters } from './report-filter-expression.ts'

const basic = (table: string, column: string, operator: string, values: unknown[]) => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table, column },
  filterType: 1,
  operator,
  values,
})

describe('parseReportFilters', () => {
  test.each([
    ["Sinistralidade/operadora eq 'CNU'", [basic('Sinistralidade', 'operadora', 'In', ['CNU'])]],
    ["T/c in ('a', 'b''c',\t'ç')", [basic('T', 'c', 'In', ['a', "b'c", 'ç'])]],
    ['T/idade ne 10', [basic('T', 'idade', 'NotIn', [10])]],
    ['T/ativo eq true', [basic('T', 'ativo', 'In', [true])]],
    ["Tabela_x0020_A/Situa_x00E7__x00E3_o eq 'x'", [basic('Tabela A', 'Situação', 'In', ['x'])]],
    ["T/a eq 'x' AND T/b in (1, -2.5)", [basic('T', 'a', 'In', ['x']), basic('T', 'b', 'In', [1, -2.5])]],
    ["T/a eq ''", [basic('T', 'a', 'In', [''])]],
    [
      "T/a ne 'x' and T/b eq 1 and T/a ne 'y'",
      [basic('T', 'a', 'NotIn', ['x', 'y']), basic('T', 'b', 'In', [1])],
    ],
  ])('parseReportFilters parses %s', (text, expected) => {
    expect(parseReportFilters(text)).toEqual(expected)
  })

  test('parseReportFilters combines two bounds on one column into one advanced filter', () => {
    expect(parseReportFilters("T/data ge '2026-01-01' and T/data lt '2027-01-01'")).toEqual([
      {
        $schema: 'http://powerbi.com/product/schema#advanced',
        target: { table: 'T', column: 'data' },
        filterType: 0,
        logicalOperator: 'And',
        conditions: [
          { operator: 'GreaterThanOrEqual', value: '2026-01-01' },
          { operator: 'LessThan', value: '2027-01-01' },
        ],
      },
    ])
  })

  test.each([
    [''],
    ['   '],
    ['operadora'],
    ["operadora eq 'CNU'"],
    ["T/c = 'x'"],
    ["T/c eq 'x"],
    ["T/c eq 'x' or T/c eq 'y'"],
    ["T/c eq 'x' T/d eq 'y'"],
    ['T/c in ()'],
    ["T/c in ('a'"],
    ['T/c gt 1 and T/c lt 9 and T/c lt 8'],
    ["T/c eq 'x'; drop table usuario"],
    ['T/c eq null'],
    ['T/c constructor 1'],
    [`T/c in (${'1,'.repeat(3_000)}1)`],
    ['T/c __proto__ 1'],
    ["T/c eq 'x' and T/c eq 'y'"],
    ['T/c eq 5 and T/c ge 1'],
  ])('parseReportFilters refuses %j with a sentence', (text) => {
    expect(() => parseReportFilters(text)).toThrow(FilterExpressionError)
    expect(() => parseReportFilters(text)).toThrow(/^Filtro inválido: .+\.$/)
  })
})

test('parseReportFilters returns filters or throws a FilterExpressionError for any input', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      'T/c',
      'eq',
      'in',
      'and',
      "'x'",
      '(',
      ')',
      ',',
      '10',
      '-1.5',
      "''",
      ' ',
      '_x0020_',
      'gt',
      'true',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 30 }), (parts) => {
      try {
        expect(Array.isArray(parseReportFilters(parts.join(' ')))).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(FilterExpressionError)
      }
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  [`t/c eq ${'9'.repeat(400)}`, /grande demais/],
  ['t/c gt -9007199254740993', /grande demais/],
  ['t_x0000_/c eq 1', /posição 1 tem um caractere/],
  ['t/c_xD800_ eq 1', /posição 3 tem um caractere/],
])('parseReportFilters refuses a value or name that would change its meaning: %#', (expression, message) => {
  expect(() => parseReportFilters(expression)).toThrow(message)
})

test('parseReportFilters keeps a filter for each of two columns whose joined names are equal', () => {
  const filters = parseReportFilters('a_x002F_b/c ne 1 and a/b_x002F_c ne 2')
  expect(filters.map(({ target, values }) => [target, values])).toEqual([
    [{ table: 'a/b', column: 'c' }, [1]],
    [{ table: 'a', column: 'b/c' }, [2]],
  ])
})

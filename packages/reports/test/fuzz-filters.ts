import fc from 'fast-check'
import { expect } from 'vitest'
import type { PageData } from '../src/wire/embed-contract.ts'
import type { Service } from './fixture.ts'

const cnuOnly = [3, 4]

const name = fc.oneof(
  fc.constantFrom('Claims', 'Access', 'operadora', 'sexo', 'valor', 'dia', 'pago', 'hora', 'id', 'claims'),
  fc.constantFrom('__proto__', 'constructor', '', '"', "x' OR 1=1 --", 'main.Claims', '$username'),
  fc.string(),
)
const value = fc.oneof(
  fc.constantFrom<unknown>(
    'CNU',
    'BRADESCO',
    'cnu',
    '',
    "' OR '1'='1",
    '%',
    '_',
    '2024-03-15',
    'NaN',
    '1e999',
  ),
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue(),
)
const operator = fc.oneof(
  fc.constantFrom(
    'In',
    'NotIn',
    'All',
    'Is',
    'IsNot',
    'Contains',
    'StartsWith',
    'LessThan',
    'GreaterThan',
    'IsBlank',
  ),
  fc.string(),
)
const filter = fc.record(
  {
    $schema: fc.string(),
    target: fc.record({ table: name, column: name }),
    filterType: fc.constantFrom(0, 1, 2, 3, 4, 5, 7, 'x'),
    operator: fc.oneof(operator, fc.constantFrom('Top', 'Bottom', 0, 1, 2)),
    values: fc.array(value, { maxLength: 5 }),
    logicalOperator: fc.constantFrom('And', 'Or', 'Xor'),
    itemCount: fc.oneof(fc.integer({ min: -1, max: 5 }), value),
    orderBy: fc.record(
      { table: name, column: name, aggregationFunction: fc.oneof(fc.constantFrom('Sum', 'Max'), name) },
      { requiredKeys: ['table', 'column'] },
    ),
    isExclude: fc.boolean(),
    timeUnitsCount: fc.integer({ min: -1, max: 10_001 }),
    timeUnitType: fc.integer({ min: -1, max: 9 }),
    includeToday: fc.boolean(),
    conditions: fc.array(fc.record({ operator, value }, { requiredKeys: [] }), { maxLength: 3 }),
  },
  { requiredKeys: ['target'] },
)
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      page: fc.constantFrom('Main', 'Main', 'Nope'),
      filters: fc.array(filter, { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
)

/**
 * Sends random filters with a token of one operadora. Every answer must match the contract, without
 * 5xx and without rows of others.
 * @returns how many were sent, and how many were answered with rows
 */
export const fuzzFilters = async (
  service: Service,
  runs: number,
): Promise<{ sent: number; answered: number }> => {
  const token = await service.embedToken(['cnu'])
  let answered = 0
  await fc.assert(
    fc.asyncProperty(body, async (payload) => {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/embed-api/reports/e0000000-0000-4000-8000-000000000001/data',
        headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
        payload: JSON.stringify(payload) ?? 'null',
      })
      expect([200, 400, 404]).toContain(answer.statusCode)
      if (answer.statusCode !== 200) {
        expect(answer.json().error.code).toMatch(/^\w+$/)
        return
      }
      answered += 1
      const { visuals } = answer.json() as PageData
      for (const [id] of visuals.ids?.rows ?? []) expect(cnuOnly).toContain(id)
    }),
    { numRuns: runs },
  )
  return { sent: runs, answered }
}

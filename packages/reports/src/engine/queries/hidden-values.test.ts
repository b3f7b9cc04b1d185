import { expect, test } from 'vitest'
import { REPORT, serviceWith } from '../../../test/fixture.ts'
import type { ResolvedFilter } from './filters.ts'
import { queryVisual, type Statement } from './query.ts'

const target = { table: 'Claims', column: 'operadora' }
const filters: [operator: string, filter: (value: string) => ResolvedFilter][] = [
  ['In', (value) => ({ target, operator: 'In', values: [value] })],
  ['NotIn', (value) => ({ target, operator: 'NotIn', values: [value] })],
  ...(['Is', 'IsNot', 'Contains', 'StartsWith', 'DoesNotStartWith'] as const).map(
    (operator): [string, (value: string) => ResolvedFilter] => [
      operator,
      (value) => ({ target, logicalOperator: 'And', conditions: [{ operator, value }] }),
    ],
  ),
]

// The time of an answer must not reveal which values the hidden rows have.
test.each(filters)(
  'a restricted %s filter runs the same SQL for a hidden value as for a missing one',
  async (_, of) => {
    const { reports } = await (await serviceWith()).loaded
    const report = reports.get(REPORT)
    const visual = report?.pages[0]?.visuals[0]
    if (!report || !visual) throw new Error('the fixture has no such report')
    const asked = async (role: string, value: string): Promise<Statement | undefined> => {
      let statement: Statement | undefined
      await queryVisual(
        async (write) => {
          statement = write()
          return []
        },
        report.dataset,
        visual,
        { username: 'x', roles: [role] },
        { filters: [of(value)], drillPath: [] },
      )
      return statement
    }
    const [hidden, none] = [await asked('cnu', 'BRADESCO'), await asked('cnu', 'NENHUMA')]
    expect(hidden?.text).toBe(none?.text)
    expect([hidden, none].map((one) => Object.values(one?.values ?? {}))).toEqual([['bradesco'], ['nenhuma']])
    // Users who see all rows may know all values.
    expect((await asked('todos', 'BRADESCO'))?.text).not.toBe((await asked('todos', 'NENHUMA'))?.text)
  },
)

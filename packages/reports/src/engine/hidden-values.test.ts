import { expect, it } from 'vitest'
import { REPORT, serviceWith } from '../../test/fixture.ts'
import type { Filter } from './definition.ts'
import { queryVisual, type Statement } from './query.ts'

const target = { table: 'Claims', column: 'operadora' }
const filters: [operator: string, filter: (value: string) => Filter][] = [
  ['In', (value) => ({ target, operator: 'In', values: [value] })],
  ['NotIn', (value) => ({ target, operator: 'NotIn', values: [value] })],
  ...(['Is', 'IsNot', 'Contains', 'StartsWith', 'DoesNotStartWith'] as const).map(
    (operator): [string, (value: string) => Filter] => [
      operator,
      (value) => ({ target, logicalOperator: 'And', conditions: [{ operator, value }] }),
    ],
  ),
]

// How long an answer takes would tell which values the hidden rows have.
it.each(filters)(
  '%s of a value that only hidden rows have asks what one of no row at all asks',
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
        { filters: [of(value)], opened: [] },
      )
      return statement
    }
    const [hidden, none] = [await asked('cnu', 'BRADESCO'), await asked('cnu', 'NENHUMA')]
    expect(hidden?.text).toBe(none?.text)
    expect([hidden, none].map((one) => Object.values(one?.values ?? {}))).toEqual([['bradesco'], ['nenhuma']])
    // Where all rows are seen, so are their values.
    expect((await asked('todos', 'BRADESCO'))?.text).not.toBe((await asked('todos', 'NENHUMA'))?.text)
  },
)

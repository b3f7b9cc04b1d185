import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CLAIMS,
  claimsDataset,
  claimsReport,
  REPORT,
  serviceWith,
  visual,
  writeFiles,
} from '../../../test/fixture.ts'
import type { VisualFilter } from '../../definitions/wire-filters.ts'
import { queryVisual } from '../../engine/queries/query.ts'
import { resolveFilter } from '../../engine/queries/resolved-filters.ts'
import type { PageData } from '../../wire/embed-contract.ts'

/* Answers are cached, shared with other readers, and taken from aggregation tables. */

const insurers = ['BRADESCO', 'CNU', 'SANTA_CASA']
const days = ['2026-01-31', '2026-02-15', '2026-02-28', '2026-03-01', '2026-03-20']
const readers = [
  { roles: ['todos'], username: 'ana@x.br' },
  { roles: ['cnu'], username: 'ana@x.br' },
  { roles: ['por-usuario'], username: 'ana@x.br' },
  { roles: ['por-usuario'], username: 'bia@x.br' },
  { roles: ['por-dado'], username: 'ana@x.br', customData: 'BRADESCO' },
  { roles: ['recentes'], username: 'bia@x.br' },
]

const target = (column: string) => ({ table: 'Claims', column })
const filter: fc.Arbitrary<VisualFilter> = fc.oneof(
  fc.record({
    target: fc.constant(target('operadora')),
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.subarray(insurers, { minLength: 1 }),
  }),
  fc.record({
    target: fc.constant(target('id')),
    operator: fc.constant('In' as const),
    values: fc.subarray([1, 2, 3, 4, 5, 6], { minLength: 1 }),
  }),
  // The last days, which move with the time.
  fc.record({
    target: fc.constant(target('dia')),
    filterType: fc.constant(4 as const),
    operator: fc.constant(0 as const),
    timeUnitType: fc.constant(0 as const),
    timeUnitsCount: fc.constantFrom(1, 20, 60),
    includeToday: fc.constant(true),
  }),
)
const question = fc.record({
  reader: fc.nat(readers.length - 1),
  filters: fc.array(filter, { maxLength: 2 }),
})
const claim = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  operadora: fc.constantFrom(...insurers),
  dia: fc.constantFrom(...days),
  valor: fc.integer({ min: 0, max: 400 }),
})
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ask: fc.array(question, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ publish: fc.array(claim, { maxLength: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ wait: fc.integer({ min: 1, max: 40 }) }) },
)
const MS_PER_DAY = 86_400_000

const files = {
  'datasets/claims/dataset.json': {
    ...claimsDataset,
    tables: { Claims: { file: 'claims.csv' }, Access: { file: 'access.csv', hidden: true } },
    summaries: [{ name: 'Somas', of: 'Claims', by: ['operadora', 'dia'], sums: ['valor'] }],
    roles: [
      ...claimsDataset.roles,
      { name: 'recentes', rows: { Claims: "dia >= current_date - INTERVAL 5 YEAR AND operadora <> 'CNU'" } },
    ],
  },
  'datasets/claims/claims.csv': 'id,operadora,dia,valor\n1,CNU,2026-02-28,10\n',
  'workspaces/one/claims.json': {
    ...claimsReport,
    pages: [
      {
        name: 'Main',
        displayName: 'Principal',
        visuals: [
          visual('ids', 'SELECT id, count(*) AS n FROM Claims GROUP BY id ORDER BY id'),
          visual('sums', 'SELECT operadora, sum(valor) AS v FROM Claims GROUP BY 1 ORDER BY 1', {
            summary: 'Somas',
          }),
        ],
      },
    ],
  },
}

test('answers are the same as computed anew, for any filters, roles, publications and times', async () => {
  const service = await serviceWith({ files })
  /** Tokens expire when the time moves. */
  const newTokens = () => Promise.all(readers.map(({ roles, ...more }) => service.embedToken(roles, more)))
  /** Computes the visuals without a cache and without aggregation tables. */
  const computed = async ({ reader, filters }: { reader: number; filters: VisualFilter[] }) => {
    const report = service.versions.current()?.reports.get(REPORT) ?? expect.fail('no report')
    const { dataset, pages } = report
    const identity = { ...(readers[reader] ?? expect.fail('no reader')), datasets: [CLAIMS] }
    const visuals: PageData['visuals'] = {}
    for (const { aggregation: _, ...plain } of pages[0]?.visuals ?? [])
      visuals[plain.definition.name] = await queryVisual(
        (write) => {
          const { text, values } = write()
          return dataset.database.query(text, values)
        },
        dataset,
        plain,
        identity,
        {
          filters: filters.map((one) => resolveFilter(dataset, one, service.clock.now)),
          drillPath: [],
        },
      )
    return visuals
  }
  const start = service.clock.now
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      service.clock.now = start
      let tokens = await newTokens()
      for (const one of steps) {
        if ('wait' in one) {
          service.clock.now = start + one.wait * MS_PER_DAY
          tokens = await newTokens()
        }
        if ('publish' in one) {
          const lines = one.publish.map(({ id, operadora, dia, valor }) => [id, operadora, dia, valor].join())
          const text = ['id,operadora,dia,valor', '1,CNU,2026-02-28,10', ...lines, ''].join('\n')
          await writeFiles(service.dataDir, { 'datasets/claims/claims.csv': text })
          await service.versions.refresh()
        }
        if (!('ask' in one)) continue
        // Each question twice, so that one is shared or cached.
        const asked = [...one.ask, ...one.ask]
        const answers = await Promise.all(
          asked.map(({ reader, filters }) => service.data(tokens[reader] ?? '', filters)),
        )
        for (const [index, answer] of answers.entries()) {
          expect(answer.statusCode, answer.body).toBe(200)
          const expected = await computed(asked[index] ?? expect.fail('no question'))
          expect(answer.json()).toMatchObject({ visuals: expected, failures: {} })
        }
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
}, 120_000)

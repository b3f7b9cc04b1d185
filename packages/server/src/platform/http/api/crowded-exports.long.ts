import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUDIT_ROWS, callTogether, startCrowdedServer } from '../../../../test/checks/crowded-exports.ts'

const AT_ONCE = 12
const places = Array.from({ length: AT_ONCE }, (_, n) => n)

type Crowd = Awaited<ReturnType<typeof startCrowdedServer>>
interface Case {
  urls: (crowd: Crowd) => string[]
  /** Upper bound of the processor time of all calls together, as a multiple of one call's. */
  most: number
  /** Lower bound of the bytes of each answer; an audit line has about 200. */
  least: number
}

describe.each(['embedded', 'postgres'])('twelve concurrent exports of twelve users (%s)', (kind) => {
  let crowd: Crowd
  beforeAll(async () => {
    const { TEST_DATABASE } = process.env
    process.env.TEST_DATABASE = kind
    crowd = await startCrowdedServer(AT_ONCE).finally(() => {
      process.env.TEST_DATABASE = TEST_DATABASE
    })
  })
  afterAll(() => crowd?.close())

  test.each<[string, Case]>([
    [
      'the audit trail as CSV, whole',
      // Identical exports of the trail share one run.
      { urls: () => places.map(() => '/auditoria.csv'), most: 4, least: AUDIT_ROWS * 150 },
    ],
    [
      'the audit trail as CSV, each from a different day',
      {
        urls: () => places.map((n) => `/auditoria.csv?de=${day(1 + n)}`),
        most: AT_ONCE,
        // The left-out days have 1,440 lines each.
        least: (AUDIT_ROWS - AT_ONCE * 1_440) * 150,
      },
    ],
    [
      'the audit trail as CSV, each with a different filter',
      { urls: () => filters.map((filter) => `/auditoria.csv?${filter}`), most: AT_ONCE, least: 2_000 * 150 },
    ],
    [
      'a beneficiary as PDF',
      {
        urls: ({ beneficiary }) =>
          places.map(() => `/protecao-de-dados/beneficiarios/${beneficiary}/exportacao.pdf`),
        // A thread parses the PDF font only once.
        most: AT_ONCE,
        least: 100_000,
      },
    ],
  ])('all answer within 5 s while other calls stay fast: %s', async (name, { urls, most, least }) => {
    const all = urls(crowd)
    const alone = await callTogether(crowd, all.slice(0, 1))
    const together = await callTogether(crowd, all)
    const told = ({ answers, ...figures }: typeof alone) =>
      JSON.stringify({ ...figures, bytes: answers[0]?.bytes })
    console.log(`${kind}, ${name}\n  1:  ${told(alone)}\n  ${AT_ONCE}: ${told(together)}`)
    expect(new Set(together.answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { bytes } of together.answers) expect(bytes).toBeGreaterThan(least)
    expect(together.cpuMs).toBeLessThan(most * alone.cpuMs)
    expect(together.beside.p95).toBeLessThan(1_000)
    expect(together.slowestMs).toBeLessThan(5_000)
  })
})

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}`
/** By user, action, object and period: from 2,500 to 80,000 lines each. */
const filters = [
  'acao=embed.issued',
  'objeto=relatorio',
  'acao=workspace.updated',
  'objeto=workspace',
  'idUsuario=1',
  'idUsuario=2',
  'idUsuario=3&objeto=relatorio',
  'de=2026-01-02&ate=2026-01-08',
  'de=2026-01-09&ate=2026-01-15',
  'de=2026-02-01&ate=2026-02-28',
  'de=2026-02-01',
  'ate=2026-01-31',
]

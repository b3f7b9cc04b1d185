import { describe, expect, test } from 'vitest'
import type { ColumnKind, EmbeddedVisual } from '../../wire/embed-contract.ts'
import type { PageDataApi } from '../session/page-data.ts'
import { loadPageData } from '../session/page-data.ts'
import { answerOf } from '../test/answer-of.ts'
import { report } from '../test/session-fixture.ts'
import { dataCsv } from '../view/tables/data-csv.ts'
import { EmbedProblem } from './problem.ts'
import { authorState } from './report-state.ts'

/*
 * Kind: a map is read with a name that an author or a reader writes, and finds what every object
 * inherits.
 */

const inherited = Object.getOwnPropertyNames(Object.prototype)
const [page] = report.pages
const visualsOf = (names: string[]) =>
  names.map((name) => ({ ...(page?.visuals[0] as EmbeddedVisual), name, title: name }))
const named = (names: string[]) => ({
  ...report,
  expiresAt: Date.parse('2026-03-01T12:00:00Z'),
  pages: [{ name: 'constructor', displayName: 'P', filters: [], visuals: visualsOf(names) }],
})

describe('names that every object inherits', () => {
  test('names that every object inherits say that the data of a visual did not come, or show its own', async () => {
    const state = authorState(named(inherited))
    const rows = answerOf({ columns: ['n'], rows: [[1]], truncated: false })
    const answer = { visuals: { valueOf: rows }, failures: {}, dataTime: '2026-03-01T12:00:00Z' }
    const api = { pageData: async () => answer } as unknown as PageDataApi
    const result = await loadPageData(api, 'token', state, new AbortController().signal)
    expect(Object.keys(result).toSorted()).toEqual(inherited.toSorted())
    const missing = inherited.filter((name) =>
      Object.entries(result).some(([key, data]) => key === name && data instanceof EmbedProblem),
    )
    expect(missing).toEqual(inherited.filter((name) => name !== 'valueOf'))
    expect(Object.entries(result).find(([name]) => name === 'valueOf')?.[1]).toEqual(rows)
  })

  test('names that every object inherits are headings and formats of columns only when the author gives them', () => {
    const [visual] = visualsOf(['lista']) as [EmbeddedVisual]
    const columns = ['constructor', 'toString', 'valueOf']
    const table = {
      ...visual,
      type: 'table' as const,
      labels: { valueOf: 'Valor' } as Record<string, string>,
    }
    const kinds: ColumnKind[] = ['text', 'number', 'boolean']
    expect(dataCsv(table, { columns, kinds }, [['a', 1.5, true]], {})).toBe(
      '\uFEFFConstructor;ToString;Valor\r\na;1,5;sim\r\n',
    )
  })
})

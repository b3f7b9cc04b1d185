import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { initialState } from '../../embed-page/session/load-options.ts'
import { answerOf } from '../../embed-page/test/answer-of.ts'
import type { EmbeddedReport, VisualData } from '../../wire/embed-contract.ts'
import { collectWorkbook } from './describe-workbook.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const visual = (name: string) => ({
  name,
  type: 'table' as const,
  title: name,
  layout: { x: 0, y: 0, width: 300, height: 100 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
})
const report: EmbeddedReport = {
  id: 'r1',
  name: 'Custos',
  filterPane: [],
  bookmarks: [],
  filters: [],
  columns: {},
  columnKinds: {},
  timeZone: 'America/Sao_Paulo',
  pages: [1, 2, 3].map((page) => ({
    name: `p${page}`,
    displayName: `Página ${page}`,
    filters: [],
    visuals: [visual(`v${page}`)],
  })),
  expiresAt: 0,
}

/** 600,000 cells. */
const rows = (): VisualData =>
  answerOf({
    columns: Array.from({ length: 60 }, (_, column) => `c${column}`),
    rows: Array.from({ length: 10_000 }, () => new Array<number>(60).fill(1)),
    truncated: false,
  })

// The limit applied to the whole file, when the rows of all pages were in memory.
test('the description keeps the rows of pages that fit, and drops those of others as they are added', async () => {
  const workbook = collectWorkbook(report)
  const added = report.pages.map(({ name }) => {
    const data = rows()
    const state = initialState(report, { pageName: name })
    workbook.add({ state, result: { [name.replace('p', 'v')]: data } })
    return new WeakRef(data.rows)
  })
  // References that were read in this turn stay until its end.
  await nextTurn()
  collectGarbage()
  expect(added.map((one) => one.deref() !== undefined)).toEqual([true, false, false])
  const { sheets, contents } = workbook.describe({ person: undefined, dataTime: undefined, created: 0 })
  expect(sheets.map(({ rows }) => rows.length)).toEqual([10_000])
  const reason = 'Sem planilha: o arquivo chegou a 1.000.000 células. Exporte este visual sozinho.'
  expect(contents.slice(1)).toEqual([
    ['v1', 'v1', 'Página 1', 10_000, ''],
    ['', 'v2', 'Página 2', 0, reason],
    ['', 'v3', 'Página 3', 0, reason],
  ])
})

test('the description says how many texts of a sheet are cut', () => {
  const workbook = collectWorkbook(report)
  const data = answerOf({ columns: ['t'], rows: [['a…'], ['b…']], truncated: false, cutTexts: 2 })
  workbook.add({ state: initialState(report, { pageName: 'p1' }), result: { v1: data } })
  expect(JSON.stringify(workbook.describe({ person: undefined, dataTime: undefined, created: 0 }))).toContain(
    '2 textos longos estão só com o começo',
  )
})

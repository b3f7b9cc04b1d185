import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EmbeddedReport, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { initialState } from '../../session/load-options.ts'
import type { ReportState } from '../../state/report-state.ts'
import { answerOf } from '../../test/answer-of.ts'
import { stubCanvas, watchedActions } from '../../test/canvas-fixture.ts'
import { filterOn } from '../../test/session-fixture.ts'
import * as charts from '../charts/chart.ts'
import { createReportView } from './report-view.ts'

let frameSize = { width: 1280, height: 720 }
let idle: (() => void)[] = []

beforeEach(() => {
  stubCanvas()
  frameSize = { width: 1280, height: 720 }
  idle = []
  // happy-dom has no layout: a connected panel has the size of the frame.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return this.isConnected ? frameSize.width : 0
  })
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.isConnected ? frameSize.height : 0
  })
  Object.assign(window, { requestIdleCallback: (run: () => void) => idle.push(run) })
})
afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(window, 'requestIdleCallback')
  document.body.replaceChildren()
  document.documentElement.removeAttribute('style')
})

const visual = (name: string, type: EmbeddedVisual['type'], x: number): EmbeddedVisual => ({
  name,
  type,
  title: name,
  layout: { x, y: 0, width: 400, height: 300 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
})
const settings = { panes: { filters: { visible: false } } }
const reportOf = (id: string): EmbeddedReport => ({
  id,
  name: id,
  filterPane: [],
  bookmarks: [],
  filters: [],
  columns: { T: ['c', 'operadora'], Sinistralidade: ['operadora'] },
  columnKinds: { T: ['text', 'text'], Sinistralidade: ['text'] },
  timeZone: 'America/Sao_Paulo',
  expiresAt: Number.MAX_SAFE_INTEGER,
  pages: [
    {
      name: 'p',
      displayName: 'Página',
      filters: [],
      visuals: [visual('um', 'column', 0), visual('dois', 'bar', 400), visual('total', 'card', 800)],
    },
  ],
})
const stateOf = (report = reportOf('A'), options: object = {}) =>
  initialState(report, { settings, ...options })
const rowsOf = (factor: number): VisualData =>
  answerOf({
    columns: ['c', 'n'],
    rows: [
      ['a', 2 * factor],
      ['b', factor],
    ],
    truncated: false,
  })
const resultOf = (factor = 1) => ({ um: rowsOf(factor), dois: rowsOf(factor), total: rowsOf(factor) })

/** Opens a frame and counts the charts mounted in it. */
const open = () => {
  const root = document.createElement('div')
  document.body.append(root)
  const mounted = vi.spyOn(charts, 'mountChart')
  const view = createReportView(root, watchedActions())
  const query = (selector: string) => root.querySelector<HTMLElement>(selector)
  const life = new AbortController()
  return {
    root,
    view,
    query,
    life,
    mounted: () => mounted.mock.calls.length,
    hidden: () => root.querySelectorAll('.panel .ahead').length,
    shown: () => [...root.querySelectorAll<HTMLElement>('.panel > .canvas')],
    ahead: (state: ReportState, result = resultOf()) => view.drawAhead(state, result, life.signal),
    /** Loads a report as the session does. */
    async load(state: ReportState, result = resultOf()) {
      view.showLoading()
      view.showReport(state, true)
      await view.drawPage(state, result, new AbortController().signal)
    },
  }
}

/** Lets this many pauses of the hidden drawing end. */
const rest = async (times: number) => {
  for (let time = 0; time < times; time += 1) {
    await new Promise((resolve) => setTimeout(resolve))
    for (const run of idle.splice(0)) run()
  }
  await new Promise((resolve) => setTimeout(resolve))
}

describe.each([
  ['next to a visible report', true],
  ['in an empty frame', false],
])('a page drawn ahead %s', (_where, beside) => {
  async function opened() {
    const own = open()
    own.view.showLoading()
    if (beside) await own.load(stateOf(reportOf('shown')))
    return { ...own, before: own.mounted() }
  }

  test('a page drawn ahead is invisible and inert, draws one chart per idle pause, and is reused when it is opened', async () => {
    const { ahead, load, hidden, shown, query, mounted, before } = await opened()
    const state = stateOf()
    const result = resultOf()
    ahead(state, result)
    expect(hidden()).toBe(1)
    expect(query('.panel > .ahead')?.hasAttribute('inert')).toBe(true)
    expect(shown()).toHaveLength(beside ? 1 : 0)
    await rest(1)
    expect(mounted()).toBe(before)
    expect(query('.ahead .card-value')?.textContent).toBe('1')
    await rest(1)
    expect(mounted()).toBe(before + 1)
    await rest(2)
    expect(mounted()).toBe(before + 2)
    const page = query('.ahead .canvas')
    const drawn = [...(page?.querySelectorAll('.visual-body *') ?? [])]
    await load({ ...state }, result)
    expect(shown()).toEqual([page])
    // None of it was drawn again.
    expect(drawn.length).toBeGreaterThan(20)
    expect(drawn.filter((element) => !page?.contains(element))).toEqual([])
    expect([hidden(), mounted()]).toEqual([0, before + 2])
    expect(query('.report')?.classList.contains('ahead')).toBe(false)
    expect(query('[aria-busy]')).toBeNull()
  })

  test('a page drawn ahead is completed when it is opened half drawn', async () => {
    const { ahead, load, mounted, before } = await opened()
    const [state, result] = [stateOf(), resultOf()]
    ahead(state, result)
    await rest(2)
    expect(mounted()).toBe(before + 1)
    await load(state, result)
    expect(mounted()).toBe(before + 2)
    // The hidden drawing does not continue.
    await rest(3)
    expect(mounted()).toBe(before + 2)
  })

  test.each([
    ['the report was published again', () => stateOf(reportOf('A'))],
    [
      'the filters differ',
      (one: ReportState) => stateOf(one.report as never, { filters: [filterOn('CNU')] }),
    ],
  ])('a page drawn ahead is discarded when %s', async (_why, next) => {
    const { ahead, load, hidden, shown, query } = await opened()
    const state = stateOf()
    ahead(state)
    await rest(4)
    const page = query('.ahead .canvas')
    await load(next(state), resultOf(7))
    expect(hidden()).toBe(0)
    expect(shown()).toHaveLength(1)
    expect(shown()[0]).not.toBe(page)
    expect(query('.panel .card-value')?.textContent).toBe('7')
  })

  test('a page drawn ahead is drawn again when the frame has another size', async () => {
    const { ahead, load, shown, query } = await opened()
    const [state, result] = [stateOf(), resultOf()]
    ahead(state, result)
    await rest(4)
    expect(query('.ahead .visual')?.style.width).toBe('400px')
    frameSize = { width: 1600, height: 900 }
    await load(state, result)
    expect(shown()[0]?.querySelector<HTMLElement>('.visual')?.style.width).toBe('500px')
  })

  test('a page drawn ahead is discarded when its signal aborts, and the visible report stays', async () => {
    const { ahead, hidden, life, query, shown, mounted, before } = await opened()
    ahead(stateOf())
    await rest(1)
    life.abort()
    expect(hidden()).toBe(0)
    expect(query('.report') !== null).toBe(beside)
    expect(shown()).toHaveLength(beside ? 1 : 0)
    await rest(3)
    expect(mounted()).toBe(before)
  })

  test('a page drawn ahead stays once it is opened, also when its signal aborts', async () => {
    const { ahead, load, life, shown, query } = await opened()
    const [state, result] = [stateOf(), resultOf()]
    ahead(state, result)
    await load(state, result)
    life.abort()
    expect(shown()).toHaveLength(1)
    expect(query('.report')).not.toBeNull()
  })

  test.each<[string, () => ReportState]>([
    ['a bookmark drilled down', () => ({ ...stateOf(), drill: { 'p/um': ['a'] } })],
    ['the embedder sets a theme', () => ({ ...stateOf(), theme: { name: 'own', dataColors: ['#123456'] } })],
  ])('a page drawn ahead is not drawn when %s', async (_why, state) => {
    const { ahead, hidden } = await opened()
    ahead(state())
    expect(hidden()).toBe(0)
  })

  test('a page drawn ahead is not drawn when visuals are stacked', async () => {
    const { ahead, hidden } = await opened()
    frameSize = { width: 390, height: 844 }
    ahead(stateOf())
    expect(hidden()).toBe(0)
  })

  test('a page drawn ahead is not discarded by the signal of a page that was opened before', async () => {
    const { view, ahead, load, life, hidden } = await opened()
    const [state, result] = [stateOf(), resultOf()]
    ahead(state, result)
    await load(state, result)
    view.drawAhead(stateOf(reportOf('B')), resultOf(), new AbortController().signal)
    life.abort()
    expect(hidden()).toBe(1)
  })

  test('a page drawn ahead is replaced by the next one', async () => {
    const { ahead, load, hidden, shown, query } = await opened()
    ahead(stateOf(reportOf('A')))
    await rest(2)
    const [state, result] = [stateOf(reportOf('B')), resultOf(9)]
    ahead(state, result)
    expect(hidden()).toBe(1)
    await rest(4)
    await load(state, result)
    expect(shown()).toHaveLength(1)
    expect(query('.panel .card-value')?.textContent).toBe('9')
  })
})

test('a page drawn ahead is discarded when the visible report changes or is printed', async () => {
  const { view, ahead, load, hidden } = open()
  const state = stateOf(reportOf('shown'))
  await load(state)
  ahead(stateOf())
  view.showReport({ ...state, zoom: 2 }, false)
  expect(hidden()).toBe(0)
  view.showReport(state, false)
  ahead(stateOf())
  expect(hidden()).toBe(1)
  window.dispatchEvent(new Event('beforeprint'))
  expect(hidden()).toBe(0)
})

test('a page is not drawn ahead when the visible report has another text size', async () => {
  const { ahead, load, hidden } = open()
  await load({ ...stateOf(reportOf('shown')), zoom: 2 })
  ahead(stateOf())
  expect(hidden()).toBe(0)
})

test('a page is not drawn ahead in an empty frame when its report has a filter pane', () => {
  const { view, ahead, query } = open()
  view.showLoading()
  ahead(initialState(reportOf('A'), { settings: {} }))
  expect(query('.report')).toBeNull()
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { initialState } from '../../session/load-options.ts'
import { watchedActions } from '../../test/canvas-fixture.ts'
import { createReportView } from './report-view.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const actions = watchedActions()
const reportOf = (name: string) => ({
  id: name,
  name,
  filterPane: [],
  bookmarks: [],
  filters: [],
  columns: {},
  columnKinds: {},
  timeZone: 'America/Sao_Paulo',
  expiresAt: Number.MAX_SAFE_INTEGER,
  pages: [{ name: 'p', displayName: 'Página', filters: [], visuals: [] }],
})
const stateOf = (name: string) => initialState(reportOf(name), { settings: {} })

test('the message of one report is not shown over the next', () => {
  const root = document.createElement('div')
  const view = createReportView(root, actions)
  const told = () => root.querySelector('.told')?.textContent
  view.showReport(stateOf('A'), false)
  view.showMessage('O marcador não existe mais.')
  expect(told()).toBe('O marcador não existe mais.')
  vi.advanceTimersByTime(5000)
  view.showLoading()
  view.showReport(stateOf('B'), false)
  expect(told()).toBe('')
  // The timer of the first message does not remove a later one.
  view.showMessage('O filtro não serve.')
  vi.advanceTimersByTime(16_000)
  expect(told()).toBe('O filtro não serve.')
})

test('a new page starts at its top, and the same page keeps its scroll position', () => {
  const root = document.createElement('div')
  const view = createReportView(root, actions)
  const report = reportOf('A')
  const pages = ['p', 'q'].map((name) => ({ name, displayName: name, filters: [], visuals: [] }))
  const state = initialState({ ...report, pages }, { settings: {} })
  const panel = () => root.querySelector('.panel') ?? expect.fail('no panel')
  view.showReport(state, false)
  panel().scrollTop = 50
  view.showReport({ ...state, zoom: 2 }, false)
  expect(panel().scrollTop).toBe(50)
  view.showReport({ ...state, activePage: 'q' }, false)
  expect(panel().scrollTop).toBe(0)
  expect(panel().querySelectorAll('.canvas')).toHaveLength(1)
})

test('the colours of the embedder apply until a report is shown without them', () => {
  const root = document.createElement('div')
  const view = createReportView(root, actions)
  const surface = () => document.documentElement.style.getPropertyValue('--surface')
  const theme = { name: 'Empresa', background: '#102030', foreground: '#ffffff' }
  view.showReport({ ...stateOf('A'), theme }, false)
  expect(surface()).toBe('#102030')
  window.dispatchEvent(new Event('beforeprint'))
  expect(surface()).toBe('')
  window.dispatchEvent(new Event('afterprint'))
  expect(surface()).toBe('#102030')
  view.showLoading()
  expect(surface()).toBe('#102030')
  view.showReport(stateOf('B'), false)
  expect(surface()).toBe('')
})

test('the report view prints light, and as wide as the sheet, in a browser without print events', () => {
  const print = new EventTarget()
  const matchMedia = window.matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    query === 'print' ? (print as MediaQueryList) : matchMedia(query),
  )
  const view = createReportView(document.createElement('div'), actions)
  view.showReport({ ...stateOf('A'), theme: { name: 'Empresa', background: '#102030' } }, false)
  const change = (matches: boolean) => print.dispatchEvent(Object.assign(new Event('change'), { matches }))
  const surface = () => document.documentElement.style.getPropertyValue('--surface')
  const { style } = document.documentElement
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(520)
  change(true)
  expect(surface()).toBe('')
  // The printed page is 1040 pixels wide, and the sheet half of that.
  expect(style.zoom).toBe('0.5')
  change(false)
  expect(surface()).toBe('#102030')
  expect(style.zoom).toBe('')
})

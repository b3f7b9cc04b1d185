import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EmbeddedVisual, Filter } from '../../wire/embed-contract.ts'
import { answerOf } from '../test/answer-of.ts'
import { basic, open, report, settle, target } from '../test/reader-fixture.ts'
import { createReaderActions } from './reader-actions.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const find = (name: string): EmbeddedVisual => {
  const visual = report.pages.flatMap(({ visuals }) => visuals).find((one) => one.name === name)
  if (!visual) throw new Error(`no visual ${name}`)
  return visual
}
const many = (count: number): Filter[] => Array.from({ length: count }, (_, index) => basic(`v${index}`))
const data = answerOf({ columns: ['nome', 'n'], rows: [['CNU', 1]], truncated: false })

/** Opens a report that has as many filters as one call may carry. */
const full = async (more: Partial<EmbeddedVisual> = {}) => {
  const definition = {
    ...report,
    pages: report.pages.map((page) => ({
      ...page,
      visuals: page.visuals.map((visual) => (visual.name === 'vidas' ? { ...visual, ...more } : visual)),
    })),
  }
  const opened = await open({}, definition)
  opened.session.setFilters({}, many(20))
  await opened.since()
  const emit = vi.fn()
  const refuse = vi.fn()
  const { actions } = createReaderActions(() => opened.session, emit, refuse)
  return { ...opened, actions, emit, refuse }
}

test.each<[string, (reader: Awaited<ReturnType<typeof full>>) => void]>([
  ['a slicer', ({ actions }) => actions.slice(find('operadoras'), [basic('CNU')])],
  ['the filter pane', ({ actions }) => actions.changeFilters({}, many(21))],
  [
    'a data point',
    ({ actions }) => actions.picked({ ...find('vidas'), select: { target, column: 'nome' } }, data, 0),
  ],
  ['a button', ({ actions }) => actions.press({ ...find('vidas'), button: { bookmark: 'foi_embora' } })],
  ['a tab', ({ actions }) => actions.choosePage('foi_embora')],
  ['a bookmark', ({ actions }) => actions.applyBookmark('foi_embora')],
])('the page shows why a choice by %s is refused, and changes nothing', async (_what, choose) => {
  const reader = await full()
  const before = reader.session.state()
  expect(() => choose(reader)).not.toThrow()
  await settle()
  expect(reader.refuse).toHaveBeenCalledOnce()
  const [problem] = reader.refuse.mock.lastCall ?? []
  expect(problem.message).toMatch(/^(No máximo 20 filtros|Este relatório não tem).*\.$/)
  expect(reader.session.state()).toBe(before)
  expect(reader.emit.mock.calls.filter(([event]) => event !== 'buttonClicked')).toEqual([])
})

test('the page follows a valid choice without a message', async () => {
  const { session, actions, refuse } = await full()
  actions.changeFilters({}, [])
  actions.slice(find('operadoras'), [basic('CNU')])
  await settle()
  expect(session.state().slicers).toEqual({ 'geral/operadoras': [basic('CNU')] })
  expect(refuse).not.toHaveBeenCalled()
})

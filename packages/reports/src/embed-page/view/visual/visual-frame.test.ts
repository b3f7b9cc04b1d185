import { describe, expect, test, vi } from 'vitest'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import type { EmptyText } from '../../state/empty-text.ts'
import { problem } from '../../state/problem.ts'
import { answerOf } from '../../test/answer-of.ts'
import { paintOnShow } from '../../test/canvas-fixture.ts'
import * as charts from '../charts/chart.ts'
import { pickedRows } from '../charts/chart-body.ts'
import { createVisualFrame } from './visual-frame.ts'

const target = { table: 'Sinistralidade', column: 'operadora' }
const visual = (type: EmbeddedVisual['type'], more: Partial<EmbeddedVisual> = {}): EmbeddedVisual => ({
  name: 'custo',
  type,
  title: 'Custo',
  layout: { x: 0, y: 0, width: 300, height: 200 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
  ...more,
})
const data: VisualData = answerOf({
  columns: ['operadora', 'custo'],
  rows: [
    ['CNU', 2],
    ['BRADESCO', 1],
  ],
  truncated: false,
})
const nothing = { ...data, rows: [] }

const open = (one: EmbeddedVisual) => {
  const actions = {
    picked: vi.fn(),
    clearPick: vi.fn(),
    drillTo: vi.fn(),
    retry: vi.fn(),
    slice: vi.fn(),
    loadValues: vi.fn(),
    press: vi.fn(),
    command: vi.fn(),
    caption: () => ({ report: 'Custos', page: 'Geral', dataTime: '', filters: [] }),
  }
  const frame = paintOnShow(createVisualFrame(one, one.title, { BRADESCO: { label: 'Bradesco' } }, actions))
  const click = (selector: string) => frame.element.querySelector<HTMLElement>(selector)?.click()
  const notice = () => frame.element.querySelector('.notice')?.textContent
  return { frame, click, notice, ...actions }
}

test('a card names the tone of its number next to its title while a rule matches', () => {
  const rule = { operator: '>' as const, value: 100, tone: 'bad' as const }
  const card = visual('card', { conditional: { custo: { kind: 'rules', rules: [rule] } } })
  const { frame } = open(card)
  const worth = () => frame.element.querySelector('header .visual-worth')?.textContent
  const number = (custo: number): VisualData =>
    answerOf({ columns: ['custo'], rows: [[custo]], truncated: false })
  frame.show(number(101), undefined)
  expect(worth()).toBe('Crítico')
  frame.show(number(100), undefined)
  expect(worth()).toBe('')
})

const toCanvas = () => document.createElement('canvas')

describe('a visual', () => {
  test('a visual shows that its query failed, and retries only itself', () => {
    const { frame, notice, click, retry } = open(visual('card'))
    frame.show(problem(500, 'QueryFailed', 'A consulta deste visual falhou.'), undefined)
    expect(notice()).toBe(
      'Não foi possível mostrar este visual.A consulta deste visual falhou.Tentar novamente',
    )
    click('.retry')
    expect(retry).toHaveBeenCalledWith('custo')
    frame.show(problem(500, 'QueryTimeout', 'A consulta demorou demais.'), undefined)
    expect(notice()).toContain('Este visual demorou demais.')
    frame.show(data, undefined)
    expect(notice()).toBeUndefined()
  })

  test('a visual shows that drawing failed, and is drawn once it succeeds', () => {
    const { frame, notice } = open(visual('bar'))
    const mountChart = () => {
      throw new TypeError('an axis that the option names is not there')
    }
    const broken = { ...charts, mountChart }
    frame.show(data, broken)
    expect(notice()).toContain('Não foi possível mostrar este visual.')
    frame.show(data, { ...charts, mountChart: () => ({ draw() {}, toCanvas, dispose() {} }) })
    expect(notice()).toBeUndefined()
  })

  test('a visual adds a missing month to its chart, and not to its table', () => {
    const { frame } = open(visual('line', { format: { mes: 'mes' } }))
    const draw = vi.fn()
    const mountChart = () => ({ draw, toCanvas, dispose: () => {} })
    const rows = [
      ['2025-12-01', 2],
      ['2026-02-01', 1],
    ]
    frame.show({ ...data, columns: ['mes', 'custo'], rows }, { ...charts, mountChart })
    expect(draw.mock.calls[0]?.[0].data.rows).toEqual([rows[0], ['2026-01-01', null], rows[1]])
    expect(frame.element.querySelectorAll('.readable tbody tr')).toHaveLength(2)
  })

  test('a visual without rows says whether filters or a selection elsewhere excluded them', () => {
    const { frame, notice } = open(visual('card'))
    frame.show(nothing, undefined)
    expect(notice()).toBe('Sem dados para os filtros escolhidos')
    frame.mark({ selection: undefined, path: [] }, true)
    frame.show(nothing, undefined)
    expect(notice()).toContain('Sem dados para a seleção')
  })

  test('a visual shows the cause in a card as one sentence, with the rest for the pointer and screen readers', () => {
    const { frame } = open(visual('card'))
    frame.show(nothing, undefined)
    frame.explain(['Sem dados', 'Por causa da regra.'])
    const shown = frame.element.querySelector<HTMLElement>('.notice')
    expect(shown?.querySelectorAll('p')).toHaveLength(1)
    expect([shown?.title, shown?.querySelector('.hidden-text')?.textContent]).toEqual([
      'Por causa da regra.',
      'Por causa da regra.',
    ])
  })

  test('a visual replaces the general sentence by the cause, while it is still without rows', () => {
    const { frame, notice } = open(visual('table'))
    const cause: [string, string] = ['Sem dados', 'Por causa da regra.']
    frame.show(nothing, undefined)
    frame.waiting()
    frame.explain(cause)
    expect(notice()).toBe('Sem dados para os filtros escolhidos')
    frame.settled()
    frame.explain(cause)
    expect(notice()).toBe('Sem dadosPor causa da regra.')
    frame.show(data, undefined)
    frame.explain(cause)
    expect(notice()).toBeUndefined()
  })

  test('a visual offers the way back from a value that is in no row', () => {
    const { frame, notice, click, drillTo, clearPick } = open(visual('table'))
    frame.mark({ selection: undefined, path: ['A', 'B'] }, false)
    frame.show(nothing, undefined)
    frame.explain(['“B” não está nos dados', 'Mudou.', { label: 'Voltar um nível', path: ['A'] }])
    expect(notice()).toBe('“B” não está nos dadosMudou.Voltar um nível')
    click('.notice button')
    expect(drillTo.mock.calls).toEqual([[expect.objectContaining({ name: 'custo' }), ['A']]])

    const ofSelection: EmptyText = ['“X” não está nos dados', 'Mudou.', { label: 'Limpar seleção' }]
    // The selection was cleared while the reason was asked for.
    frame.show(nothing, undefined)
    frame.explain(ofSelection)
    expect(notice()).toBe('Sem dados para os filtros escolhidos')
    frame.mark({ selection: undefined, path: [] }, true)
    frame.show(nothing, undefined)
    frame.explain(['Sem dados', 'Por causa da regra.'])
    expect(notice()).toContain('Sem dados para a seleção')
    frame.explain(ofSelection)
    click('.notice button')
    expect(clearPick).toHaveBeenCalledOnce()
  })

  test('a visual shows the button to clear the selection only when there is one', () => {
    const { frame, click, clearPick } = open(visual('bar', { select: { target, column: 'operadora' } }))
    const button = frame.element.querySelector<HTMLButtonElement>('.clear-pick')
    expect(button?.hidden).toBe(true)
    frame.mark({ selection: 'CNU', path: [] }, false)
    expect(button?.hidden).toBe(false)
    expect(button?.textContent).toBe('Limpar seleção')
    click('.clear-pick')
    expect(clearPick).toHaveBeenCalledOnce()
  })

  test('a visual ignores a click on rows that are being replaced', () => {
    const table = visual('table', { select: { target, column: 'operadora' } })
    const { frame, click, picked } = open(table)
    frame.show(data, undefined)
    frame.waiting()
    click('.pick')
    expect(picked).not.toHaveBeenCalled()
    frame.settled()
    click('.pick')
    expect(picked).toHaveBeenCalledWith(table, data, 0)
  })
})

test('breadcrumbs lead back up the hierarchy', () => {
  const levels = [
    { column: 'operadora', label: 'Operadora', target },
    { column: 'plano', label: 'Plano' },
  ]
  const drilled = visual('bar', { drill: { levels, values: ['custo'] } })
  const { frame, click, drillTo } = open(drilled)
  const crumbs = () => [...frame.element.querySelectorAll('.crumbs li')].map(({ textContent }) => textContent)
  expect(crumbs()).toEqual(['Tudo'])
  expect(frame.element.querySelector('.crumb-hint')?.textContent).toBe('por operadora; um clique abre plano')
  frame.mark({ selection: undefined, path: ['BRADESCO'] }, false)
  expect(crumbs()).toEqual(['Tudo', 'Bradesco'])
  expect(frame.element.querySelector('.crumbs [aria-current]')?.textContent).toBe('Bradesco')
  click('.crumbs button')
  expect(drillTo).toHaveBeenCalledWith(drilled, [])
})

test('breadcrumbs keep the focus when one is pressed, and when nothing changed', () => {
  const levels = ['operadora', 'plano', 'sexo'].map((column) => ({ column, label: column }))
  const { frame } = open(visual('bar', { drill: { levels, values: ['custo'] } }))
  document.body.replaceChildren(frame.element)
  const path = ['CNU', 'Ouro']
  frame.mark({ selection: undefined, path }, false)
  const [all, first] = frame.element.querySelectorAll<HTMLElement>('.crumbs button')
  first?.focus()
  frame.mark({ selection: undefined, path }, true)
  expect(document.activeElement).toBe(first)
  frame.mark({ selection: undefined, path: ['CNU'] }, false)
  expect(document.activeElement?.textContent).toBe('CNU')
  frame.mark({ selection: undefined, path: [] }, false)
  expect(document.activeElement?.textContent).toBe('Tudo')
  expect(all?.isConnected).toBe(false)
})

test('the table view of a hierarchy has the label of its level as heading', async () => {
  const levels = [
    { column: 'operadora', label: 'Operadora' },
    { column: 'plano', label: 'Nome do plano' },
  ]
  const drilled = visual('bar', { drill: { levels, values: ['custo'] } })
  const { frame } = open(drilled)
  document.body.replaceChildren(frame.element)
  const headings = () => [...frame.element.querySelectorAll('.grid th')].map(({ textContent }) => textContent)
  const answer = { ...data, columns: ['nivel', 'custo'] }
  const mountChart = () => ({ draw: vi.fn(), toCanvas, dispose: vi.fn() })
  const shownCharts = { ...charts, mountChart }
  frame.show(answer, shownCharts)
  // happy-dom lacks the popover API.
  Object.assign(HTMLElement.prototype, { showPopover: () => {}, hidePopover: () => {} })
  frame.element.querySelector<HTMLElement>('.more')?.click()
  await vi.waitFor(() => expect(frame.element.querySelector('.menu-item')).not.toBeNull())
  const [item] = frame.element.querySelectorAll<HTMLElement>('.menu-item')
  expect(item?.textContent).toBe('Mostrar como tabela')
  item?.click()
  await vi.waitFor(() => expect(headings()).toEqual(['Operadora', 'Custo']))
  frame.mark({ selection: undefined, path: ['CNU'] }, false)
  frame.show({ ...answer, rows: [['Ouro', 1]] }, shownCharts)
  expect(headings()).toEqual(['Nome do plano', 'Custo'])
})

test('pickedRows returns all rows of the selected value, and undefined when none is shown', () => {
  const one = visual('bar', { select: { target, column: 'operadora' } })
  const rows = { ...data, rows: [...data.rows, ['CNU', 5]] }
  expect(pickedRows(one, rows, { selection: 'CNU', path: [] })).toEqual(new Set([0, 2]))
  expect(pickedRows(one, rows, { selection: 'SANTA_CASA', path: [] })).toBeUndefined()
  expect(pickedRows(one, rows, { selection: undefined, path: [] })).toBeUndefined()
})

test('pickedRows tells a blank, NaN and infinity apart, which a selection has as names', () => {
  const cells = [1, Number.NaN, Number.POSITIVE_INFINITY, null, Number.NaN]
  const [one, rows] = [
    { select: { column: 'taxa' } } as EmbeddedVisual,
    answerOf({ columns: ['taxa'], rows: cells.map((cell) => [cell]), truncated: false }),
  ]
  const picked = (selection: Cell) => [...(pickedRows(one, rows, { selection, path: [] }) ?? [])]
  expect([picked('NaN'), picked('Infinity'), picked(null), picked(1)]).toEqual([[1, 4], [2], [3], [0]])
})

import { describe, expect, test } from 'vitest'
import type { EmbeddedReport, EmbeddedVisual, VisualData } from '../../wire/embed-contract.ts'
import { initialState } from '../session/load-options.ts'
import { answerOf } from '../test/answer-of.ts'
import { atLevel } from './drill-level.ts'
import { type ReportState, withDrill, withPage, withSelection } from './report-state.ts'
import { readPick } from './selection.ts'

const target = { table: 'Sinistralidade', column: 'especialidade' }
const visual: EmbeddedVisual = {
  name: 'especialidades',
  type: 'bar',
  title: 'Especialidades',
  layout: { x: 0, y: 0, width: 300, height: 300 },
  format: { custo: 'moeda' },
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
  select: { target, column: 'nome' },
}
const report: EmbeddedReport = {
  id: 'r1',
  name: 'Sinistralidade',
  filterPane: [],
  bookmarks: [],
  filters: [],
  columns: { Sinistralidade: ['especialidade'] },
  columnKinds: { Sinistralidade: ['text'] },
  timeZone: 'America/Sao_Paulo',
  pages: [
    { name: 'geral', displayName: 'Geral', filters: [], visuals: [visual] },
    { name: 'detalhe', displayName: 'Detalhe', filters: [], visuals: [visual] },
  ],
  expiresAt: 0,
}
const data = answerOf({
  columns: ['nome', 'custo'],
  rows: [
    ['Cardiologia', 10],
    ['Ortopedia', 7],
  ],
  truncated: false,
})

/** Reads a pick that must select or clear the selection. */
const select = (state: ReportState, picked: EmbeddedVisual, rows: VisualData, index: number) => {
  const pick = readPick(state, picked, rows, index)
  if (!pick || !('selects' in pick)) throw new Error('the pick does not select')
  return pick
}

test('the selection describes the selection, and clears it at the second pick', () => {
  const state = initialState(report, {})
  const first = select(state, visual, data, 1)
  expect(first.body).toMatchObject({
    report: { id: 'r1', displayName: 'Sinistralidade' },
    page: { name: 'geral', displayName: 'Geral' },
    visual: { name: 'especialidades', title: 'Especialidades', type: 'clusteredBarChart' },
    dataPoints: [
      { identity: [{ target, equals: 'Ortopedia' }], values: [{ value: 7, formattedValue: 'R$\u00a07,00' }] },
    ],
  })
  expect(first.selects).toEqual({
    visual: 'especialidades',
    value: 'Ortopedia',
    filters: [{ target, filterType: 1, operator: 'In', values: ['Ortopedia'] }],
  })
  const picked = withSelection(state, first.selects)
  expect(select(picked, visual, data, 1)).toMatchObject({ selects: undefined, body: { dataPoints: [] } })
  expect(select(picked, visual, data, 0)).toMatchObject({
    selects: { value: 'Cardiologia' },
    body: { dataPoints: [{}] },
  })
})

test('a selection does not clear that of a visual with the same name on another page', () => {
  const state = initialState(report, {})
  const picked = withSelection(state, select(state, visual, data, 1).selects)
  expect(select(withPage(picked, 'detalhe'), visual, data, 1).body.dataPoints).toHaveLength(1)
})

test('the selection selects blanks with IsBlank', () => {
  const blank = { ...data, rows: [[null, 3]] }
  expect(select(initialState(report, {}), visual, blank, 0).selects?.filters).toEqual([
    { target, filterType: 0, logicalOperator: 'And', conditions: [{ operator: 'IsBlank' }] },
  ])
})

test('the selection ignores a pick when neither a selection nor a hierarchy is declared', () => {
  const { select: _select, ...plain } = visual
  expect(readPick(initialState(report, {}), plain, data, 0)).toBeUndefined()
})

describe('a hierarchy', () => {
  const provider = { table: 'Sinistralidade', column: 'prestador' }
  const { select: _select, ...plain } = visual
  const drilled: EmbeddedVisual = {
    ...plain,
    drill: {
      levels: [
        { column: 'especialidade', label: 'Especialidade', target },
        { column: 'prestador', label: 'Prestador', target: provider },
      ],
      values: ['custo'],
    },
  }
  const rows = answerOf({ columns: ['nivel', 'custo'], rows: [['Santa Casa', 4]], truncated: false })

  test('a hierarchy drills down to the last level, which selects by the whole path', () => {
    const state = initialState(report, {})
    expect(readPick(state, drilled, { ...rows, rows: [['Cardiologia', 9]] }, 0)).toEqual({
      opens: ['Cardiologia'],
    })
    const opened = withDrill(state, 'especialidades', ['Cardiologia'])
    expect(select(opened, drilled, rows, 0).selects).toEqual({
      visual: 'especialidades',
      value: 'Santa Casa',
      filters: [
        { target, filterType: 1, operator: 'In', values: ['Cardiologia'] },
        { target: provider, filterType: 1, operator: 'In', values: ['Santa Casa'] },
      ],
    })
  })

  test('a hierarchy labels its axis with the level', () => {
    expect(atLevel(drilled, []).labels.nivel).toBe('Especialidade')
    expect(atLevel(drilled, ['Cardiologia'])).toMatchObject({
      labels: { nivel: 'Prestador' },
      select: { target: provider, column: 'nivel' },
    })
  })
})

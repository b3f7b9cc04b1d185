import { expect, it } from 'vitest'
import type { EmbeddedReport, EmbeddedVisual } from '../embed-contract.ts'
import { initialState } from './report-state.ts'
import { describeSelection } from './selection.ts'

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
  select: { target, column: 'nome' },
}
const report: EmbeddedReport = {
  id: 'r1',
  name: 'Sinistralidade',
  filterPane: [],
  bookmarks: [],
  filters: [],
  columns: { Sinistralidade: ['especialidade'] },
  pages: [
    { name: 'geral', displayName: 'Geral', filters: [], visuals: [visual] },
    { name: 'detalhe', displayName: 'Detalhe', filters: [], visuals: [visual] },
  ],
  expiresAt: 0,
}
const data = {
  columns: ['nome', 'custo'],
  rows: [
    ['Cardiologia', 10],
    ['Ortopedia', 7],
  ],
  truncated: false,
}

it('says what was selected, and takes it back at the second click', () => {
  const state = initialState(report, {})
  const first = describeSelection(state, visual, data, 1, undefined)
  expect(first.body).toMatchObject({
    report: { id: 'r1', displayName: 'Sinistralidade' },
    page: { name: 'geral', displayName: 'Geral' },
    visual: { name: 'especialidades', title: 'Especialidades', type: 'bar' },
    dataPoints: [
      { identity: [{ target, equals: 'Ortopedia' }], values: [{ value: 7, formattedValue: 'R$\u00a07,00' }] },
    ],
  })
  expect(describeSelection(state, visual, data, 1, first.selection)).toMatchObject({
    selection: undefined,
    body: { dataPoints: [] },
  })
  expect(describeSelection(state, visual, data, 0, first.selection).body.dataPoints).toHaveLength(1)
})

it.each([
  ['a page with a visual of the same name', initialState(report, { pageName: 'detalhe' })],
  ['the report when it is loaded again', initialState({ ...report }, {})],
])('does not take back in %s what was selected before', (_where, state) => {
  const { selection } = describeSelection(initialState(report, {}), visual, data, 1, undefined)
  expect(describeSelection(state, visual, data, 1, selection).body.dataPoints).toHaveLength(1)
})

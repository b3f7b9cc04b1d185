import { expect, test } from 'vitest'
import type { EmbeddedReport } from '../../wire/embed-contract.ts'
import { initialState } from '../session/load-options.ts'
import { basic, report as fixture } from '../test/reader-fixture.ts'
import { withDrill, withPage, withSelection } from './report-state.ts'
import { selectedPoint } from './selected-point.ts'

const withList = (names: string[]): EmbeddedReport => ({
  ...fixture,
  pages: fixture.pages.map((page) => ({
    ...page,
    visuals: page.visuals.map((visual) =>
      names.includes(visual.name) ? { ...visual, hasBeneficiaries: true as const } : visual,
    ),
  })),
})
const selection = { visual: 'vidas', filters: [basic('BRADESCO')], value: 'BRADESCO' }

test('selectedPoint describes the selected point with the filters in force', () => {
  const state = { ...initialState(withList(['vidas']), {}), reportFilters: [basic('CNU')] }
  expect(selectedPoint(state)).toBeNull()
  expect(selectedPoint(withSelection(state, selection))).toEqual({
    page: 'geral',
    visual: 'vidas',
    filters: [basic('CNU')],
    point: [basic('BRADESCO')],
    drill: [],
  })
})

test('no point is selected in a visual without beneficiaries, nor after the selection is cleared', () => {
  const plain = withSelection(initialState(withList([]), {}), selection)
  expect(selectedPoint(plain)).toBeNull()
  const state = withSelection(initialState(withList(['vidas']), {}), selection)
  expect(selectedPoint(state)).not.toBeNull()
  expect(selectedPoint(withSelection(state, undefined))).toBeNull()
  expect(selectedPoint(withDrill(state, 'vidas', ['x']))).toBeNull()
  const other = fixture.pages[1]
  if (other) expect(selectedPoint(withPage(state, other.name))).toBeNull()
})

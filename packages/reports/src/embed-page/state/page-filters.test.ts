import { expect, test } from 'vitest'
import type { EmbeddedReport, VisualFilter } from '../../wire/embed-contract.ts'
import { filterLines } from './page-filters.ts'
import { authorState, type ReportState } from './report-state.ts'

const target = (column: string) => ({ table: 'Custos', column })
const isIn = (column: string, values: (string | number)[], more: object = {}): VisualFilter => ({
  target: target(column),
  filterType: 1,
  operator: 'In',
  values,
  ...more,
})
const visual = (name: string, title: string, more: object = {}) => ({ name, title, type: 'bar', ...more })
const report = {
  values: { F: { label: 'Feminino' } },
  columns: {},
  columnKinds: {},
  filterPane: [{ target: target('sexo'), label: 'Sexo' }],
  panelFilters: [{ target: target('ano'), label: 'Ano de competência', values: [] }],
  filters: [],
  pages: [
    {
      name: 'geral',
      displayName: 'Geral',
      filters: [],
      visuals: [
        visual('por_uf', 'Custo por estado'),
        visual('uf', 'Estado', { type: 'slicer', slicer: { target: target('uf') } }),
      ],
    },
    { name: 'outra', displayName: 'Outra', filters: [], visuals: [visual('soma', 'Soma')] },
  ],
} as unknown as EmbeddedReport

const lines = (more: Partial<ReportState>, page = 'geral', most?: number) =>
  filterLines({ ...authorState(report), ...more }, page, most)

test('the list of filters names each filter in force as the report does, with the labels of values', () => {
  expect(
    lines({
      reportFilters: [isIn('sexo', ['F']), isIn('ano', [2024])] as ReportState['reportFilters'],
      pageFilters: { geral: [isIn('plano', ['A', 'B'])] as ReportState['reportFilters'] },
      slicers: { 'geral/uf': [isIn('uf', ['SP'])] as ReportState['reportFilters'] },
    }),
  ).toEqual(['Sexo é Feminino', 'Ano de competência é 2024', 'plano é A ou B', 'Estado é SP'])
})

test('the list of filters names the selection on its page, and the filters and levels of single visuals', () => {
  const state: Partial<ReportState> = {
    selection: { visual: 'por_uf', value: 'SP', filters: [] },
    visualFilters: {
      'geral/por_uf': [
        isIn('sexo', ['F']),
        { ...isIn('uf', []), itemCount: 3 } as VisualFilter,
        isIn('cpf', ['x'], { displaySettings: { isHiddenInViewMode: true } }),
      ],
    },
    drill: { 'geral/por_uf': ['Sudeste', 'F'] },
  }
  expect(lines(state)).toEqual([
    'Seleção em “Custo por estado”: SP',
    'Só em “Custo por estado”: Sexo é Feminino',
    'Só em “Custo por estado”: itens escolhidos',
    'Nível aberto em “Custo por estado”: Sudeste › Feminino',
  ])
  expect(lines(state, 'outra')).toEqual([])
})

test('the list of filters leaves out filters that readers may not see, and those that filter nothing', () => {
  const hidden = isIn('cpf', ['1'], { displaySettings: { isHiddenInViewMode: true } })
  expect(lines({ reportFilters: [hidden, isIn('uf', [])] as ReportState['reportFilters'] })).toEqual([])
})

test('the list of filters counts the values of a long filter, from as many as it is asked to', () => {
  const reportFilters = [isIn('uf', ['A', 'B', 'C', 'D', 'E'])] as ReportState['reportFilters']
  expect(lines({ reportFilters })).toEqual(['Estado é A, B, C ou mais 2'])
  expect(lines({ reportFilters }, 'geral', 100)).toEqual(['Estado é A, B, C, D ou E'])
})

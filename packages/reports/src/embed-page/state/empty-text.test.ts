import { describe, expect, test } from 'vitest'
import type { EmptyReason, Filter, VisualFilter } from '../../wire/embed-contract.ts'
import { report } from '../test/reader-fixture.ts'
import { emptyText, goneLevelText, goneSelectionText } from './empty-text.ts'

const basic = (column: string, ...values: (string | number)[]): VisualFilter => ({
  target: { table: 'Sinistralidade', column },
  filterType: 1,
  operator: 'In',
  values,
})
const target = { table: 'Sinistralidade', column: 'competencia' }
const named = {
  ...report,
  values: { CNU: { label: 'Central Nacional' } },
  filterPane: [{ target, label: 'Competência' }],
}
const text = (reason: Exclude<EmptyReason, { kind: 'drill' }>, ...filters: VisualFilter[]) =>
  emptyText(reason, filters, named)
const ofFilters = (...filters: VisualFilter[]) =>
  text({ kind: 'filters', filters: filters.map((_, index) => index) }, ...filters)

describe('emptyText', () => {
  test('emptyText names the filter by its label in the report, with its value', () => {
    expect(ofFilters(basic('competencia', '2026-01'))).toEqual([
      'Sem dados com o filtro Competência = 2026-01',
    ])
    expect(ofFilters(basic('ano', 2026))).toEqual(['Sem dados com o filtro ano = 2026'])
    // The label of the value, and the title of a slicer as the label of the column.
    expect(ofFilters(basic('operadora', 'CNU'))).toEqual([
      'Sem dados com o filtro operadoras = Central Nacional',
    ])
  })

  test('emptyText describes other filters in words', () => {
    expect(ofFilters(basic('competencia', 'a', 'b'))).toEqual([
      'Sem dados com o filtro Competência: é a ou b',
    ])
    const from: VisualFilter = {
      target,
      filterType: 0,
      logicalOperator: 'And',
      conditions: [{ operator: 'GreaterThan', value: 2030 }],
    }
    expect(ofFilters(from)).toEqual(['Sem dados com o filtro Competência: maior que 2030'])
  })

  test('emptyText lists filters that leave no row together', () => {
    expect(ofFilters(basic('competencia', '2026-01'), basic('ano', 2025))).toEqual([
      'Sem dados com estes filtros juntos',
      'Competência = 2026-01 · ano = 2025',
    ])
  })

  test('emptyText does not name a filter that the embedder hides, nor the parts of a complex one', () => {
    const hidden = { ...basic('ano', 2026), displaySettings: { isHiddenInViewMode: true } }
    expect(ofFilters(hidden)).toEqual(['Sem dados com um filtro do relatório'])
    const excluded: VisualFilter = { target, filterType: 3, isExclude: false, values: ['x'] }
    expect(ofFilters(excluded)).toEqual(['Sem dados com um filtro deste visual'])
  })

  test('emptyText tells a reader of the rule without its name', () => {
    expect(text({ kind: 'rule', lacksCustomData: false })).toEqual([
      'Sem dados',
      'A regra de linha do seu perfil não deixa nenhuma linha para você.',
    ])
    expect(text({ kind: 'rule', lacksCustomData: true })[1]).toMatch(
      /sua identidade de segurança.*administrador/,
    )
  })

  test('emptyText names rule and identity where the token explains them', () => {
    const rules = { roles: ['Unidade'], username: 'ana@exemplo.org', customData: '12' }
    expect(text({ kind: 'rule', lacksCustomData: false, rules })[1]).toBe(
      'A regra de linha “Unidade” não deixa nenhuma linha para ana@exemplo.org, com a identidade de segurança “12”.',
    )
    const none = { ...rules, roles: ['A', 'B'], customData: null }
    expect(text({ kind: 'rule', lacksCustomData: true, rules: none })[1]).toBe(
      'As regras de linha “A”, “B” não deixam nenhuma linha para ana@exemplo.org, que não tem identidade de segurança.',
    )
  })

  test('emptyText says that a table is empty', () => {
    expect(text({ kind: 'data' })).toEqual(['Sem dados', 'A tabela deste visual ainda não tem linhas.'])
  })

  test('emptyText names a value of a drill path that is in no row, and the way back', () => {
    const drill = {
      levels: [
        { column: 'operadora', label: 'Operadora', kind: 'text' as const },
        { column: 'taxa', label: 'Taxa', kind: 'number' as const },
        { column: 'id', label: 'Sinistro' },
      ],
      values: ['n'],
    }
    const gone = (level: number) =>
      goneLevelText({ kind: 'drill', level }, { drill }, ['CNU', 0.12345], named)
    const detail = 'O valor escolhido saiu dos dados ou mudou depois da escolha.'
    expect(gone(0)).toEqual([
      '“Central Nacional” não está nos dados',
      detail,
      { label: 'Voltar a Tudo', path: [] },
    ])
    expect(gone(1)).toEqual([
      '“0,12345” não está nos dados',
      detail,
      { label: 'Voltar um nível', path: ['CNU'] },
    ])
  })

  test('emptyText names a selected value that is in no row, and the way back', () => {
    const filters = [basic('operadora', 'X')] as Filter[]
    expect(goneSelectionText({ visual: 'custo', value: 'X', filters }, named)).toEqual([
      '“X” não está nos dados',
      'O valor escolhido saiu dos dados ou mudou depois da escolha.',
      { label: 'Limpar seleção' },
    ])
  })
})

import { expect, test } from 'vitest'
import type { PlacedFilters } from '../frame/read-page.ts'
import { filterLines } from './filter-lines.ts'

const basic = (column: string, values: unknown[], more: object = {}) => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target: { table: 'T', column },
  filterType: 1,
  operator: 'In',
  values,
  ...more,
})
const lines = (...places: [Omit<PlacedFilters, 'filters'>, unknown[] | undefined][]) =>
  filterLines(places.map(([place, filters]) => ({ ...place, filters }) as PlacedFilters))

test('filterLines describes the filters of report, page, slicers and single visuals', () => {
  expect(
    lines(
      [{}, [basic('operadora', ['CNU', 'BRADESCO'])]],
      [{}, [basic('sexo', [], { operator: 'All' }), basic('ano', [2024, 2025], { operator: 'NotIn' })]],
      [{ slicer: 'Estado' }, [basic('uf', ['SP'])]],
      [{ slicer: 'Mês' }, []],
      [{ visual: 'Custo' }, [basic('uf', ['SP', null])]],
    ),
  ).toEqual([
    'operadora é CNU ou BRADESCO',
    'ano não é 2024 nem 2025',
    'Estado é SP',
    'Só em “Custo”: uf é SP ou (em branco)',
  ])
})

test('filterLines describes conditions, periods and the first values, and names what has no short sentence', () => {
  const target = { table: 'T', column: 'custo' }
  const conditions = [{ operator: 'GreaterThan', value: 10 }, { operator: 'IsNotBlank' }]
  expect(
    lines([
      {},
      [
        { target, filterType: 0, logicalOperator: 'And', conditions },
        { target, filterType: 4, operator: 0, timeUnitsCount: 7, timeUnitType: 0, includeToday: true },
        { target, filterType: 5, operator: 'Top', itemCount: 10, orderBy: target },
        {
          target: [[target, { table: 'T', hierarchy: 'H', hierarchyLevel: 'Ano' }]],
          filterType: 3,
          isExclude: false,
          values: [],
        },
        { target: { table: 'T', measure: 'Total' }, filterType: 2 },
        { target: [0, 1], filterType: 8, operator: 'In' },
      ],
    ]),
  ).toEqual([
    'custo maior que 10 e não está em branco',
    'custo nos últimos 7 dias, com hoje',
    'custo os primeiros 10',
    'custo e Ano itens escolhidos',
    'Total tem um filtro que o Power BI não descreve',
    'Filtro itens escolhidos',
  ])
})

test('filterLines leaves out hidden filters, prefers the filter names of the report, and repeats no line', () => {
  const hidden = { displaySettings: { isHiddenInViewMode: true } }
  const named = { displaySettings: { displayName: 'Convênio' } }
  expect(
    lines(
      [{}, [basic('segredo', ['x'], hidden), basic('op', ['CNU'], named)]],
      [{}, [basic('op', ['CNU'], named)]],
    ),
  ).toEqual(['Convênio é CNU'])
})

test('filterLines names the filters that Power BI did not give', () => {
  expect(lines([{}, undefined], [{ slicer: 'Estado' }, undefined], [{ visual: 'Custo' }, undefined])).toEqual(
    [
      'o Power BI não informou filtros',
      'o Power BI não informou a escolha em “Estado”',
      'Só em “Custo”: o Power BI não informou filtros',
    ],
  )
})

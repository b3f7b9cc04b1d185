import { expect, test } from 'vitest'
import { columnsOf, slicerOf } from './selected-columns.ts'

const point = (column: string, equals: string) => ({
  identity: [{ target: { table: 'Sinistros', column }, equals }],
})

test('columnsOf names each column of a selection once, without its values', () => {
  const detail = { dataPoints: [point('sexo', 'F'), point('sexo', 'M'), point('ano', '2026')] }
  expect(columnsOf(detail)).toEqual(['Sinistros.sexo', 'Sinistros.ano'])
  expect(
    columnsOf({ dataPoints: [{ identity: [{ target: { table: 'T', hierarchyLevel: 'Mês' } }] }] }),
  ).toEqual(['T.Mês'])
  expect([columnsOf({ dataPoints: [] }), columnsOf(undefined), columnsOf({ dataPoints: [{}] })]).toEqual([
    [],
    [],
    [],
  ])
})

test('slicerOf names slicers only', () => {
  expect(slicerOf({ visual: { type: 'slicer', title: 'Ano' } })).toEqual(['Ano'])
  expect(slicerOf({ visual: { type: 'barChart', title: 'Custos' } })).toEqual([])
  expect(slicerOf(undefined)).toEqual([])
})

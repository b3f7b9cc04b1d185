import { describe, expect, test } from 'vitest'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { columnHeadings, readMatrix, WHOLE } from './matrix-model.ts'

const visual = (rows: string[], columns: string[], values: string[]) =>
  ({ matrix: { rows, columns, values, subtotals: true } }) as EmbeddedVisual

const answer = (columns: string[], ...rows: [...cells: Cell[], levels: [number, number]][]): VisualData =>
  answerOf({
    columns,
    rows: rows.map((row) => row.slice(0, -1) as Cell[]),
    levels: rows.map((row) => row.at(-1) as [number, number]),
    truncated: false,
  })

const twoByOne = answer(
  ['operadora', 'plano', 'ano', 'custo'],
  ['BRADESCO', 'Essencial', 2025, 1, [2, 1]],
  ['BRADESCO', 'Essencial', null, 1, [2, 0]],
  ['BRADESCO', 'Executivo', 2024, 2, [2, 1]],
  ['BRADESCO', 'Executivo', null, 2, [2, 0]],
  ['BRADESCO', null, 2024, 2, [1, 1]],
  ['BRADESCO', null, 2025, 1, [1, 1]],
  ['BRADESCO', null, null, 3, [1, 0]],
  [null, null, 2024, 2, [0, 1]],
  [null, null, 2025, 1, [0, 1]],
  [null, null, null, 3, [0, 0]],
)

describe('readMatrix', () => {
  const model = readMatrix(visual(['operadora', 'plano'], ['ano'], ['custo']), twoByOne, {})

  test('readMatrix builds a tree of rows in the order of the query', () => {
    expect(model.rows.map(({ path, children }) => [path, children.map((child) => child.path)])).toEqual([
      [
        ['BRADESCO'],
        [
          ['BRADESCO', 'Essencial'],
          ['BRADESCO', 'Executivo'],
        ],
      ],
    ])
    expect([model.leafCount, model.hasTotal]).toEqual([2, true])
  })

  test('readMatrix orders columns with the total last, also when the first row lacks a column', () => {
    expect(model.columns.map(({ path }) => path)).toEqual([[2024], [2025], []])
  })

  test('readMatrix finds cells, subtotals and totals by key, and returns undefined for others', () => {
    const [first] = model.rows
    const [year, , sum] = model.columns
    expect(model.cells(first?.key ?? '', year?.key ?? '')).toEqual([2])
    expect(model.cells(first?.key ?? '', sum?.key ?? '')).toEqual([3])
    expect(model.cells(WHOLE, WHOLE)).toEqual([3])
    expect(model.cells(first?.children[0]?.key ?? '', year?.key ?? '')).toBeUndefined()
    expect(model.leaves(0)).toEqual([1, 2])
  })
})

test('readMatrix distinguishes a blank key from a total', () => {
  const data = answer(['uf', 'custo'], [null, 4, [1, 0]], [null, 4, [0, 0]])
  const model = readMatrix(visual(['uf'], [], ['custo']), data, {})
  expect(model.rows.map(({ path }) => path)).toEqual([[null]])
  expect(model.columns.map(({ path }) => path)).toEqual([[]])
  expect(model.hasTotal).toBe(true)
})

test('columnHeadings groups cells, and gives totals a row span', () => {
  const data = answer(
    ['uf', 'ano', 'sexo', 'custo'],
    ['PR', 2024, 'feminino', 1, [1, 2]],
    ['PR', 2024, 'masculino', 2, [1, 2]],
    ['PR', 2024, null, 3, [1, 1]],
    ['PR', 2025, 'feminino', 4, [1, 2]],
    ['PR', 2025, null, 4, [1, 1]],
    ['PR', null, null, 7, [1, 0]],
  )
  const model = readMatrix(visual(['uf'], ['ano', 'sexo'], ['custo']), data, {})
  const brief = columnHeadings(model).map((row) =>
    row.map(({ text, span, rows, isSum }) => (isSum ? `sum/${rows}` : `${text}*${span}`)),
  )
  expect(brief).toEqual([
    ['2024*3', '2025*2', 'sum/2'],
    ['feminino*1', 'masculino*1', 'sum/1', 'feminino*1', 'sum/1'],
  ])
})

test('readMatrix treats an answer without levels as leaves', () => {
  const data: VisualData = answerOf({ columns: ['uf', 'custo'], rows: [['PR', 1]], truncated: false })
  const model = readMatrix(visual(['uf'], [], ['custo']), data, {})
  expect([model.hasTotal, model.leafCount, model.columns.length]).toEqual([false, 1, 1])
})

test('readMatrix tells a blank key, NaN and both infinities apart, in rows and in columns', () => {
  const keys = [1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null]
  const rows = keys.flatMap((row, y) =>
    keys.map((column, x): [...Cell[], [number, number]] => [row, column, 10 * y + x, [1, 1]]),
  )
  const data = answer(['taxa', 'indice', 'custo'], ...rows)
  const model = readMatrix(visual(['taxa'], ['indice'], ['custo']), data, {})
  expect(model.rows.map(({ path }) => path)).toEqual(keys.map((key) => [key]))
  expect(model.columns.map(({ path }) => path)).toEqual(keys.map((key) => [key]))
  expect(model.rows.map((row) => model.columns.map((column) => model.cells(row.key, column.key)))).toEqual(
    keys.map((_, y) => keys.map((_, x) => [10 * y + x])),
  )
  expect(columnHeadings(model)[0]?.map(({ span }) => span)).toEqual([1, 1, 1, 1, 1])
})

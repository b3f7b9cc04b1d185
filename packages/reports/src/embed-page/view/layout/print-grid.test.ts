import { expect, test } from 'vitest'
import { printGrid, widenIntoGaps } from './print-grid.ts'

const at = (x: number, y: number, width: number, height: number, grows = false) => ({
  x,
  y,
  width,
  height,
  grows,
})

test('printGrid makes grid lines of the edges of visuals', () => {
  const { columns, rows, areas } = printGrid(
    [at(24, 24, 100, 50), at(140, 24, 100, 50), at(24, 90, 216, 40)],
    1,
  )
  expect(columns).toBe('minmax(0, 100fr) minmax(0, 16fr) minmax(0, 100fr)')
  expect(rows).toBe('50px 16px 40px')
  expect(areas).toEqual(['1 / 1 / 2 / 2', '1 / 3 / 2 / 4', '3 / 1 / 4 / 4'])
})

test('printGrid lets only the last row of a long table grow', () => {
  const { rows } = printGrid(
    [at(0, 0, 50, 100, true), at(60, 0, 50, 40), at(60, 50, 50, 50), at(0, 110, 110, 30)],
    2,
  )
  expect(rows).toBe('80px 20px minmax(100px, auto) 20px 60px')
})

test('printGrid shrinks the gap that a slicer leaves', () => {
  const { rows, columns } = printGrid([at(200, 120, 100, 50)], 1)
  expect([rows, columns]).toEqual(['50px', 'minmax(0, 100fr)'])
  expect(printGrid([at(0, 0, 100, 50), at(0, 200, 100, 50)], 1).rows).toBe('50px 16px 50px')
})

test('widened gives the space of visuals that are not printed to their neighbours', () => {
  const [text, matrix] = [at(200, 0, 100, 50), at(0, 60, 400, 100)]
  expect(widenIntoGaps([text, matrix], [at(0, 0, 180, 50), at(310, 0, 90, 50)])).toEqual([
    at(0, 0, 400, 50),
    matrix,
  ])
  const [left, right] = [at(0, 0, 100, 50), at(220, 0, 180, 50)]
  expect(widenIntoGaps([left, right], [at(110, 0, 100, 50)])).toEqual([left, right])
  const beside = at(100, 60, 300, 100)
  expect(widenIntoGaps([at(0, 0, 400, 50), beside], [at(0, 60, 90, 100)])[1]).toEqual(at(0, 60, 400, 100))
})

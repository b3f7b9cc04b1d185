import type { ICustomLayout } from 'powerbi-models'
import { describe, expect, test } from 'vitest'
import { layOut, readingOrder, wholeRows } from './page-layout.ts'

describe('layOut', () => {
  test('layOut scales by 1 when the frame has the size of the canvas', () => {
    expect(layOut({ width: 1280, height: 720 }, {}, 1)).toMatchObject({
      isStacked: false,
      x: 1,
      y: 1,
      text: 1,
    })
  })

  test.each([
    [1280, 640],
    [1000, 560],
    [1440, 800],
    [800, 560],
    [1600, 500],
  ])('layOut never scrolls sideways at %i × %i', (width, height) => {
    const { x, y } = layOut({ width, height }, {}, 1)
    expect(x * 1280).toBeLessThanOrEqual(width + 0.01)
    expect(y).toBeGreaterThanOrEqual(0.6)
  })

  test('layOut keeps text legible in small frames and moderate in large ones, and follows the zoom', () => {
    expect(layOut({ width: 800, height: 480 }, {}, 1).text).toBe(0.86)
    expect(layOut({ width: 2560, height: 1440 }, {}, 1).text).toBe(1.3)
    expect(layOut({ width: 1280, height: 720 }, {}, 4)).toMatchObject({
      isStacked: false,
      x: 4,
      y: 4,
      text: 4,
    })
  })

  test("layOut fills a frame of any width with a page of the embedder's size", () => {
    const settings = (pageSize: object) => ({ layoutType: 1, customLayout: { pageSize } as ICustomLayout })
    const frame = { width: 400, height: 300 }
    const canvas = { width: 400, height: 300 }
    expect(layOut(frame, settings({ type: 4, ...canvas }), 1)).toMatchObject({
      isStacked: false,
      canvas,
      x: 1,
      y: 1,
    })
    for (const size of [{ type: 4 }, { type: 4, width: '400', height: 300 }, { type: 0, ...canvas }])
      expect(layOut(frame, settings(size), 1)).not.toHaveProperty('canvas')
  })

  test('layOut stacks visuals in narrow frames, and when the embedder asks for the phone layout', () => {
    expect(layOut({ width: 640, height: 900 }, {}, 1).isStacked).toBe(true)
    expect(layOut({ width: 1280, height: 720 }, { layoutType: 2 }, 1).isStacked).toBe(true)
  })

  test.each([
    [720, 450],
    [844, 390],
    [768, 1024],
    [820, 1180],
    [1280, 400],
  ])('layOut stacks in two columns when the canvas would be illegible, at %i × %i', (width, height) => {
    expect(layOut({ width, height }, {}, 1)).toMatchObject({ isStacked: true, columns: 2, text: 1 })
  })

  test('layOut keeps the canvas when printed', () => {
    expect(layOut({ width: 700, height: 420 }, {}, 1, true)).toMatchObject({
      isStacked: false,
      printed: true,
    })
  })

  test('layOut fits to the width, or not, as a custom layout asks', () => {
    const custom = (displayOption: number) => ({ layoutType: 1, customLayout: { displayOption } })
    expect(layOut({ width: 2560, height: 720 }, custom(1), 1)).toMatchObject({ x: 2, y: 2 })
    expect(layOut({ width: 2560, height: 720 }, custom(2), 1)).toMatchObject({ x: 1, y: 1 })
  })
})

test('readingOrder goes row by row, also when a row is slightly out of line', () => {
  const at = (name: string, x: number, y: number) => ({ name, layout: { x, y } })
  const visuals = [at('d', 0, 200), at('b', 400, 16), at('a', 0, 20), at('e', 400, 190), at('c', 800, 18)]
  expect(readingOrder(visuals).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('wholeRows gives a whole row to visuals that are wide or have no neighbour', () => {
  const visuals = [296, 296, 816, 400, 712, 504, 608].map((width) => ({ layout: { width } }))
  expect(wholeRows(visuals)).toEqual([false, false, true, false, false, false, false])
  expect(wholeRows(visuals.slice(2, 4))).toEqual([true, true])
})

import { expect, test } from 'vitest'
import { clampZoom, FIT, fitScale, zoomFactor, zoomOf } from './zoom.ts'

test('the zoom maps 60 to the fitting size, 0 to a quarter of it and 100 to six times', () => {
  expect(zoomFactor(FIT)).toBe(1)
  expect(zoomFactor(0)).toBe(0.25)
  expect(zoomFactor(100)).toBeCloseTo(6)
})

test('zoomFactor increases with each percent, and zoomOf inverts it', () => {
  for (let zoom = 0; zoom <= 100; zoom += 1) {
    expect(zoomOf(zoomFactor(zoom))).toBe(zoom)
    if (zoom > 0) expect(zoomFactor(zoom)).toBeGreaterThan(zoomFactor(zoom - 1))
  }
})

test('the viewer limits the zoom to 0 and 100', () => {
  expect([clampZoom(-3), clampZoom(103), clampZoom(59.6)]).toEqual([0, 100, 60])
  expect([zoomOf(0.01), zoomOf(50)]).toEqual([0, 100])
})

test('fitScale fits the content into the frame, at most at the largest scale', () => {
  expect(fitScale({ width: 400, height: 400 }, { width: 800, height: 200 })).toBe(0.5)
  expect(fitScale({ width: 400, height: 400 }, { width: 100, height: 200 })).toBe(2)
  expect(fitScale({ width: 400, height: 400 }, { width: 100, height: 200 }, 1)).toBe(1)
})

// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { deviceMark } from './device-mark.ts'

afterEach(() => localStorage.clear())

test('returns the same mark until the storage is cleared, in the format the server accepts', () => {
  const mark = deviceMark()
  expect(mark).toMatch(/^[\w-]{22,64}$/)
  expect(deviceMark()).toBe(mark)
  localStorage.clear()
  expect(deviceMark()).not.toBe(mark)
})

test('replaces an invalid stored value', () => {
  localStorage.setItem('bi-manager.aparelho', 'x')
  expect(deviceMark()).toHaveLength(48)
})

import { afterEach, expect, test } from 'vitest'
import { deviceId } from './device-mark.ts'

afterEach(() => localStorage.clear())

test('returns the same mark until the storage is cleared, in the format the server accepts', () => {
  const mark = deviceId()
  expect(mark).toMatch(/^[\w-]{22,64}$/)
  expect(deviceId()).toBe(mark)
  localStorage.clear()
  expect(deviceId()).not.toBe(mark)
})

test('replaces an invalid stored value', () => {
  localStorage.setItem('bi-manager.aparelho', 'x')
  expect(deviceId()).toHaveLength(48)
})

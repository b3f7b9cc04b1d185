import { afterEach, expect, test } from 'vitest'
import { deviceId } from './device-id.ts'

afterEach(() => localStorage.clear())

test('deviceId returns the same id until the storage is cleared, in the format the server accepts', () => {
  const id = deviceId()
  expect(id).toMatch(/^[\w-]{22,64}$/)
  expect(deviceId()).toBe(id)
  localStorage.clear()
  expect(deviceId()).not.toBe(id)
})

test('deviceId replaces an invalid stored value', () => {
  localStorage.setItem('bi-manager.aparelho', 'x')
  expect(deviceId()).toHaveLength(48)
})

// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { deviceMark } from './device-mark.ts'

afterEach(() => localStorage.clear())

test('a browser has one mark, in the form that the server takes', () => {
  const mark = deviceMark()
  expect(mark).toMatch(/^[\w-]{22,64}$/)
  expect(deviceMark()).toBe(mark)
  localStorage.clear()
  expect(deviceMark()).not.toBe(mark)
})

test('whatever else stands in its place is replaced', () => {
  localStorage.setItem('bi-manager.aparelho', 'x')
  expect(deviceMark()).toHaveLength(48)
})

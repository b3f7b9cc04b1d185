import { expect, test } from 'vitest'
import {
  generatePassword,
  generatePasswordForSheet,
  PASSWORD_LENGTH,
  passwordClasses,
} from './generate-password.ts'

const alphabet = Object.values(passwordClasses).join('')
const drawn = Array.from({ length: 4_000 }, generatePassword)

test('generatePassword returns 16 characters with one of each class and no capital K', () => {
  expect(passwordClasses.upper).toHaveLength(25)
  expect(alphabet).not.toContain('K')
  for (const password of drawn) {
    expect(password).toHaveLength(PASSWORD_LENGTH)
    expect([...password].filter((character) => !alphabet.includes(character))).toEqual([])
    expect(password).toMatch(/\d/)
    expect(password).toMatch(/[a-z]/)
    expect(password).toMatch(/[A-Z]/)
    expect(password).toMatch(/[!@#$%&*]/)
  }
})

test('generatePassword never repeats and uses every character at every position', () => {
  expect(new Set(drawn).size).toBe(drawn.length)
  for (let place = 0; place < PASSWORD_LENGTH; place += 1)
    expect(new Set(drawn.map((password) => password[place])).size).toBe(alphabet.length)
})

test('generatePassword draws the characters of a class with equal probability', () => {
  const counts = new Map<string, number>()
  for (const character of drawn.join('')) counts.set(character, (counts.get(character) ?? 0) + 1)
  for (const characters of Object.values(passwordClasses)) {
    const found = [...characters].map((character) => counts.get(character) ?? 0)
    const mean = found.reduce((sum, count) => sum + count, 0) / found.length
    const chiSquared = found.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    // Six standard deviations above the expectation: a false alarm in about 10^8 runs.
    expect(chiSquared).toBeLessThan(found.length + 6 * Math.sqrt(2 * found.length))
    // Detects modulo bias, which would make some characters 50 % more frequent.
    for (const count of found) expect(Math.abs(count - mean) / mean).toBeLessThan(0.25)
  }
})

test('generatePasswordForSheet never starts with a formula character', () => {
  const first = Array.from({ length: 2_000 }, () => generatePasswordForSheet().charAt(0))
  expect(first.filter((character) => '=+-@'.includes(character))).toEqual([])
  expect(new Set(first).size).toBe(alphabet.length - 1)
})

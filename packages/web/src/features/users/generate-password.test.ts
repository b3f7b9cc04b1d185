import { expect, test } from 'vitest'
import {
  generatePassword,
  generatePasswordForSheet,
  PASSWORD_LENGTH,
  passwordClasses,
} from './generate-password.ts'

const alphabet = Object.values(passwordClasses).join('')
const drawn = Array.from({ length: 4_000 }, generatePassword)

test('16 characters of the alphabet, at least one of each class, never a capital K', () => {
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

test('no two are the same, and every character turns up at every place', () => {
  expect(new Set(drawn).size).toBe(drawn.length)
  for (let place = 0; place < PASSWORD_LENGTH; place += 1)
    expect(new Set(drawn.map((password) => password[place])).size).toBe(alphabet.length)
})

test('characters of one class are equally likely', () => {
  const counts = new Map<string, number>()
  for (const character of drawn.join('')) counts.set(character, (counts.get(character) ?? 0) + 1)
  for (const characters of Object.values(passwordClasses)) {
    const found = [...characters].map((character) => counts.get(character) ?? 0)
    const mean = found.reduce((sum, count) => sum + count, 0) / found.length
    const chiSquared = found.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0)
    // Six standard deviations above its expectation: by chance once in some hundred million runs.
    expect(chiSquared).toBeLessThan(found.length + 6 * Math.sqrt(2 * found.length))
    // The bias of a plain remainder would be seen: some characters would come half as often again.
    for (const count of found) expect(Math.abs(count - mean) / mean).toBeLessThan(0.25)
  }
})

test('passwords for a spreadsheet never begin as a formula would', () => {
  const first = Array.from({ length: 2_000 }, () => generatePasswordForSheet().charAt(0))
  expect(first.filter((character) => '=+-@'.includes(character))).toEqual([])
  expect(new Set(first).size).toBe(alphabet.length - 1)
})

import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { darkModules } from './qr-code.tsx'

/** Returns the modules that the path paints. */
const painted = (path: string, size: number): boolean[][] => {
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x, y, width, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)) {
    expect(back).toBe(x)
    for (let i = 0; i < Number(width); i += 1) {
      const row = rows[Number(y)]
      if (row) row[Number(x) + i] = true
    }
  }
  return rows
}

test('darkModules paints exactly the dark modules and leaves the quiet zone light', () => {
  const { data, size } = encode('otpauth://totp/BI%20Manager:ana%40demo.local?secret=ABC', { border: 4 })
  const path = darkModules(data)
  expect(path).toMatch(/^(M\d+ \d+h\d+v1H\d+z)+$/)
  const modules = painted(path, size)
  expect(modules).toEqual(data)
  for (const edge of [0, 1, 2, 3, size - 4, size - 1]) {
    expect(modules[edge]).not.toContain(true)
    expect(modules.map((row) => row[edge])).not.toContain(true)
  }
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Kind: a page compares a time of the server with the clock of a computer that is wrong. The web app
 * takes the server's time from `serverNow`, and measures lengths of time with `performance.now()`.
 */

const root = join(import.meta.dirname, '../../packages/web/src')

/** Who may read the computer's clock, and why. */
const allowed: Record<string, string> = {
  'lib/clock/server-clock.ts': 'adds the difference to it',
  'lib/api/connection.ts': 'measures the difference',
  'accounts/sign-in/session-ending-dialog.tsx': 'converts a time that TanStack Query took from it',
  'lib/live/live.ts': 'a length of time that includes the sleep of the computer',
  'lib/live/live-stream.ts': 'a length of time that includes the sleep of the computer',
  'reports/viewer/opening/run-when-visible.ts': 'a length of time that includes the sleep of the computer',
  'reports/viewer/tokens/prefetched-tokens.ts': 'a length of time that includes the sleep of the computer',
  'reports/viewer/tokens/token-renewal.ts': 'a length of time that includes the sleep of the computer',
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm
const computerClock = /\bDate\.now\b|\bnew Date\b(?!\()|\bnew Date\(\s*\)|(?<!new )(?<![\w.])Date\(\s*\)/

test('the web app reads no clock of the computer but in the listed places', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.{ts,tsx}'] })
  const reading = files.filter((file) =>
    computerClock.test(readFileSync(join(root, file), 'utf8').replace(comments, '')),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(reading.sort(), 'use serverNow, or performance.now() for a length of time').toEqual(
    Object.keys(allowed).sort(),
  )
})

test.each([
  ['const at = Date.now()', true],
  ['useState(Date.now)', true],
  ['new Date().getTime()', true],
  ['new Date', true],
  ['const text = Date()', true],
  ['new Date(serverNow())', false],
  ['Date.parse(text)', false],
  ['validDate()', false],
  ['performance.now()', false],
])('the rule finds the clock of the computer in %s: %s', (code, expected) => {
  expect(computerClock.test(code)).toBe(expected)
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Kind: a page compares a time of the server with the clock of a computer that is wrong. The web app
 * takes the server's time from `serverNow`, and measures lengths of time with `performance.now()`; the
 * embed page converts the only time of the server that it compares, the end of its token.
 */

const root = join(import.meta.dirname, '../../packages')

/** Who may read the computer's clock, and why. */
const allowed: Record<string, string> = {
  'web/src/lib/clock/server-clock.ts': 'adds the difference to it',
  'web/src/lib/api/connection.ts': 'measures the difference',
  'web/src/accounts/sign-in/session-ending-dialog.tsx': 'converts a time that TanStack Query took from it',
  'web/src/lib/live/live.ts': 'a length of time that includes the sleep of the computer',
  'web/src/lib/live/live-stream.ts': 'a length of time that includes the sleep of the computer',
  'web/src/reports/viewer/opening/run-when-visible.ts':
    'a length of time that includes the sleep of the computer',
  'web/src/reports/viewer/tokens/prefetched-tokens.ts':
    'a length of time that includes the sleep of the computer',
  'web/src/reports/viewer/tokens/token-renewal.ts':
    'a length of time that includes the sleep of the computer',
  'reports/src/embed-page/session/data-api.ts': 'measures the difference',
  'reports/src/embed-page/session/token-clock.ts': 'data-api.ts has converted the end of the token',
  'reports/src/embed-page/view/charts/load-charts.ts': 'an address that no cache knows',
  'reports/src/embed-page/export/export-page.ts': "runs in the report service's own browser",
}

const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm
const computerClock = /\bDate\.now\b|\bnew Date\b(?!\()|\bnew Date\(\s*\)|(?<!new )(?<![\w.])Date\(\s*\)/

test('the pages read no clock of the computer but in the listed places', () => {
  const files = globSync('{web/src,reports/src/embed-page}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/*.test.{ts,tsx}', '**/embed-page/test/**'],
  })
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

import { expect, test } from 'vitest'
import { retryAfterOf } from './retry-after.ts'

const date = 'Wed, 25 Nov 2026 12:00:00 GMT'

test.each([
  ['seconds', { 'retry-after': '17' }, '', 17],
  ['no wait as the shortest one', { 'retry-after': '0' }, '', 1],
  ["a date, from the answer's own date", { 'retry-after': 'Wed, 25 Nov 2026 12:01:30 GMT', date }, '', 90],
  ['a date that has passed', { 'retry-after': 'Wed, 25 Nov 2026 11:00:00 GMT', date }, '', 1],
  ["the text's seconds without a header", {}, 'Further requests will fail. Retry in 1423 seconds.', 1423],
  ['the header before the text', { 'retry-after': '5' }, 'Retry in 1423 seconds.', 5],
  ['a longer wait as an hour', { 'retry-after': '999999999' }, '', 3_600],
  ['a far date as an hour', { 'retry-after': 'Wed, 25 Nov 2099 12:00:00 GMT', date }, '', 3_600],
  ["the text's longer wait as an hour", {}, 'Retry in 86400 seconds.', 3_600],
  ['nothing for another header', { 'retry-after': 'em breve' }, '', undefined],
  ['nothing for a fraction', { 'retry-after': '1.5' }, '', undefined],
  ['nothing without header and text', {}, 'Too many requests', undefined],
])('retryAfterOf understands %s', (_, headers, text, seconds) => {
  expect(retryAfterOf(new Headers(headers), text)).toBe(seconds)
})

test('retryAfterOf measures a date from now when the answer has none', () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()
  const seconds = retryAfterOf(new Headers({ 'retry-after': inAMinute }), '')
  expect(seconds).toBeGreaterThanOrEqual(58)
  expect(seconds).toBeLessThanOrEqual(60)
})

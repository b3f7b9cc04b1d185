import { expect, test } from 'vitest'
import { bytesText, differenceText, uptimeText } from './status-text.ts'

test.each([
  [null, '—'],
  [0, '0 B'],
  [1023, '1.023 B'],
  [1536, '1,5 KB'],
  [12_897_484, '12,3 MB'],
  [214_748_364_800, '200 GB'],
  [5 * 1024 ** 5, '5.120 TB'],
])('the status text writes %s bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test.each([
  [null, undefined],
  [0, '0 s'],
  [-150, '−0,2 s'],
  [-40, '0 s'],
  [12_340, '+12,3 s'],
])('the status text writes a difference of %s milliseconds as %s', (milliseconds, text) => {
  expect(differenceText(milliseconds)).toBe(text)
})

test.each([
  [0, '0 min'],
  [3_599, '59 min'],
  [12_000, '3 h 20 min'],
  [183_600, '2 d 3 h'],
])('the status text writes %s seconds as %s', (seconds, text) => {
  expect(uptimeText(seconds)).toBe(text)
})

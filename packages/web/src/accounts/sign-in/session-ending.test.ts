import { expect, test } from 'vitest'
import { nextEnding } from './session-ending.ts'

const minutes = (count: number) => count * 60_000
const start = Date.parse('2026-03-02T12:00:00Z')
const iso = (time: number) => new Date(time).toISOString()
const limits = {
  sessaoExpiraEm: iso(start + minutes(480)),
  sessaoOciosaEm: iso(start + minutes(60)),
  readAt: start,
}
const base = { now: start, tokenEnd: start + minutes(480), lastUserActivity: start, limits }

test('the session ending returns the idle end first, and each call in any tab postpones it', () => {
  expect(nextEnding(base)).toEqual({ kind: 'idle', at: start + minutes(60), remaining: minutes(60) })
  expect(nextEnding({ ...base, lastUserActivity: start + minutes(30) }).at).toBe(start + minutes(90))
})

test('the session ending returns the absolute end when it comes before the idle end', () => {
  const lastUserActivity = start + minutes(430)
  expect(nextEnding({ ...base, now: start + minutes(479), lastUserActivity })).toEqual({
    kind: 'absolute',
    at: start + minutes(480),
    remaining: minutes(1),
  })
})

test("the session ending uses only the token's expiry while the server's limits are unknown", () => {
  expect(nextEnding({ ...base, limits: undefined }).at).toBe(start + minutes(480))
})

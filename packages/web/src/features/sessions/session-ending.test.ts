import { expect, test } from 'vitest'
import { nextEnding } from './session-ending.ts'

const minutes = (count: number) => count * 60_000
const start = Date.parse('2026-03-02T12:00:00Z')
const iso = (time: number) => new Date(time).toISOString()
const limits = {
  sessaoExpiraEm: iso(start + minutes(480)),
  sessaoOciosaEm: iso(start + minutes(60)),
  readAt: start,
  serverAhead: 0,
}
const base = { now: start, tokenEnd: start + minutes(480), lastUse: start, limits }

test('the idle end comes first, and each call in any tab puts it off', () => {
  expect(nextEnding(base)).toEqual({ kind: 'idle', at: start + minutes(60), remaining: minutes(60) })
  expect(nextEnding({ ...base, lastUse: start + minutes(30) }).at).toBe(start + minutes(90))
})

test('near the end of its life a session ends by the absolute limit', () => {
  const lastUse = start + minutes(430)
  expect(nextEnding({ ...base, now: start + minutes(479), lastUse })).toEqual({
    kind: 'absolute',
    at: start + minutes(480),
    remaining: minutes(1),
  })
})

test('without the limits of the server the token alone decides', () => {
  expect(nextEnding({ ...base, limits: undefined }).at).toBe(start + minutes(480))
})

test("a clock that is two hours ahead of the server's does not end the session", () => {
  const ahead = minutes(120)
  const now = start + ahead
  const skewed = { ...limits, readAt: now, serverAhead: -ahead }
  expect(nextEnding({ now, tokenEnd: base.tokenEnd, lastUse: now, limits: skewed }).remaining).toBe(
    minutes(60),
  )
})

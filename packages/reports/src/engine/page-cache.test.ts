import { describe, expect, it } from 'vitest'
import { createPageCache } from './page-cache.ts'

function counting(text = 'x') {
  const calls = { count: 0 }
  const compute = async () => {
    calls.count++
    return text
  }
  return { calls, compute }
}

describe('the page cache', () => {
  it('keeps an answer for a minute, under its own key', async () => {
    const clock = { now: 0 }
    const cached = createPageCache(() => clock.now)
    const { calls, compute } = counting()
    await cached('a', compute)
    await cached('a', compute)
    expect(calls.count).toBe(1)
    await cached('b', compute)
    expect(calls.count).toBe(2)
    clock.now = 60_000
    await cached('a', compute)
    expect(calls.count).toBe(3)
  })

  it('shares one computation among those who ask at once, and keeps no failure', async () => {
    const cached = createPageCache(() => 0)
    const { calls, compute } = counting()
    await Promise.all([cached('a', compute), cached('a', compute)])
    expect(calls.count).toBe(1)
    const fail = () => Promise.reject(new Error('não'))
    await expect(cached('b', fail)).rejects.toThrow('não')
    expect(await cached('b', compute)).toBe('x')
  })

  it('lets the least recently used go when full, and never takes what is too large', async () => {
    const cached = createPageCache(() => 0)
    const { calls, compute } = counting('x'.repeat(3_900_000))
    for (const key of ['a', 'b', 'c', 'd', 'a', 'e']) await cached(key, compute)
    expect(calls.count).toBe(5)
    await cached('a', compute)
    expect(calls.count).toBe(5)
    await cached('b', compute)
    expect(calls.count).toBe(6)
    const large = counting('x'.repeat(4_100_000))
    await cached('large', large.compute)
    await cached('large', large.compute)
    expect(large.calls.count).toBe(2)
  })
})

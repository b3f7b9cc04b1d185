import { describe, expect, test } from 'vitest'
import { createAnswerCache } from './answer-cache.ts'

const counting = (text = 'x') => {
  const calls = { count: 0 }
  const compute = async () => {
    calls.count++
    return text
  }
  return { calls, compute }
}

const callerLeft = new AbortController().signal
/** A question of one owner, whose answer depends on nothing but the data. */
const asked = { owner: 'o', callerLeft, dependsOnTime: false }

describe('createAnswerCache', () => {
  test('createAnswerCache keeps each answer under its key: for a minute if it depends on the time, otherwise for longer', async () => {
    const clock = { now: 0 }
    const cached = createAnswerCache(() => clock.now)
    const { calls, compute } = counting()
    const timed = { ...asked, dependsOnTime: true }
    await cached('a', { ...timed, compute })
    await cached('a', { ...timed, compute })
    expect(calls.count).toBe(1)
    await cached('b', { ...asked, compute })
    expect(calls.count).toBe(2)
    clock.now = 60_000
    await cached('a', { ...timed, compute })
    expect(calls.count).toBe(3)
    await cached('b', { ...asked, compute })
    expect(calls.count).toBe(3)
  })

  test('createAnswerCache tells a computation that waited whether another owner has computed the answer since', async () => {
    const cached = createAnswerCache(() => 0)
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>()
    const waiting = cached('a', {
      ...asked,
      owner: 'p',
      compute: async (_allCallersLeft, findKept) => {
        await turn
        return findKept() ?? 'computed again'
      },
    })
    await cached('a', { ...asked, compute: counting().compute })
    begin()
    expect(await waiting).toBe('x')
  })

  test('createAnswerCache shares one computation among simultaneous callers, and does not cache failures', async () => {
    const cached = createAnswerCache(() => 0)
    const { calls, compute } = counting()
    await Promise.all([cached('a', { ...asked, compute }), cached('a', { ...asked, compute })])
    expect(calls.count).toBe(1)
    const fail = () => Promise.reject(new Error('não'))
    await expect(cached('b', { ...asked, compute: fail })).rejects.toThrow('não')
    expect(await cached('b', { ...asked, compute })).toBe('x')
  })

  test('createAnswerCache evicts the least recently used answers, and does not keep one that is too large', async () => {
    const cached = createAnswerCache(() => 0)
    const { calls, compute } = counting('x'.repeat(3_900_000))
    for (const key of ['a', 'b', 'c', 'd', 'a', 'e']) await cached(key, { ...asked, compute })
    expect(calls.count).toBe(5)
    await cached('a', { ...asked, compute })
    expect(calls.count).toBe(5)
    await cached('b', { ...asked, compute })
    expect(calls.count).toBe(6)
    const large = counting('x'.repeat(4_100_000))
    await cached('large', { ...asked, compute: large.compute })
    await cached('large', { ...asked, compute: large.compute })
    expect(large.calls.count).toBe(2)
  })

  test('createAnswerCache counts empty answers against the budget, and does not keep long keys', async () => {
    const cached = createAnswerCache(() => 0)
    const { calls, compute } = counting('')
    const before = process.memoryUsage().heapUsed
    for (let n = 0; n < 300; n++) await cached(`${n}${'x'.repeat(1_000_000)}`, { ...asked, compute })
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
    for (let n = 0; n < 40_001; n++) await cached(`${n}`, { ...asked, compute })
    expect(calls.count).toBe(40_301)
    await cached('0', { ...asked, compute })
    expect(calls.count).toBe(40_302)
  })

  test('createAnswerCache aborts a shared computation only when its last caller has left', async () => {
    const cached = createAnswerCache(() => 0)
    const stops: AbortSignal[] = []
    const compute = (allCallersLeft: AbortSignal) => {
      stops.push(allCallersLeft)
      return new Promise<string>((_resolve, reject) => {
        allCallersLeft.addEventListener('abort', () => reject(new Error('parou')))
      })
    }
    const [one, two, other] = [new AbortController(), new AbortController(), new AbortController()]
    const gone = new AbortController()
    gone.abort()
    const ask = (owner: string, { signal }: AbortController) =>
      cached('a', { owner, callerLeft: signal, dependsOnTime: false, compute }).catch(
        (error: Error) => error.message,
      )
    const answers = [ask('o', one), ask('o', two)]
    expect(stops).toHaveLength(1)
    one.abort()
    expect(stops[0]?.aborted).toBe(false)
    // Another owner has its own computation.
    const apart = ask('p', other)
    expect(stops).toHaveLength(2)
    two.abort()
    expect([stops[0]?.aborted, stops[1]?.aborted]).toEqual([true, false])
    // A new caller does not join an aborted computation.
    const fresh = ask('o', new AbortController())
    expect(stops).toHaveLength(3)
    expect(await Promise.all(answers)).toEqual(['parou', 'parou'])
    expect(stops[2]?.aborted).toBe(false)
    other.abort()
    expect(await apart).toBe('parou')
    void fresh
    // A caller that left before its turn does not wait.
    expect(await ask('q', gone)).toBe('parou')
  })
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { inBatches } from './in-batches.ts'

/** Loads that the test resolves. */
const heldLoads = (sizes?: Parameters<typeof inBatches>[1]) => {
  const loads: { keys: number[]; answer: () => void; fail: (error: Error) => void }[] = []
  const ask = inBatches(
    (keys: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        loads.push({ keys, answer: () => resolve(keys.map((key) => `<${key}>`)), fail: reject })
      }),
    sizes,
  )
  return { loads, ask }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('inBatches sends the calls of one event-loop turn as one batch, and later calls as the next', async () => {
  const { loads, ask } = heldLoads()
  const first = Promise.all([ask(1), Promise.resolve().then(() => ask(4))])
  await settle()
  expect(loads.map(({ keys }) => keys)).toEqual([[1, 4]])
  const others = Promise.all([ask(2), ask(3), ask(2)])
  await settle()
  expect(loads).toHaveLength(1)
  loads[0]?.answer()
  expect(await first).toEqual(['<1>', '<4>'])
  await settle()
  expect(loads.map(({ keys }) => keys)).toEqual([
    [1, 4],
    [2, 3, 2],
  ])
  loads[1]?.answer()
  expect(await others).toEqual(['<2>', '<3>', '<2>'])
})

test('a call never joins a batch that started before it', async () => {
  const { loads, ask } = heldLoads()
  const first = ask(1)
  await settle()
  const second = ask(1)
  loads[0]?.answer()
  await first
  await settle()
  expect(loads).toHaveLength(2)
  loads[1]?.answer()
  expect(await second).toBe('<1>')
})

test.each([
  ['a value that does not fit', '22003'],
  ['a deadlock', '40P01'],
])('after %s in a batch, each call is repeated alone so that only the faulty one fails', async (_, code) => {
  const calls: number[][] = []
  const ask = inBatches(async (keys: number[]) => {
    calls.push(keys)
    await settle()
    if (keys.includes(13)) throw Object.assign(new Error('13'), { code })
    return keys
  })
  const answers = await Promise.allSettled([ask(1), ask(13), ask(3)])
  expect(calls).toEqual([[1, 13, 3], [1], [13], [3]])
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message)),
  ).toEqual([1, '13', 3])
})

test('a batch is not repeated when the connection is lost', async () => {
  let loads = 0
  const ask = inBatches(async (keys: number[]) => {
    loads += 1
    await settle()
    if (loads > 1) throw Object.assign(new Error('gone'), { code: '08006' })
    return keys
  })
  const first = ask(1)
  await settle()
  const answers = await Promise.allSettled([first, ask(2), ask(3)])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(loads).toBe(2)
})

test('inBatches splits 501 calls into three batches', async () => {
  const sizes: number[] = []
  const ask = inBatches(async (keys: number[]) => {
    sizes.push(keys.length)
    return keys
  })
  await Promise.all(Array.from({ length: 501 }, (_, key) => ask(key)))
  expect(sizes).toEqual([200, 200, 101])
})

test('inBatches runs full batches concurrently up to a limit, and a partial one when none is running', async () => {
  const { loads, ask } = heldLoads({ largest: 2, concurrent: 2 })
  const sent = () => loads.map(({ keys }) => keys)
  const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map((key) => ask(key)))
  // Sent without waiting for the end of the turn.
  expect(sent()).toEqual([
    [1, 2],
    [3, 4],
  ])
  loads[1]?.answer()
  await settle()
  expect(sent().slice(2)).toEqual([[5, 6]])
  loads[0]?.answer()
  await settle()
  expect(loads).toHaveLength(3)
  loads[2]?.answer()
  await settle()
  await settle()
  expect(sent().slice(3)).toEqual([[7]])
  loads[3]?.answer()
  expect(await answers).toEqual(['<1>', '<2>', '<3>', '<4>', '<5>', '<6>', '<7>'])
})

test('those that come later do not wait for a statement that is not answered for seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { loads, ask } = heldLoads()
  const first = ask(1)
  await settle()
  const second = ask(2)
  await settle()
  expect(loads).toHaveLength(1)
  vi.advanceTimersByTime(3_000)
  await settle()
  expect(loads.map(({ keys }) => keys)).toEqual([[1], [2]])
  loads[1]?.answer()
  expect(await second).toBe('<2>')
  loads[0]?.answer()
  expect(await first).toBe('<1>')
})

import { afterEach, expect, test, vi } from 'vitest'
import { STATEMENT_PATIENCE_MS } from './in-batches.ts'
import { shareReads } from './share-reads.ts'

afterEach(() => vi.useRealTimers())

/** Reads that the test ends; each answers with its number. */
const controlledReads = () => {
  const ends: ((error?: Error) => void)[] = []
  const read = vi.fn(
    (_asked: string) =>
      new Promise<number>((resolve, reject) => {
        const number = ends.length + 1
        ends.push((error) => (error ? reject(error) : resolve(number)))
      }),
  )
  const ask = shareReads(read)
  return { ask, read, end: (number: number, error?: Error) => ends[number - 1]?.(error) }
}
const started = (read: { mock: { calls: unknown[] } }, count: number) =>
  vi.waitFor(() => expect(read.mock.calls).toHaveLength(count))

test('calls of one moment that ask the same share a read', async () => {
  const { ask, read, end } = controlledReads()
  const answers = Promise.all([ask('a'), ask('a'), ask('a')])
  await started(read, 1)
  end(1)
  expect(await answers).toEqual([1, 1, 1])
  expect(read).toHaveBeenCalledTimes(1)
})

test('a call that arrives while a read runs gets the answer of a later read', async () => {
  const { ask, read, end } = controlledReads()
  const first = ask('a')
  await started(read, 1)
  const later = [ask('a'), ask('a')]
  expect(read).toHaveBeenCalledTimes(1)
  end(1)
  expect(await first).toBe(1)
  await started(read, 2)
  end(2)
  expect(await Promise.all(later)).toEqual([2, 2])
})

test('shareReads reads that ask something else do not wait', async () => {
  const { ask, read, end } = controlledReads()
  const [first, second] = [ask('a'), ask('b')]
  await started(read, 2)
  end(2)
  expect(await second).toBe(2)
  end(1)
  expect(await first).toBe(1)
})

test('a failed read fails its callers only', async () => {
  const { ask, read, end } = controlledReads()
  const failed = Promise.allSettled([ask('a'), ask('a')])
  await started(read, 1)
  const later = ask('a')
  end(1, new Error('lost'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await started(read, 2)
  end(2)
  expect(await later).toBe(2)
  const afterwards = ask('a')
  await started(read, 3)
  end(3)
  expect(await afterwards).toBe(3)
})

test('calls do not wait for ever for a read on a dead connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { ask, read, end } = controlledReads()
  void ask('a')
  await vi.advanceTimersByTimeAsync(1)
  await new Promise(setImmediate)
  const later = ask('a')
  await vi.advanceTimersByTimeAsync(STATEMENT_PATIENCE_MS)
  expect(read).toHaveBeenCalledTimes(2)
  end(2)
  expect(await later).toBe(2)
})

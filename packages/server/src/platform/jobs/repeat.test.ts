import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startRepeating } from './repeat.ts'

const logOf = () => {
  const lines: string[] = []
  const error = ({ err }: { err: unknown }, sentence: string) => lines.push(`${sentence}: ${err}`)
  return { lines, log: { error } as never }
}

test('repeated work does not overlap, and a stop waits for the run in progress', async () => {
  const { log } = logOf()
  let now = 0
  let most = 0
  let runs = 0
  const repeated = startRepeating({ name: 'work', everyMs: 1, log }, async () => {
    now += 1
    runs += 1
    most = Math.max(most, now)
    await sleep(10)
    now -= 1
  })
  await vi.waitUntil(() => runs > 2)
  await repeated.stop()
  const stoppedAt = runs
  await sleep(30)
  expect([most, now, runs]).toEqual([1, 0, stoppedAt])
})

test('repeated work begins with what is first', async () => {
  const { log } = logOf()
  const done: string[] = []
  const first = async () => void done.push('first')
  const repeated = startRepeating(
    { name: 'work', everyMs: 60_000, log, first },
    async () => void done.push('work'),
  )
  await repeated.stop()
  expect(done).toEqual(['first'])
})

test('repeated work logs a failure once until it works, or fails in another way', async () => {
  const { lines, log } = logOf()
  const failures = ['one', 'one', 'two', undefined, 'two', 'two']
  const repeated = startRepeating({ name: 'work of a test', everyMs: 1, log }, async () => {
    if (failures.length === 0) return
    const failure = failures.shift()
    if (failure) throw new Error(failure)
  })
  await vi.waitUntil(() => failures.length === 0)
  await repeated.stop()
  const sentences = ['one', 'two', 'two'].map((failure) => `the work of a test failed: Error: ${failure}`)
  expect(lines).toEqual(sentences)
})

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const gate = () => Promise.withResolvers<void>()

test('of one key two at a time, the others in order; another key does not wait', async () => {
  const turns = createTurns(2)
  const begun: string[] = []
  const gates = [gate(), gate(), gate(), gate()]
  const runs = gates.map(({ promise }, i) =>
    turns.take('burst', async () => {
      begun.push(`burst ${i}`)
      await promise
      return i
    }),
  )
  await turns.take('other', () => Promise.resolve(begun.push('other')))
  expect(begun).toEqual(['burst 0', 'burst 1', 'other'])
  gates[1]?.resolve()
  expect(await runs[1]).toBe(1)
  await setImmediate()
  expect(begun).toEqual(['burst 0', 'burst 1', 'other', 'burst 2'])
  for (const { resolve } of gates) resolve()
  expect(await Promise.all(runs)).toEqual([0, 1, 2, 3])
})

test('what fails gives its turn on', async () => {
  const turns = createTurns(1)
  const failed = turns.take('one', () => Promise.reject(new Error('no')))
  const after = turns.take('one', () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await after).toBe('yes')
})

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const gate = () => Promise.withResolvers<void>()

test('runs two tasks of one key at a time and the others in order, without delaying other keys', async () => {
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

test('continues with the next task after a failure', async () => {
  const turns = createTurns(1)
  const failed = turns.take('one', () => Promise.reject(new Error('no')))
  const after = turns.take('one', () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await after).toBe('yes')
})

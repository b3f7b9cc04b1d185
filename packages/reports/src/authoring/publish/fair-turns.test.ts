import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

/** Returns turns whose works end when the test says so, and the names of those that have begun. */
const turnsOf = (most: number) => {
  const inTurn = createFairTurns(most)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (person: string, name: string) =>
    inTurn(person, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { inTurn, begun, ask, end }
}

test('fair turns run the works of a person one after the other, beside those of another person', async () => {
  const { begun, ask, end } = turnsOf(2)
  const first = ask('ana', 'ana 1')
  void ask('ana', 'ana 2')
  void ask('bia', 'bia 1')
  expect(begun).toEqual(['ana 1', 'bia 1'])
  await end('bia 1')
  expect(begun).toEqual(['ana 1', 'bia 1'])
  await end('ana 1')
  expect(begun).toEqual(['ana 1', 'bia 1', 'ana 2'])
  expect(await first).toBe('ana 1')
})

test('fair turns let people take turns when all places are taken', async () => {
  const { begun, ask, end } = turnsOf(1)
  for (const name of ['ana 1', 'ana 2', 'ana 3']) void ask('ana', name)
  void ask('bia', 'bia 1')
  await end('ana 1')
  await end('bia 1')
  await end('ana 2')
  expect(begun).toEqual(['ana 1', 'bia 1', 'ana 2', 'ana 3'])
})

test.each([
  [
    'later',
    async () => {
      throw new Error('broken')
    },
  ],
  [
    'at once',
    () => {
      throw new Error('broken')
    },
  ],
])('fair turns go on after a work that failed %s', async (_, work: () => Promise<never>) => {
  const { inTurn, begun, ask } = turnsOf(1)
  const failed = inTurn('ana', work)
  void ask('ana', 'ana 2')
  await expect(failed).rejects.toThrow('broken')
  await new Promise(setImmediate)
  expect(begun).toEqual(['ana 2'])
})

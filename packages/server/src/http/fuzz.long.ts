import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { fuzz } from '../../test/fuzz/fuzz.ts'

const leastRequests = 20_000

/* FUZZ_SEED repeats a run; without it every run is another. */
test('every operation, as each role, with good and broken input of every kind', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
  console.log(`fuzz: seed ${seed}`)
  const { faults, sent, statuses } = await fuzz({ seed, requests: leastRequests, asEveryRole: true })
  console.log(`fuzz: ${sent} requests, answers by status ${JSON.stringify(statuses)}`)
  expect(faults.join('\n\n')).toBe('')
  expect(sent).toBeGreaterThanOrEqual(leastRequests)
})

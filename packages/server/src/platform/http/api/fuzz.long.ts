import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { fuzz } from '../../../../test/fuzz/fuzz.ts'

/* FUZZ_SEED repeats a run; without it each run has a random seed. FUZZ_REQUESTS makes it longer. */

const leastRequests = Number(process.env.FUZZ_REQUESTS ?? 20_000)
const leastPermitted = 0.6

test('every operation handles good and broken input of every kind as each role', {
  // 20 ms a request on an idle core, more on a busy one.
  timeout: Math.max(1_800_000, leastRequests * 40),
}, async () => {
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31))
  console.log(`fuzz: seed ${seed}`)
  const { faults, sent, permitted, statuses } = await fuzz({
    seed,
    requests: leastRequests,
    asEveryRole: true,
  })
  const share = permitted / sent
  console.log(`fuzz: ${(share * 100).toFixed(1)}% with a live session that has the permission`)
  console.log(`fuzz: ${sent} requests, answers by status ${JSON.stringify(statuses)}`)
  expect(faults.join('\n\n')).toBe('')
  expect(share).toBeGreaterThanOrEqual(leastPermitted)
  expect(sent).toBeGreaterThanOrEqual(leastRequests)
})

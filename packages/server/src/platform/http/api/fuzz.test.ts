import { expect, test } from 'vitest'
import { fuzz } from '../../../../test/fuzz/fuzz.ts'

/* The short form of fuzz.long.ts, with a fixed seed. */
test('a few hundred good and broken requests cause no fault in any role', {
  timeout: 120_000,
}, async () => {
  const { faults, sent } = await fuzz({ seed: 20261121, requests: 500, asEveryRole: false })
  expect(faults.join('\n\n')).toBe('')
  expect(sent).toBeGreaterThan(300)
})

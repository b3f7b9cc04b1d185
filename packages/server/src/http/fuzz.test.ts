import { expect, test } from 'vitest'
import { fuzz } from '../../test/fuzz/fuzz.ts'

/* The short form of fuzz.long.ts, with a seed of its own that does not change. */
test('a few hundred good and broken requests break nothing, as whoever they come', {
  timeout: 120_000,
}, async () => {
  const { faults, sent } = await fuzz({ seed: 20261121, requests: 500, asEveryRole: false })
  expect(faults.join('\n\n')).toBe('')
  expect(sent).toBeGreaterThan(300)
})

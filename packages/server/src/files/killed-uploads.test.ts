import { expect, test } from 'vitest'
import { killDuringUploads } from '../../test/killed-uploads.ts'

// Run on the embedded project alone: vitest.config.ts leaves it out of the other.
test('kill -9 during uploads and saves loses nothing acknowledged (short form; the long one kills 20 times)', {
  timeout: 120_000,
}, async () => {
  const result = await killDuringUploads(1)
  expect(result.files).toBeGreaterThan(1)
  expect(result).toMatchObject({ missing: [], orphans: 0, pending: 0 })
})

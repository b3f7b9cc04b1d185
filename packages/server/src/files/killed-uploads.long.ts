import { expect, test } from 'vitest'
import { killDuringUploads } from '../../test/killed-uploads.ts'

test('20 times kill -9 during uploads and saves: nothing acknowledged is lost, nothing is left over', async () => {
  const result = await killDuringUploads(20)
  console.log(`kill -9 × 20: ${result.files} files and ${result.records} records acknowledged`)
  expect(result.files).toBeGreaterThan(40)
  expect(result.records).toBeGreaterThan(20)
  expect(result).toMatchObject({ missing: [], orphans: 0, pending: 0 })
})

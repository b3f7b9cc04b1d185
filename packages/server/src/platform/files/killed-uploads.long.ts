import { expect, test } from 'vitest'
import { killDuringUploads } from '../../../test/checks/killed-uploads.ts'

test('the portal keeps all acknowledged files and records, and leaves no orphan, through 20 × kill -9', async () => {
  const result = await killDuringUploads(20)
  console.log(`kill -9 × 20: ${result.files} files and ${result.records} records acknowledged`)
  expect(result.files).toBeGreaterThan(40)
  expect(result.records).toBeGreaterThan(20)
  expect(result).toMatchObject({ missing: [], orphans: 0, pending: 0 })
})

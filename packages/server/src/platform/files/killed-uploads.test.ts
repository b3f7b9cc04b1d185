import { expect, test } from 'vitest'
import { killDuringUploads } from '../../../test/checks/killed-uploads.ts'

// Embedded database only: vitest.config.ts excludes this file from the PostgreSQL project.
test('the portal keeps all acknowledged files and records through kill -9 (killed-uploads.long.ts kills 20 times)', {
  timeout: 300_000,
}, async () => {
  const result = await killDuringUploads(1)
  expect(result.files).toBeGreaterThan(1)
  expect(result).toMatchObject({ missing: [], orphans: 0, pending: 0 })
})

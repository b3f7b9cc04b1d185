import { expect, test } from 'vitest'
import { killDuringWrites } from '../../../test/processes/killed-server.ts'

test('the embedded database keeps every acknowledged write through 20 × kill -9', async () => {
  const result = await killDuringWrites(20)
  console.log(`kill -9 × 20: ${result.acknowledged} acknowledged, ${result.missing} missing`)
  expect(result.acknowledged).toBeGreaterThan(200)
  expect(result.missing).toBe(0)
  expect(result.complaints).toEqual([])
})

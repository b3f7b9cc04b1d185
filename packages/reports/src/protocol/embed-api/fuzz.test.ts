import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/fixture.ts'
import { fuzzFilters } from '../../../test/fuzz-filters.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.loaded
})
afterAll(() => service.stop())

test('500 random filters never return a row of another identity', {
  timeout: 60_000,
}, async () => {
  const { answered } = await fuzzFilters(service, 500)
  expect(answered).toBeGreaterThan(20)
})

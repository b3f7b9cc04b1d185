import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../test/fixture.ts'
import { fuzzFilters } from '../../../test/fuzz-filters.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.loaded
})
afterAll(() => service.stop())

test('20,000 random filters never return a row of another identity', async () => {
  const { sent, answered } = await fuzzFilters(service, 20_000)
  console.log(
    `fuzz: ${sent} requests with random filters, ${answered} answered with rows, no 5xx, no foreign row`,
  )
  expect(answered).toBeGreaterThan(500)
})

import { expect, test } from 'vitest'
import { CLAIMS, GROUP, type Service, serviceWith } from '../test/fixture.ts'
import { createReportMetrics } from './metrics.ts'

/** Returns length and age of a queue. */
const readQueue = async ({ measured }: Service, queue: string) => {
  const metrics = createReportMetrics(measured)
  const text = await metrics.text()
  metrics.close()
  return ['length', 'oldest_seconds'].map((name) => {
    const [, value] = new RegExp(`^bimanager_queue_${name}{queue="${queue}".*} (\\S+)$`, 'm').exec(text) ?? []
    return Number(value)
  })
}

test('the queue of refreshes reports the running ones and the age of the oldest', async () => {
  const service = await serviceWith()
  const token = await service.entraToken()
  const refreshes = `/groups/${GROUP}/datasets/${CLAIMS}/refreshes`
  expect(await readQueue(service, 'refreshes')).toEqual([0, 0])
  const asked = await service.rest(token, 'POST', refreshes, { notifyOption: 'NoNotification' })
  expect(asked.statusCode).toBe(202)
  service.clock.now += 5_000
  expect(await readQueue(service, 'refreshes')).toEqual([1, 5])
  // The other entry is the publication, which the test's clock precedes.
  const requested = async () =>
    (await service.rest(token, 'GET', refreshes))
      .json()
      .value.find(({ refreshType }: { refreshType: string }) => refreshType === 'ViaApi').status
  await expect.poll(requested, { timeout: 15_000 }).toBe('Completed')
  expect(await readQueue(service, 'refreshes')).toEqual([0, 0])
})

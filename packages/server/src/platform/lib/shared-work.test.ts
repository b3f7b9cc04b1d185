import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSharedWork } from './shared-work.ts'

test('the shared work runs equal work once while its result is kept, and failed work again', async () => {
  const share = createSharedWork<number>({ limit: 2, keepMs: 60 })
  let runs = 0
  const work = async () => {
    runs += 1
    return runs
  }
  expect(await Promise.all([share('a', work), share('a', work), share('b', work)])).toEqual([1, 1, 2])
  await sleep(150)
  expect(await share('a', work)).toBe(3)
  await expect(share('c', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await share('c', work)).toBe(4)
})

import { expect, test } from 'vitest'
import type { Dataset } from '../../engine/data/catalog.ts'
import { createRefreshHistory } from './refresh-history.ts'

const WRITTEN = Date.UTC(2026, 10, 20)
const dataset = { id: 'd', writtenAt: WRITTEN } as Dataset
const at = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString()
const entry = (started: string, more: object) => ({
  requestId: started,
  type: 'ViaApi' as const,
  started,
  ...more,
})

test('the history dates the data by the last refresh that succeeded', () => {
  const history = createRefreshHistory(() => Date.UTC(2026, 10, 28))
  expect(history.dataTimeOf(dataset)).toBe(at(20))
  history.add(dataset, entry(at(22), { ended: at(23) }))
  history.add(dataset, entry(at(24), { ended: at(25), failure: 'ModelRefresh_DataSourceError' }))
  history.add(dataset, entry(at(26), {}))
  expect(history.dataTimeOf(dataset)).toBe(at(23))
  expect(history.isUnderWay(dataset)).toBe(true)
})

test('the data are not dated after the present, whatever the clock of their files', () => {
  expect(createRefreshHistory(() => Date.UTC(2026, 10, 19)).dataTimeOf(dataset)).toBe(at(19))
})

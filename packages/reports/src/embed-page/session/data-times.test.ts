import { expect, test } from 'vitest'
import type { DataApi } from './data-api.ts'
import { withDataTimes } from './data-times.ts'

test('the page remembers the time of the data of each report, from its latest answer', async () => {
  const answers = ['2026-11-27T08:00:00.000Z', '2026-11-28T08:00:00.000Z', undefined]
  const pageData = async () => ({ visuals: {}, failures: {}, dataTime: answers.shift() })
  const { api, dataTimeOf } = withDataTimes({ pageData } as unknown as DataApi)
  const ask = (id: string) => api.pageData(id, 't', { page: 'p', filters: [] }, new AbortController().signal)
  expect(dataTimeOf('a')).toBeUndefined()
  await ask('a')
  expect(dataTimeOf('a')).toBe('2026-11-27T08:00:00.000Z')
  await ask('a')
  await ask('a')
  expect(dataTimeOf('a')).toBe('2026-11-28T08:00:00.000Z')
  expect(dataTimeOf('b')).toBeUndefined()
})

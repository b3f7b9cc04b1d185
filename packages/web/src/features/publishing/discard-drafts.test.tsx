import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { call } from '../../lib/api/api.ts'
import { useDiscardedDrafts } from './discard-drafts.ts'

vi.mock('../../lib/api/api.ts', () => ({ call: vi.fn(() => Promise.resolve()) }))

const discarded = () => vi.mocked(call).mock.calls.map(([, input]) => input?.params)

test('deletes the drafts that the page no longer shows, and those of a page that is left', () => {
  const { rerender, unmount } = renderHook(({ ids }) => useDiscardedDrafts(ids), {
    initialProps: { ids: [] as string[] },
  })
  rerender({ ids: ['a', 'b'] })
  rerender({ ids: ['a', 'b'] })
  expect(discarded()).toEqual([])
  rerender({ ids: ['c'] })
  expect(discarded()).toEqual([{ rascunho: 'a' }, { rascunho: 'b' }])
  unmount()
  expect(discarded()).toHaveLength(3)
})

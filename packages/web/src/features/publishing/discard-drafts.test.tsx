import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDiscardedDrafts } from './discard-drafts.ts'

let discarded: string[]
beforeEach(() => {
  discarded = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    discarded.push(`${method} ${url.replace(/^.*publicacoes\//, '')}`)
    return new Response(null, { status: 204 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('deletes the drafts that the page no longer shows, and those of a page that is left', async () => {
  const { rerender, unmount } = renderHook(({ ids }) => useDiscardedDrafts(ids), {
    initialProps: { ids: [] as string[] },
  })
  rerender({ ids: ['a', 'b'] })
  rerender({ ids: ['a', 'b'] })
  expect(discarded).toEqual([])
  rerender({ ids: ['c'] })
  await vi.waitFor(() => expect(discarded).toEqual(['DELETE a', 'DELETE b']))
  unmount()
  await vi.waitFor(() => expect(discarded).toEqual(['DELETE a', 'DELETE b', 'DELETE c']))
})

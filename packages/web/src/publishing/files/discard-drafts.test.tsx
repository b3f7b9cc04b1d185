import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDiscardedDrafts } from './discard-drafts.ts'

let discarded: string[]
/** Whether the browser finishes each call after the page is closed. */
let kept: (boolean | undefined)[]
beforeEach(() => {
  discarded = []
  kept = []
  vi.stubGlobal('fetch', async (url: string, { method, keepalive }: RequestInit) => {
    kept.push(keepalive)
    discarded.push(`${method} ${url.replace(/^.*publicacoes\//, '')}`)
    return new Response(null, { status: 204 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the page deletes the drafts that the page no longer shows, and those of a page that is left', async () => {
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

const leave = (persisted: boolean) => dispatchEvent(Object.assign(new Event('pagehide'), { persisted }))

test('the page deletes the drafts of a page that is reloaded or closed, not of one that may be shown again', async () => {
  renderHook(() => useDiscardedDrafts(['a']))
  leave(true)
  expect(discarded).toEqual([])
  leave(false)
  await vi.waitFor(() => expect(discarded).toEqual(['DELETE a']))
  expect(kept).toEqual([true])
})

import type { SavedView } from '@bi-manager/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { OpeningStatus } from '../viewer/opening/opening-status.ts'
import type { ViewedReport } from '../viewer/opening/use-report.ts'
import { savedViewsQuery } from './saved-views-query.ts'
import { useDefaultView } from './use-default-view.ts'

const views = [
  { idVisao: 1, padrao: false },
  { idVisao: 2, padrao: true },
] as unknown as SavedView[]
const loading: OpeningStatus = { phase: 'carregando' }
const drawn: OpeningStatus = { phase: 'renderizado', idRelatorio: 7 }

/** A report whose saved views arrive when the test calls `viewsCome`. */
const open = (hadNoViewParams = true) => {
  const client = new QueryClient()
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const show = vi.fn(async () => undefined)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { rerender } = renderHook(
    (status: OpeningStatus) => useDefaultView({ status, show, hadNoViewParams } as unknown as ViewedReport),
    { wrapper, initialProps: loading },
  )
  // Query observers are notified in a later task.
  const viewsCome = () =>
    act(async () => {
      client.setQueryData(savedViewsQuery(7).queryKey, views)
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
  return { rerender, viewsCome, show }
}

afterEach(() => vi.unstubAllGlobals())

test('the page shows the default view once, even when the views arrive after the report', async () => {
  const { rerender, viewsCome, show } = open()
  rerender(drawn)
  expect(show).not.toHaveBeenCalled()
  await viewsCome()
  expect(show.mock.calls).toEqual([[views[1]]])
  rerender({ ...drawn, isUsed: true })
  await viewsCome()
  expect(show).toHaveBeenCalledOnce()
})

test('the page does not apply the default view after the user has changed something', async () => {
  const { rerender, viewsCome, show } = open()
  rerender(drawn)
  rerender({ ...drawn, isUsed: true })
  await viewsCome()
  expect(show).not.toHaveBeenCalled()
  // Reopening the report resets that.
  rerender(loading)
  rerender(drawn)
  expect(show).toHaveBeenCalledOnce()
})

test('the page does not apply the default view when the URL names a page or filters', async () => {
  const { rerender, viewsCome, show } = open(false)
  rerender(drawn)
  await viewsCome()
  expect(show).not.toHaveBeenCalled()
})

// @vitest-environment happy-dom
import type { SavedView } from '@bi-manager/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { OpeningStatus } from './report-opening.ts'
import { savedViewsQuery } from './saved-view-queries.ts'
import { useDefaultView } from './use-default-view.ts'
import type { ViewedReport } from './use-report.ts'

const views = [
  { idVisao: 1, padrao: false },
  { idVisao: 2, padrao: true },
] as unknown as SavedView[]
const loading: OpeningStatus = { phase: 'carregando' }
const drawn: OpeningStatus = { phase: 'renderizado', idRelatorio: 7 }

/** A report whose views come when the test says so. */
const open = (wasPlain = true) => {
  const client = new QueryClient()
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const show = vi.fn(async () => undefined)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { rerender } = renderHook(
    (status: OpeningStatus) => useDefaultView({ status, show, wasPlain } as unknown as ViewedReport),
    { wrapper, initialProps: loading },
  )
  // What watches the query hears of it in a later turn.
  const viewsCome = () =>
    act(async () => {
      client.setQueryData(savedViewsQuery(7).queryKey, views)
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
  return { rerender, viewsCome, show }
}

afterEach(() => vi.unstubAllGlobals())

test('the default view is shown once, also where the views come after the report', async () => {
  const { rerender, viewsCome, show } = open()
  rerender(drawn)
  expect(show).not.toHaveBeenCalled()
  await viewsCome()
  expect(show.mock.calls).toEqual([[views[1]]])
  rerender({ ...drawn, isUsed: true })
  await viewsCome()
  expect(show).toHaveBeenCalledOnce()
})

test('views that come after the reader chose something take nothing of it away', async () => {
  const { rerender, viewsCome, show } = open()
  rerender(drawn)
  rerender({ ...drawn, isUsed: true })
  await viewsCome()
  expect(show).not.toHaveBeenCalled()
  // Opened anew, it is as it was at first.
  rerender(loading)
  rerender(drawn)
  expect(show).toHaveBeenCalledOnce()
})

test('an address with a page or filters of its own is what was asked for', async () => {
  const { rerender, viewsCome, show } = open(false)
  rerender(drawn)
  await viewsCome()
  expect(show).not.toHaveBeenCalled()
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problem } from '../../../test/answers.ts'
import { useDataFreshness } from './use-data-freshness.ts'

const earlier = { inicio: '2026-11-23T10:55:00.000Z', estado: 'CONCLUIDA' }
const running = { inicio: '2026-11-24T10:55:00.000Z', estado: 'EM_ANDAMENTO' }

let ultima: object
let reads: string[]
let refusal: (method: string) => Response | undefined
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  ultima = earlier
  reads = []
  refusal = () => undefined
  const base = { atualizadosEm: null, podeAtualizar: true, nasUltimas24h: 1, limiteDiario: 8 }
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, { method = 'GET' }: RequestInit) => {
      if (method === 'GET') reads.push(url)
      return (
        refusal(method) ??
        (method === 'POST' ? new Response('null', { status: 202 }) : Response.json({ ...base, ultima }))
      )
    }),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const show = async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const hook = renderHook(({ id }) => useDataFreshness(id, true), { wrapper, initialProps: { id: 7 } })
  await vi.waitFor(() => expect(hook.result.current.freshness).toBeDefined())
  return { ...hook, phase: () => hook.result.current.refreshing.phase }
}
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Returns how often the report is read within 30 seconds. */
const readsIn30s = async () => {
  const before = reads.length
  await advance(30_000)
  return reads.length - before
}

test('the page looks every five seconds while a refresh runs, and no longer when it has ended', async () => {
  const { result, phase } = await show()
  expect(await readsIn30s()).toBe(0)
  await act(async () => result.current.refreshing.start())
  await vi.waitFor(() => expect(phase()).toBe('pedida'))
  ultima = running
  await advance(6_000)
  expect(phase()).toBe('atualizando')
  expect(await readsIn30s()).toBeGreaterThan(4)
  ultima = { ...running, estado: 'CONCLUIDA' }
  await advance(6_000)
  expect(phase()).toBe('concluida')
  expect(await readsIn30s()).toBe(0)
})

test('no longer looks every five seconds when a look fails', async () => {
  ultima = running
  await show()
  expect(await readsIn30s()).toBeGreaterThan(4)
  refusal = () => problem(500, 'Algo deu errado.')
  await advance(6_000)
  expect(await readsIn30s()).toBe(0)
})

test('the page says that a refresh did not start two minutes after the request', async () => {
  const { result, phase } = await show()
  await act(async () => result.current.refreshing.start())
  await advance(110_000)
  expect(phase()).toBe('pedida')
  await advance(20_000)
  expect(phase()).toBe('sem-inicio')
  expect(await readsIn30s()).toBe(0)
})

test('the page does not show the request for one report at another one', async () => {
  const { result, phase, rerender } = await show()
  await act(async () => result.current.refreshing.start())
  await vi.waitFor(() => expect(phase()).toBe('pedida'))
  rerender({ id: 8 })
  await vi.waitFor(() => expect(result.current.freshness).toBeDefined())
  expect([phase(), result.current.refreshing.fault]).toEqual(['nada', undefined])
  expect(await readsIn30s()).toBe(0)
  rerender({ id: 7 })
  expect(phase()).toBe('pedida')
})

test('the page does not show the refusal for one report at another one, and reads the refused one again', async () => {
  refusal = (method) => (method === 'POST' ? problem(409, 'Já está em andamento.') : undefined)
  const { result, phase, rerender } = await show()
  const before = reads.length
  await act(async () => result.current.refreshing.start())
  await vi.waitFor(() => expect(result.current.refreshing.fault).toBeInstanceOf(Error))
  await vi.waitFor(() => expect(reads.length).toBe(before + 1))
  expect([phase(), await readsIn30s()]).toEqual(['nada', 0])
  rerender({ id: 8 })
  expect(result.current.refreshing.fault).toBeUndefined()
})

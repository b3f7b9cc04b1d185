import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Shown } from './rotation-player.ts'
import { useDataTime } from './use-data-time.ts'

const at = Date.parse('2026-03-10T17:32:00.000Z')
const shown = (id: number, turn: number): Shown => ({
  page: {
    idTelaoPagina: id,
    idRelatorio: 1,
    nomeRelatorio: 'Custos',
    pagina: null,
    tituloPagina: null,
    segundos: 30,
  },
  index: 0,
  stage: 0,
  drawnAt: at,
  turn,
})

let asked: string[]
let times: Record<string, string | null>
beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  times = {}
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const atualizadosEm = times[path]
    return atualizadosEm === undefined
      ? new Response(null, { status: 503 })
      : Response.json({ atualizadosEm })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const settled = () => vi.waitFor(() => vi.advanceTimersByTimeAsync(1))
const path = (id: number) => `/api/telao/paginas/${id}/dados`

test('useDataTime asks for the data time of each page once in five minutes', async () => {
  times = { [path(4)]: '2026-03-10T06:10:00.000Z', [path(5)]: null }
  const { result, rerender } = renderHook((page: Shown) => useDataTime('telao_x', page), {
    initialProps: shown(4, 1),
  })
  expect(result.current).toBeUndefined()
  await vi.waitFor(() => expect(result.current).toBe('2026-03-10T06:10:00.000Z'))
  rerender(shown(5, 2))
  await settled()
  expect(result.current).toBeUndefined()
  rerender(shown(4, 3))
  expect(result.current).toBe('2026-03-10T06:10:00.000Z')
  expect(asked).toEqual([path(4), path(5)])
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  rerender(shown(4, 4))
  await settled()
  expect(asked).toEqual([path(4), path(5), path(4)])
})

test('useDataTime returns no time of data that the page was drawn before', async () => {
  times = { [path(4)]: '2026-03-10T17:33:00.000Z' }
  const { result } = renderHook(() => useDataTime('telao_x', shown(4, 1)))
  await settled()
  expect(asked).toHaveLength(1)
  expect(result.current).toBeUndefined()
})

test('useDataTime asks again at the next turn after a failure', async () => {
  const { rerender } = renderHook((page: Shown) => useDataTime('telao_x', page), {
    initialProps: shown(4, 1),
  })
  await settled()
  rerender(shown(4, 2))
  await settled()
  expect(asked).toEqual([path(4), path(4)])
})

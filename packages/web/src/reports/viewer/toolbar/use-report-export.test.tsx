import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useReportExport } from './use-report-export.ts'

const id = '11111111-aaaa-4111-8111-111111111111'
const input = async () => ({
  idRelatorio: 7,
  fileName: 'Custos/2026',
  body: { formato: 'PDF' as const, pagina: 'p', visual: null, marcador: null, filtros: none, parametros: [] },
})
const none = { operadora: '', sexo: '', titularidade: '' }
const problem = (status: number, retryAfter?: number) =>
  Response.json(
    { type: 'x', title: 'x', status, detail: 'Frase.', codigo: 'x', idRequisicao: '1' },
    { status, headers: retryAfter ? { 'retry-after': String(retryAfter) } : {} },
  )
const job = (estado: string, percentual: number, motivo: string | null = null, esperaSegundos?: number) =>
  Response.json({ idExportacao: id, estado, percentual, motivo, esperaSegundos: esperaSegundos ?? null })

/** The test plays the server: `looks` answers each poll in turn, the last one repeatedly. */
const setUp = (looks: (() => Response)[], asked = () => job('NA_FILA', 0)) => {
  const sent: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push(`${init.method} ${url.replace('/api/usuarios/relatorio/7/exportacao', '').replace(id, 'id')}`)
    if (init.method === 'POST') return asked()
    if (init.method === 'DELETE') return new Response(null, { status: 204 })
    if (url.endsWith('/arquivo')) return new Response(new Blob(['%PDF-']))
    return (looks.length > 1 ? looks.shift() : looks[0])?.() ?? problem(500)
  })
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  return { sent, saved, ...renderHook(() => useReportExport()) }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('useReportExport starts an export, polls its percentage and saves the file under the report’s name', async () => {
  const { result, sent, saved } = setUp([() => job('GERANDO', 40), () => job('PRONTA', 100)])
  act(() => void result.current.start(input))
  await pass(1_000)
  expect(result.current.state).toEqual({ phase: 'gerando', percent: 40, fault: '' })
  await pass(2_000)
  expect(result.current.state.phase).toBe('pronta')
  expect(saved).toEqual(['Custos-2026.pdf'])
  expect(sent).toEqual(['POST ', 'GET /id', 'GET /id', 'GET /id/arquivo'])
})

test('useReportExport waits for Retry-After while the service is busy, then continues', async () => {
  const { result, sent } = setUp([() => problem(503, 17), () => job('PRONTA', 100)])
  act(() => void result.current.start(input))
  await pass(17_000)
  expect(sent).toHaveLength(2)
  await pass(2_000)
  expect(result.current.state.phase).toBe('pronta')
})

test('useReportExport asks again no sooner than the provider wants', async () => {
  const { result, sent } = setUp([() => job('GERANDO', 10, null, 30), () => job('PRONTA', 100)])
  act(() => void result.current.start(input))
  await pass(30_000)
  expect(sent).toEqual(['POST ', 'GET /id'])
  await pass(2_000)
  expect(result.current.state.phase).toBe('pronta')
})

test('useReportExport goes on when the clock of the computer is corrected meanwhile', async () => {
  const { result } = setUp([() => job('GERANDO', 40), () => job('GERANDO', 60), () => job('PRONTA', 100)])
  act(() => void result.current.start(input))
  await pass(1_000)
  vi.setSystemTime(Date.now() + 3 * 3_600_000)
  await pass(10_000)
  expect(result.current.state.phase).toBe('pronta')
})

test('useReportExport cancels the export on the server when the user cancels it', async () => {
  const { result, sent } = setUp([() => job('GERANDO', 10)])
  act(() => void result.current.start(input))
  await pass(1_000)
  act(() => result.current.cancel())
  await pass(0)
  expect(result.current.state.phase).toBe('parada')
  expect(sent.at(-1)).toBe('DELETE /id')
})

test('useReportExport cancels the export on the server when the user leaves the report', async () => {
  const { result, sent, unmount } = setUp([() => job('GERANDO', 10)])
  act(() => void result.current.start(input))
  await pass(1_000)
  unmount()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.at(-1)).toBe('DELETE /id')
})

test.each([
  ['refused', () => problem(502), [() => job('GERANDO', 0)], 'Frase.'],
  [
    'failed',
    undefined,
    [() => job('FALHOU', 0, 'O arquivo passou de 250 MB.')],
    'O arquivo passou de 250 MB.',
  ],
  ['gone', undefined, [() => problem(404)], 'Frase.'],
] as const)('useReportExport shows the reason when the export is %s', async (_, asked, looks, fault) => {
  const { result } = setUp([...looks], asked)
  act(() => void result.current.start(input))
  await pass(2_000)
  expect(result.current.state).toMatchObject({ phase: 'erro', fault })
})

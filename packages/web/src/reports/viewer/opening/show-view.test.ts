import { BOOKMARK_LENGTH, type ReportFilter, specifiedPanel } from '@bi-manager/contract'
import { describe, expect, test, vi } from 'vitest'
import { emptyPanelChoice } from '../filters/panel-filters.ts'
import type { OpenReport } from '../frame/report-frame.ts'
import { TimeLimitError } from '../problems/time-limit.ts'
import { captureView, showView } from './show-view.ts'

/** A report with two pages and only the column sexo, which keeps the calls it gets. */
const play = (change: Partial<OpenReport> = {}) => {
  const calls: string[] = []
  const columnsOf = (filters: ReportFilter[]) => filters.map(({ target }) => target.column)
  const report = {
    setFilters: async (filters) => {
      calls.push(`filtros ${columnsOf(filters)}`)
      if (columnsOf(filters).some((column) => column !== 'sexo')) throw { message: 'InvalidParameters' }
    },
    setAccessToken: async () => undefined,
    render: async () => undefined,
    refresh: async () => undefined,
    print: async () => undefined,
    selectedPoint: async () => undefined,
    pageNames: async () => ['geral', 'custos'],
    activePage: async () => 'geral',
    activePageTitle: async () => 'Geral',
    activeVisuals: async () => [],
    showPage: async (name) => void calls.push(`página ${name}`),
    captureBookmark: async () => 'estado',
    applyBookmark: async (state) => void calls.push(`marcador ${state}`),
    ...change,
  } satisfies OpenReport
  const drawn = vi.fn((call: () => Promise<void>) => call())
  return { report, calls, how: { own: [], fields: specifiedPanel, drawn } }
}

const view = { pagina: 'custos', filtros: { ...emptyPanelChoice, sexo: 'feminino' }, marcador: 'estado' }

describe('showView', () => {
  test('showView applies the bookmark, then the page, then the filters, and waits for the drawing', async () => {
    const { report, calls, how } = play()
    expect(await showView(report, view, how)).toEqual({ missing: [], lostParts: [] })
    expect(calls).toEqual(['marcador estado', 'página custos', 'filtros sexo'])
    expect(how.drawn).toHaveBeenCalledTimes(1)
  })

  test('showView reports a missing page and applies the rest', async () => {
    const { report, calls, how } = play()
    const { lostParts } = await showView(report, { ...view, pagina: 'antiga' }, how)
    expect(lostParts).toEqual(['A página guardada não existe mais no relatório. O resto foi aplicado.'])
    expect(calls).toEqual(['marcador estado', 'filtros sexo'])
  })

  test('showView reports a missing column and applies the rest', async () => {
    const { report, calls, how } = play()
    const filtros = { ...view.filtros, operadora: 'CNU' }
    const { missing } = await showView(report, { ...view, filtros }, how)
    expect(missing.map(({ rotulo }) => rotulo)).toEqual(['Operadora'])
    expect(calls.at(-1)).toBe('filtros sexo')
  })

  test('showView reports a filter that the panel no longer declares and applies the rest', async () => {
    const { report, calls, how } = play()
    const filtros = { ...view.filtros, 'T/cor': 'azul' }
    const { missing } = await showView(report, { ...view, filtros }, how)
    expect(missing.map(({ rotulo }) => rotulo)).toEqual(['T/cor'])
    expect(calls.at(-1)).toBe('filtros sexo')
  })

  test('showView reports an invalid bookmark and applies the rest', async () => {
    const applyBookmark = async () => {
      throw { message: 'InvalidBookmarkState' }
    }
    const { report, calls, how } = play({ applyBookmark })
    expect((await showView(report, view, how)).lostParts).toHaveLength(1)
    expect(calls).toEqual(['página custos', 'filtros sexo'])
  })

  test('showView clears the panel’s filters for a view without filters, without waiting for a drawing', async () => {
    const { report, calls, how } = play()
    await showView(report, { pagina: 'geral', filtros: emptyPanelChoice, marcador: null }, how)
    expect(calls).toEqual(['filtros '])
    expect(how.drawn).not.toHaveBeenCalled()
  })

  test('showView rejects when the report does not answer', async () => {
    const applyBookmark = async () => {
      throw new TimeLimitError()
    }
    const { report, how } = play({ applyBookmark })
    await expect(showView(report, view, how)).rejects.toThrow(TimeLimitError)
  })
})

describe('captureView', () => {
  test('captureView returns page and bookmark, or only the page when the service has no bookmarks', async () => {
    expect(await captureView(play().report)).toEqual({
      pagina: 'geral',
      marcador: 'estado',
      isTooLong: false,
    })
    const captureBookmark = async () => {
      throw { message: 'NotImplemented' }
    }
    expect(await captureView(play({ captureBookmark }).report)).toEqual({
      pagina: 'geral',
      marcador: null,
      isTooLong: false,
    })
  })

  test('captureView omits a bookmark that is too long and a malformed page name', async () => {
    const { report } = play({
      captureBookmark: async () => 'x'.repeat(BOOKMARK_LENGTH + 1),
      activePage: async () => '../x',
    })
    expect(await captureView(report)).toEqual({ pagina: null, marcador: null, isTooLong: true })
  })
})

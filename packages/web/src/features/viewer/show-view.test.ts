import { BOOKMARK_LENGTH, type ReportFilter } from '@bi-manager/contract'
import { describe, expect, test, vi } from 'vitest'
import { nothingChosen } from './panel-filters.ts'
import type { OpenReport } from './report-frame.ts'
import { captureView, showView } from './show-view.ts'
import { TimeLimitError } from './time-limit.ts'

/** A report of two pages that knows the column sexo alone, and notes what it is told. */
const play = (change: Partial<OpenReport> = {}) => {
  const told: string[] = []
  const columnsOf = (filters: ReportFilter[]) => filters.map(({ target }) => target.column)
  const report = {
    setFilters: async (filters) => {
      told.push(`filtros ${columnsOf(filters)}`)
      if (columnsOf(filters).some((column) => column !== 'sexo')) throw { message: 'InvalidParameters' }
    },
    setAccessToken: async () => undefined,
    render: async () => undefined,
    refresh: async () => undefined,
    print: async () => undefined,
    pageNames: async () => ['geral', 'custos'],
    activePage: async () => 'geral',
    showPage: async (name) => void told.push(`página ${name}`),
    captureBookmark: async () => 'estado',
    applyBookmark: async (state) => void told.push(`marcador ${state}`),
    ...change,
  } satisfies OpenReport
  const drawn = vi.fn((call: () => Promise<void>) => call())
  return { report, told, how: { own: [], drawn } }
}

const view = { pagina: 'custos', filtros: { ...nothingChosen, sexo: 'feminino' }, marcador: 'estado' }

describe('a saved view', () => {
  test('is its bookmark, then its page, then the panel’s filters, waited for until drawn', async () => {
    const { report, told, how } = play()
    expect(await showView(report, view, how)).toEqual({ missing: [], lost: [] })
    expect(told).toEqual(['marcador estado', 'página custos', 'filtros sexo'])
    expect(how.drawn).toHaveBeenCalledTimes(1)
  })

  test('says that its page is gone, and applies the rest', async () => {
    const { report, told, how } = play()
    const { lost } = await showView(report, { ...view, pagina: 'antiga' }, how)
    expect(lost).toEqual(['A página desta visão não existe mais no relatório. O resto foi aplicado.'])
    expect(told).toEqual(['marcador estado', 'filtros sexo'])
  })

  test('says that a column is gone, and applies the rest', async () => {
    const { report, told, how } = play()
    const filtros = { ...view.filtros, operadora: 'CNU' }
    const { missing } = await showView(report, { ...view, filtros }, how)
    expect(missing.map(({ label }) => label)).toEqual(['Operadora'])
    expect(told.at(-1)).toBe('filtros sexo')
  })

  test('says that its bookmark serves no more, and applies the rest', async () => {
    const applyBookmark = async () => {
      throw { message: 'InvalidBookmarkState' }
    }
    const { report, told, how } = play({ applyBookmark })
    expect((await showView(report, view, how)).lost).toHaveLength(1)
    expect(told).toEqual(['página custos', 'filtros sexo'])
  })

  test('takes the panel’s filters away where it has none, without waiting for a drawing', async () => {
    const { report, told, how } = play()
    await showView(report, { pagina: 'geral', filtros: nothingChosen, marcador: null }, how)
    expect(told).toEqual(['filtros '])
    expect(how.drawn).not.toHaveBeenCalled()
  })

  test('fails where the report does not answer', async () => {
    const applyBookmark = async () => {
      throw new TimeLimitError()
    }
    const { report, how } = play({ applyBookmark })
    await expect(showView(report, view, how)).rejects.toThrow(TimeLimitError)
  })
})

describe('what is on the screen', () => {
  test('is the page and the bookmark; without bookmarks, the page', async () => {
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

  test('leaves out a bookmark that is too long, and a name that is no page’s', async () => {
    const { report } = play({
      captureBookmark: async () => 'x'.repeat(BOOKMARK_LENGTH + 1),
      activePage: async () => '../x',
    })
    expect(await captureView(report)).toEqual({ pagina: null, marcador: null, isTooLong: true })
  })
})

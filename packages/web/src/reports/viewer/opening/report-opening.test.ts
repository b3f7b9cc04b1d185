import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { embeddedReport } from '../../../../test/embedded-report.ts'
import { address, settle, setUpOpening } from '../../../../test/report-opening.ts'
import { BiService } from '../frame/bi-service.ts'
import { ReportFrame } from '../frame/report-frame.ts'
import { ReportOpening } from './report-opening.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('ReportOpening', () => {
  test('ReportOpening loads the frame while the token is fetched, and sends one view', async () => {
    const { frame, page, shown, calls, opening } = setUpOpening()
    await settle()
    expect(frame.bootstrap.mock.calls[0]?.[0]).toMatch(/^http:\/\/localhost:4501\/reportEmbed\?reportId=3333/)
    await vi.advanceTimersByTimeAsync(400)
    page().onLoaded()
    expect(shown().phase).toBe('carregado')
    await vi.advanceTimersByTimeAsync(200)
    page().onRendered()
    page().onRendered()
    await settle()
    expect(shown().phase).toBe('renderizado')
    expect(calls('/7/visualizacao').map(({ body }) => body)).toEqual([
      { carregadoMs: 400, renderizadoMs: 600 },
    ])
    opening.close()
  })

  test('ReportOpening of a paginated report needs neither filters nor pages, and does not redraw it', async () => {
    const { opening, report, frame, page, shown, calls } = setUpOpening({
      embedded: () =>
        embeddedReport({
          tipoRelatorio: 'PAGINADO',
          parametros: [{ nome: 'Ano', valor: '2026' }],
          filtrosPainel: [],
        }),
      search: 'pagina=custos&sexo=feminino',
    })
    await settle()
    expect(frame.open.mock.lastCall?.[0].pageName).toBeNull()
    expect(frame.open.mock.lastCall?.[1].drawLater).toBe(false)
    page().onLoaded()
    page().onRendered()
    await settle()
    expect(shown()).toMatchObject({
      phase: 'renderizado',
      paginated: { parametros: [{ nome: 'Ano', valor: '2026' }], painelParametros: true },
    })
    expect(calls('/7/visualizacao')).toHaveLength(1)
    expect(await opening.filter({ operadora: 'CNU', sexo: '', titularidade: '' })).toEqual([])
    page().onError({ message: 'OpenConnectionError' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shown().notice).toEqual(expect.any(String))
    for (const unused of ['setFilters', 'pageNames', 'render', 'refresh', 'activePageTitle'] as const)
      expect(report[unused], unused).not.toHaveBeenCalled()
    opening.close()
  })

  test("ReportOpening requests the provider's page before the token has arrived", async () => {
    const token = Promise.withResolvers<Response>()
    vi.stubGlobal('fetch', (url: string) =>
      url.endsWith('/portal')
        ? Promise.resolve(Response.json({ origemEmbed: 'http://localhost:4501', demonstracao: true }))
        : token.promise,
    )
    // Detached, because happy-dom would fetch the page of an attached frame.
    const place = document.createElement('div')
    const frame = new ReportFrame(new BiService('http://localhost:4501'), place)
    const load = vi.spyOn(BiService.prototype, 'embed')
    // The client logs errors for a frame without a page.
    vi.spyOn(console, 'log').mockReturnValue(undefined)
    const opening = new ReportOpening({
      address,
      search: new URLSearchParams(),
      frame: async () => frame,
      onStatus: () => undefined,
      onPage: () => undefined,
    })
    await settle()
    const asked = place.querySelector('iframe')
    expect(asked?.src).toMatch(/^http:\/\/localhost:4501\/reportEmbed\?reportId=3333/)
    expect(load).toHaveBeenCalledTimes(0)
    token.resolve(Response.json(embeddedReport()))
    await settle()
    expect(load).toHaveBeenCalledTimes(1)
    expect(place.querySelector('iframe')).toBe(asked)
    opening.close()
    frame.drop()
  })

  test("ReportOpening applies the URL's filters together with the report's own before it draws", async () => {
    const filtros = [
      { $schema: 's', target: { table: 'T', column: 'c' }, filterType: 1, operator: 'In', values: [1] },
    ]
    const { frame, page, report, opening } = setUpOpening({
      search: 'sexo=feminino',
      embedded: () => embeddedReport({ filtros }),
    })
    await settle()
    expect(frame.open.mock.calls[0]?.[1]).toMatchObject({ drawLater: true })
    page().onLoaded()
    await settle()
    const [filters] = report.setFilters.mock.calls[0] ?? []
    expect(filters?.map(({ target }) => target.column)).toEqual(['c', 'sexo'])
    expect(report.setFilters.mock.invocationCallOrder[0]).toBeLessThan(
      report.render.mock.invocationCallOrder[0] ?? 0,
    )
    opening.close()
  })

  test('ReportOpening fails when the frame does not load within 30 s', async () => {
    const { shown, frame } = setUpOpening()
    await vi.advanceTimersByTimeAsync(29_999)
    expect(shown().phase).toBe('carregando')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()).toMatchObject({ phase: 'erro', problem: { action: 'retry' } })
    expect(frame.reset).toHaveBeenCalledTimes(1)
  })

  test("ReportOpening shows the API's sentence and opens nothing when the token is refused", async () => {
    const { shown, frame } = setUpOpening({ refusal: () => 'bi_indisponivel' })
    await settle()
    expect(shown()).toMatchObject({ phase: 'erro', problem: { detail: 'Frase.', action: 'retry' } })
    expect(frame.open).toHaveBeenCalledTimes(0)
  })

  test('ReportOpening fails on an error event before the report is loaded, and shows a notice after', async () => {
    const early = setUpOpening()
    await settle()
    early.page().onError({ message: 'PowerBIEntityNotFound' })
    expect(early.shown()).toMatchObject({ phase: 'erro', problem: { code: 'PowerBIEntityNotFound' } })

    const late = setUpOpening()
    await settle()
    late.page().onLoaded()
    late.page().onError({ message: 'LoadReportFailed' })
    await settle()
    expect(late.shown()).toMatchObject({
      phase: 'carregado',
      notice: expect.stringContaining('não conseguiu abrir'),
    })
    late.opening.close()
  })
})

describe('the state of an opening', () => {
  test('the state of an opening goes from requesting to loading, loaded and rendered', async () => {
    const { opening, page } = setUpOpening()
    expect(opening.stateName).toBe('requesting')
    await settle()
    expect(opening.stateName).toBe('loading')
    page().onLoaded()
    expect(opening.stateName).toBe('loaded')
    page().onRendered()
    expect(opening.stateName).toBe('rendered')
    // Visuals that fail later leave the report on the screen.
    page().onError({ message: 'QueryTimeout' })
    await settle()
    expect(opening.stateName).toBe('rendered')
    opening.close()
  })

  test('the state of an opening stays failed when the frame loads the report after the error', async () => {
    const { opening, page, shown, calls } = setUpOpening()
    await settle()
    page().onError({ message: 'PowerBIEntityNotFound' })
    page().onLoaded()
    page().onRendered()
    await settle()
    expect(opening.stateName).toBe('failed')
    expect(shown().phase).toBe('erro')
    expect(calls('/visualizacao')).toEqual([])
    await expect(opening.refresh()).rejects.toThrow('O relatório ainda não abriu.')
  })

  test('the state of an opening stays closed when the token and the frame arrive after closing', async () => {
    const { opening, frame, shown } = setUpOpening()
    opening.close()
    await settle()
    expect(opening.stateName).toBe('closed')
    expect(frame.open).toHaveBeenCalledTimes(0)
    expect(shown()).toEqual({ phase: 'carregando' })
    opening.close()
  })

  test('the state of an opening becomes closed when the page leaves a failed report', async () => {
    const { opening, shown } = setUpOpening({ refusal: () => 'bi_indisponivel' })
    await settle()
    opening.close()
    expect(opening.stateName).toBe('closed')
    expect(shown().phase).toBe('erro')
  })
})

describe('an automatic opening', () => {
  test('an automatic opening runs in the background and clears the previous problem', async () => {
    const { calls, page, shown, opening } = setUpOpening({ how: { isAutomatic: true } })
    await settle()
    expect(calls('/embed').map(({ inBackground }) => inBackground)).toEqual([true])
    page().onLoaded()
    expect(shown()).toMatchObject({ phase: 'carregado', problem: undefined, isReopening: false })
    opening.close()
  })

  test('an automatic opening in another layout restores the bookmark in the background and sends no view', async () => {
    const { calls, frame, page, opening } = setUpOpening({ how: { bookmark: 'estado' } })
    await settle()
    expect(frame.open.mock.calls[0]?.[1]).toMatchObject({ bookmark: 'estado' })
    expect(calls('/embed').map(({ inBackground }) => inBackground)).toEqual([true])
    page().onLoaded()
    page().onRendered()
    await settle()
    expect(calls('/visualizacao')).toEqual([])
    opening.close()
  })
})

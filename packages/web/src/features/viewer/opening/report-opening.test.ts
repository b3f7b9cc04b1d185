// @vitest-environment happy-dom
import type { EmbeddedReport, ReportFilter } from '@bi-manager/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordUse } from '../../../lib/session/session.ts'
import { emptyPanelChoice } from '../filters/panel-filters.ts'
import { BiService } from '../frame/bi-service.ts'
import { type FrameListeners, type OpenReport, ReportFrame } from '../frame/report-frame.ts'
import type { OpeningStatus } from './opening-status.ts'
import { type OpeningInput, ReportOpening } from './report-opening.ts'

const address = {
  groupId: '22222222-aaaa-4222-8222-222222222222',
  reportId: '33333333-aaaa-4333-8333-333333333333',
}
const minute = 60_000

const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

const answer = (change: Partial<EmbeddedReport> = {}): EmbeddedReport => ({
  embedToken: 'first',
  embedUrl: 'http://localhost:4501/reportEmbed',
  reportId: address.reportId,
  pageName: null,
  expiration: new Date(Date.now() + 60 * minute).toISOString(),
  idRelatorio: 7,
  nomeRelatorio: 'Sinistralidade',
  nomeGrupo: 'Custos',
  operadoraRelatorio: '',
  filtros: [],
  ...change,
})

/** The test plays the provider's page; everything else is real down to `fetch`. */
interface SetUp {
  embedded?: () => EmbeddedReport
  status?: number
  search?: string
  how?: Pick<OpeningInput, 'isAutomatic' | 'bookmark'>
}

const setUp = ({ embedded = () => answer(), status = 200, search = '', how = {} }: SetUp = {}) => {
  const sent: { url: string; body: unknown; inBackground: boolean }[] = []
  const pages: (string | undefined)[] = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const inBackground = new Headers(init?.headers).get('x-segundo-plano') === '1'
    sent.push({ url, body: JSON.parse(String(init?.body ?? 'null')), inBackground })
    if (url.endsWith('/portal'))
      return Response.json({ origemEmbed: 'http://localhost:4501', demonstracao: true })
    if (url.endsWith('/visualizacao')) return new Response(null, { status: 204 })
    const refusal = {
      type: 'about:blank',
      title: 'x',
      status,
      detail: 'Frase.',
      codigo: 'bi_indisponivel',
      idRequisicao: '1',
    }
    return status === 200 ? Response.json(embedded()) : Response.json(refusal, { status })
  })
  const report = {
    setFilters: vi.fn(async (_filters: ReportFilter[]) => undefined),
    setAccessToken: vi.fn(async (_token: string) => undefined),
    render: vi.fn(async () => undefined),
    refresh: vi.fn(async () => undefined),
    print: vi.fn(async () => undefined),
    pageNames: vi.fn(async () => ['visao-geral', 'perfil']),
    activePage: vi.fn(async () => 'visao-geral'),
    showPage: vi.fn(async (_name: string) => undefined),
    captureBookmark: vi.fn(async (): Promise<string | null> => 'estado'),
    applyBookmark: vi.fn(async (_state: string) => undefined),
  } satisfies OpenReport
  let listeners: FrameListeners | undefined
  const frame = {
    bootstrap: vi.fn(),
    reset: vi.fn(),
    open: vi.fn(
      async (_embedded: EmbeddedReport, _options: { drawLater: boolean }, given: FrameListeners) => {
        listeners = given
        return report
      },
    ),
  }
  let shown: OpeningStatus = { phase: 'carregando' }
  const opening = new ReportOpening({
    address,
    search: new URLSearchParams(search),
    frame: async () => frame as unknown as ReportFrame,
    onStatus: (change) => {
      shown = { ...shown, ...change }
    },
    onPage: (name) => pages.push(name),
    ...how,
  })
  const calls = (end: string) => sent.filter(({ url }) => url.endsWith(end))
  return { opening, report, frame, calls, pages, page: () => listeners as FrameListeners, shown: () => shown }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('ReportOpening', () => {
  test('loads the frame while the token is fetched, and records one view', async () => {
    const { frame, page, shown, calls, opening } = setUp()
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

  test("requests the provider's page before the token has arrived", async () => {
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
    token.resolve(Response.json(answer()))
    await settle()
    expect(load).toHaveBeenCalledTimes(1)
    expect(place.querySelector('iframe')).toBe(asked)
    opening.close()
    frame.drop()
  })

  test("applies the URL's filters together with the report's own before it draws", async () => {
    const filtros = [
      { $schema: 's', target: { table: 'T', column: 'c' }, filterType: 1, operator: 'In', values: [1] },
    ]
    const { frame, page, report, opening } = setUp({
      search: 'sexo=feminino',
      embedded: () => answer({ filtros }),
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

  test('fails when the frame does not load within 30 s', async () => {
    const { shown, frame } = setUp()
    await vi.advanceTimersByTimeAsync(29_999)
    expect(shown().phase).toBe('carregando')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown()).toMatchObject({ phase: 'erro', problem: { action: 'retry' } })
    expect(frame.reset).toHaveBeenCalledTimes(1)
  })

  test("shows the API's sentence and opens nothing when the token is refused", async () => {
    const { shown, frame } = setUp({ status: 503 })
    await settle()
    expect(shown()).toMatchObject({ phase: 'erro', problem: { detail: 'Frase.', action: 'retry' } })
    expect(frame.open).toHaveBeenCalledTimes(0)
  })

  test('fails on an error event before the report is loaded, and shows a notice after', async () => {
    const early = setUp()
    await settle()
    early.page().onError({ message: 'PowerBIEntityNotFound' })
    expect(early.shown()).toMatchObject({ phase: 'erro', problem: { code: 'PowerBIEntityNotFound' } })

    const late = setUp()
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
  test('goes from requesting to loading, loaded and rendered', async () => {
    const { opening, page } = setUp()
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

  test('stays failed when the frame loads the report after the error', async () => {
    const { opening, page, shown, calls } = setUp()
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

  test('stays closed when the token and the frame arrive after closing', async () => {
    const { opening, frame, shown } = setUp()
    opening.close()
    await settle()
    expect(opening.stateName).toBe('closed')
    expect(frame.open).toHaveBeenCalledTimes(0)
    expect(shown()).toEqual({ phase: 'carregando' })
    opening.close()
  })

  test('becomes closed when the page leaves a failed report', async () => {
    const { opening, shown } = setUp({ status: 503 })
    await settle()
    opening.close()
    expect(opening.stateName).toBe('closed')
    expect(shown().phase).toBe('erro')
  })
})

describe('a loaded report', () => {
  test('is redrawn after a transient error, and shows a notice until then', async () => {
    const { page, report, shown, opening } = await opened()
    page().onError({ message: 'ServiceUnavailable' })
    await settle()
    expect(shown().notice).toMatch(/não respondeu/)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(report.refresh).toHaveBeenCalledTimes(1)
    page().onRendered()
    await settle()
    expect(shown().notice).toBeUndefined()
    opening.close()
  })

  const opened = async (search = '') => {
    const made = setUp({ search })
    await settle()
    made.page().onLoaded()
    await settle()
    return made
  }
  const chosen = { operadora: 'CNU', sexo: '', titularidade: '' }

  test('resolves filter() only when the filtered report is drawn', async () => {
    const { opening, page } = await opened()
    const done = vi.fn()
    void opening.filter(chosen).then(done)
    await settle()
    page().onRenderingStarted()
    await vi.advanceTimersByTimeAsync(29_000)
    expect(done).toHaveBeenCalledTimes(0)
    page().onRendered()
    await settle()
    expect(done.mock.calls).toEqual([[[]]])
    opening.close()
  })

  test('rejects filter() when drawing fails, without a second notice', async () => {
    const { opening, page, shown } = await opened()
    const filtered = expect(opening.filter(emptyPanelChoice)).rejects.toEqual({
      message: 'OpenConnectionError',
    })
    await settle()
    page().onError({ message: 'OpenConnectionError' })
    await filtered
    expect(shown().notice).toBeUndefined()
    opening.close()
  })

  test('reports use to the server at most once a minute', async () => {
    const { opening, page, calls } = await opened()
    recordUse()
    page().onDataSelected()
    await vi.advanceTimersByTimeAsync(minute)
    for (let click = 0; click < 5; click++) {
      page().onDataSelected()
      page().onPageChanged('perfil')
    }
    await settle()
    expect(calls('/usuarios/sessao').map(({ inBackground }) => inBackground)).toEqual([false])
    opening.close()
  })

  test('opens the page named in the URL, and reports a page that does not exist', async () => {
    const known = await opened('pagina=perfil')
    expect(known.frame.open.mock.calls[0]?.[0].pageName).toBe('perfil')
    expect(known.pages).toEqual([])
    known.opening.close()
    const unknown = await opened('pagina=nada')
    expect(unknown.pages).toEqual([undefined])
    expect(unknown.shown().lostParts).toEqual([
      expect.stringMatching(/^A página do endereço não existe mais/),
    ])
    expect(known.shown().lostParts).toBeUndefined()
    unknown.opening.close()
  })
})

describe('an automatic opening', () => {
  test('runs in the background and clears the previous problem', async () => {
    const { calls, page, shown, opening } = setUp({ how: { isAutomatic: true } })
    await settle()
    expect(calls('/embed').map(({ inBackground }) => inBackground)).toEqual([true])
    page().onLoaded()
    expect(shown()).toMatchObject({ phase: 'carregado', problem: undefined, isReopening: false })
    opening.close()
  })

  test('in another layout restores the bookmark and records no view', async () => {
    const { calls, frame, page, opening } = setUp({ how: { bookmark: 'estado' } })
    await settle()
    expect(frame.open.mock.calls[0]?.[1]).toMatchObject({ bookmark: 'estado' })
    page().onLoaded()
    page().onRendered()
    await settle()
    expect(calls('/visualizacao')).toEqual([])
    opening.close()
  })
})

describe('the token', () => {
  test('is renewed before it expires, at once on TokenExpired, and never after closing', async () => {
    let issued = 0
    const embedded = () => answer({ embedToken: `token ${++issued}` })
    const { page, report, calls, opening, frame } = setUp({ embedded })
    await settle()
    page().onLoaded()
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(report.setAccessToken.mock.calls).toEqual([['token 2']])
    await vi.advanceTimersByTimeAsync(minute)
    page().onError({ message: 'TokenExpired' })
    await settle()
    expect(report.setAccessToken.mock.calls).toEqual([['token 2'], ['token 3']])
    expect(frame.open).toHaveBeenCalledTimes(1)
    expect(calls('/embed').map(({ inBackground }) => inBackground)).toEqual([false, true, true])
    opening.close()
    await vi.advanceTimersByTimeAsync(120 * minute)
    expect(calls('/embed')).toHaveLength(3)
  })

  test('ends the report when its renewal says that the report is gone, not on transient errors', async () => {
    const { page, report, shown, opening } = setUp()
    await settle()
    page().onLoaded()
    report.setAccessToken.mockRejectedValueOnce(new Error('no answer'))
    await vi.advanceTimersByTimeAsync(50 * minute)
    expect(shown()).toMatchObject({
      phase: 'carregado',
      renewalFails: expect.stringMatching(/continua na tela/),
    })
    report.setAccessToken.mockRejectedValueOnce({ message: 'PowerBIEntityNotFound' })
    await vi.advanceTimersByTimeAsync(minute)
    expect(shown()).toMatchObject({ phase: 'erro', problem: { code: 'PowerBIEntityNotFound' } })
    opening.close()
  })
})

// @vitest-environment happy-dom
import type { EmbeddedReport } from '@bi-manager/contract'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session.ts'
import { openEarly, prefetchReport, takeEarly } from './early-opening.ts'
import { FramePlace, warmFrame } from './frame-place.ts'
import { type FrameListeners, type OpenReport, ReportFrame } from './report-frame.ts'
import { startOpening } from './report-opening.ts'
import { dropTokens, prefetchToken } from './token-prefetch.ts'

const origin = 'http://localhost:4501'
const groupId = '22222222-aaaa-4222-8222-222222222222'
const reportNamed = (letter: string) => ({
  groupId,
  reportId: `33333333-aaaa-4333-8333-33333333333${letter}`,
})
const [internacoes, custos] = [reportNamed('a'), reportNamed('b')]
const home = { pathname: '/saidibi', search: '' }
const addressOf = ({ reportId }: typeof internacoes, search = '') => ({
  pathname: `/relatorio-embed/custos/relatorio/${groupId}/${reportId}`,
  search,
})
const plain = new URLSearchParams()
const chosen = new URLSearchParams('sexo=feminino')
const embedded: EmbeddedReport = {
  embedToken: 'token',
  embedUrl: `${origin}/reportEmbed`,
  reportId: internacoes.reportId,
  pageName: 'capa',
  expiration: new Date(Date.now() + 10 * 3_600_000).toISOString(),
  idRelatorio: 7,
  nomeRelatorio: 'Internações',
  nomeGrupo: 'Custos',
  operadoraRelatorio: '',
  filtros: [],
}

interface Opened {
  wanted: EmbeddedReport
  options: { drawLater: boolean; signal: AbortSignal }
  listeners: FrameListeners
}
// No page stands behind the frames here; happy-dom would print an error for each.
const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

let opened: Opened[]
const report = {} as OpenReport
/** The provider's page is not here: what is asked of it is kept, and the test answers. */
const playPage = () => {
  opened = []
  vi.spyOn(ReportFrame.prototype, 'open').mockImplementation(async (wanted, options, listeners) => {
    opened.push({ wanted, options, listeners })
    return report
  })
}

const frames = () => [...document.querySelectorAll('iframe')]
const getReady = () => frames()[0]?.parentElement?.dispatchEvent(new CustomEvent('ready'))
const atHand = async (...reports: (typeof internacoes)[]) => {
  for (const one of reports) void prefetchToken(one)
  await vi.advanceTimersByTimeAsync(0)
}

let hours = 0
beforeEach(async () => {
  // What a minute allows of tokens asked for ahead is each test's own.
  hours += 1
  vi.useFakeTimers({ now: Date.now() + hours * 60_000 })
  vi.stubGlobal('BroadcastChannel', undefined)
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) =>
      Response.json(url.endsWith('/portal') ? { origemEmbed: origin, demonstracao: true } : embedded),
    ),
  )
  Object.assign(Element.prototype, {
    moveBefore(this: Element, node: Node, before: Node | null) {
      this.insertBefore(node, before)
    },
  })
  startSession(signedInUntil(Date.now() + 60 * 60_000))
  playPage()
  await warmFrame()
  getReady()
})
afterEach(() => {
  dropTokens()
  endSession('saiu')
  Reflect.deleteProperty(Element.prototype, 'moveBefore')
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a report whose link somebody rests on', () => {
  let prefetch: MockInstance<ReportFrame['prefetch']>
  beforeEach(() => {
    prefetch = vi.spyOn(ReportFrame.prototype, 'prefetch').mockReturnValue(undefined)
  })

  test('is fetched by the frame that is ready, as its address asks for it; its token stays to be taken', async () => {
    await prefetchReport(internacoes, new URLSearchParams('pagina=perfil'))
    expect(prefetch.mock.calls).toEqual([[{ ...embedded, pageName: 'perfil' }]])
    openEarly(home, addressOf(internacoes))
    expect(opened).toHaveLength(1)
  })

  test.each([
    ['it is to be drawn with filters that were chosen', () => prefetchReport(internacoes, chosen)],
    [
      'its token does not come',
      () => {
        vi.stubGlobal('fetch', async () => Response.error())
        return prefetchReport(internacoes, plain)
      },
    ],
    [
      'there is no frame',
      async () => {
        await vi.advanceTimersByTimeAsync(20_000)
        return prefetchReport(internacoes, plain)
      },
    ],
    [
      'somebody signs out meanwhile',
      () => {
        const asked = prefetchReport(internacoes, plain)
        endSession('saiu')
        return asked
      },
    ],
  ])('is not when %s', async (_what, rest) => {
    await rest()
    expect(prefetch).not.toHaveBeenCalled()
  })
})

describe('a report that was gone to', () => {
  test('loads before its page is there, which takes it over once, with all that its frame has said', async () => {
    await atHand(internacoes)
    openEarly(home, addressOf(internacoes))
    expect(opened.map(({ wanted }) => wanted.pageName)).toEqual(['capa'])
    opened[0]?.listeners.onLoaded()
    opened[0]?.listeners.onRenderingStarted()

    const early = takeEarly(internacoes, plain)
    expect(takeEarly(internacoes, plain)).toBeUndefined()
    const said: string[] = []
    const listeners = new Proxy({} as FrameListeners, { get: (_, event) => () => said.push(String(event)) })
    expect(await early?.opened).toBe(report)
    early?.hear(listeners)
    opened[0]?.listeners.onRendered()
    expect(said).toEqual(['onLoaded', 'onRenderingStarted', 'onRendered'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened[0]?.options.signal.aborted).toBe(false)
  })

  test('opens on the page and with the filters of its address', async () => {
    await atHand(internacoes)
    openEarly(home, addressOf(internacoes, '?pagina=perfil&ano=1850'))
    expect(opened[0]).toMatchObject({ wanted: { pageName: 'perfil' }, options: { drawLater: false } })
    await atHand(custos)
    openEarly(home, addressOf(custos, '?sexo=feminino'))
    expect(opened[1]?.options.drawLater).toBe(true)
  })

  test('is shown in the frame that is on the screen, where there is one', async () => {
    const place = new FramePlace(document.body)
    const frame = await place.frame()
    await atHand(custos)
    openEarly(addressOf(internacoes), addressOf(custos))
    expect(takeEarly(custos, plain)?.frame).toBe(frame)
    place.leave()
  })

  test.each([
    ['on the screen already', addressOf(internacoes), addressOf(internacoes, '?pagina=perfil')],
    ['no report', addressOf(internacoes), home],
    ['one whose token is not at hand', home, addressOf(custos)],
  ])('is left to its page when it is %s', async (_what, from, to) => {
    await atHand(internacoes)
    openEarly(from, to)
    expect(opened).toEqual([])
  })

  test('is left to its page when no frame is ready', async () => {
    endSession('saiu')
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    await atHand(internacoes)
    expect(frames()).toEqual([])
    openEarly(home, addressOf(internacoes))
    expect(opened).toEqual([])
  })
})

describe('what was begun', () => {
  test('ends where another report is gone to, or its page does not come', async () => {
    await atHand(internacoes, custos)
    openEarly(home, addressOf(internacoes))
    await atHand(custos)
    openEarly(addressOf(internacoes), addressOf(custos))
    expect(opened.map(({ options }) => options.signal.aborted)).toEqual([true, false])
    expect(takeEarly(internacoes, plain)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(opened[1]?.options.signal.aborted).toBe(true)
    expect(takeEarly(custos, plain)).toBeUndefined()
  })

  test('is not for the next person, nor for another address of the report', async () => {
    await atHand(internacoes)
    openEarly(home, addressOf(internacoes))
    expect(takeEarly(internacoes, new URLSearchParams('pagina=perfil'))).toBeUndefined()
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    expect(takeEarly(internacoes, plain)).toBeUndefined()
  })
})

describe('the page of a report that was begun', () => {
  const openPage = async (frame?: ReportFrame) => {
    const place = new FramePlace(document.body)
    const phases: unknown[] = []
    const opening = startOpening({
      address: internacoes,
      search: plain,
      frame: async () => frame ?? place.frame(),
      onStatus: ({ phase }) => phase && phases.push(phase),
      onPage: () => undefined,
    })
    await vi.advanceTimersByTimeAsync(0)
    return { place, phases, opening }
  }

  test('shows it, and asks for no token of its own', async () => {
    await atHand(internacoes)
    openEarly(home, addressOf(internacoes))
    opened[0]?.listeners.onLoaded()
    const { phases, opening, place } = await openPage()
    expect(opened).toHaveLength(1)
    expect(phases).toEqual(['carregado'])
    expect(vi.mocked(fetch).mock.calls.filter(([url]) => String(url).endsWith('/embed'))).toHaveLength(1)
    opening.close()
    expect(opened[0]?.options.signal.aborted).toBe(true)
    place.leave()
  })

  test('opens it anew where another frame is shown', async () => {
    await atHand(internacoes)
    openEarly(home, addressOf(internacoes))
    const other = { bootstrap: () => undefined, open: vi.fn(async () => report), reset: () => undefined }
    const { opening, place } = await openPage(other as unknown as ReportFrame)
    expect(other.open).toHaveBeenCalledTimes(1)
    opening.close()
    place.leave()
  })
})

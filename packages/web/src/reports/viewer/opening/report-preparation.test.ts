import type { EmbeddedReport } from '@bi-manager/contract'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { embeddedReport } from '../../../../test/embedded-report.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { endSession, startSession } from '../../../lib/session/session.ts'
import { type FrameListeners, type OpenReport, ReportFrame } from '../frame/report-frame.ts'
import { ReportOpening } from './report-opening.ts'
import { reportPreparation } from './report-preparation.ts'

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
const embedded = embeddedReport({
  embedUrl: `${origin}/reportEmbed`,
  reportId: internacoes.reportId,
  pageName: 'capa',
  expiration: new Date(Date.now() + 10 * 3_600_000).toISOString(),
  nomeRelatorio: 'Internações',
})

interface Opened {
  wanted: EmbeddedReport
  options: { drawLater: boolean; signal: AbortSignal }
  listeners: FrameListeners
}
// The frames load no page in this test; without this, happy-dom prints an error for each.
const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

let opened: Opened[]
const report = {} as OpenReport
/** Keeps the reports that the frame is asked to open; the test plays the provider's page. */
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
  for (const one of reports) void reportPreparation.tokens.prefetch(one)
  await vi.advanceTimersByTimeAsync(0)
}

let hours = 0
beforeEach(async () => {
  // Each test starts in a new minute, so that the limit of prefetched tokens per minute is unused.
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
  await reportPreparation.frames.preload()
  getReady()
})
afterEach(() => {
  reportPreparation.tokens.dropAll()
  endSession('saiu')
  Reflect.deleteProperty(Element.prototype, 'moveBefore')
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('ReportPreparation.prefetch', () => {
  let prefetch: MockInstance<ReportFrame['prefetch']>
  beforeEach(() => {
    prefetch = vi.spyOn(ReportFrame.prototype, 'prefetch').mockReturnValue(undefined)
  })

  test('ReportPreparation.prefetch makes the ready frame fetch the page named in the URL, and keeps the token', async () => {
    await reportPreparation.prefetch(internacoes, new URLSearchParams('pagina=perfil'))
    expect(prefetch.mock.calls).toEqual([[{ ...embedded, pageName: 'perfil' }]])
    reportPreparation.loadEarly(home, addressOf(internacoes))
    expect(opened).toHaveLength(1)
  })

  test.each([
    ['the URL holds panel filters', () => reportPreparation.prefetch(internacoes, chosen)],
    [
      'the token request fails',
      () => {
        vi.stubGlobal('fetch', async () => Response.error())
        return reportPreparation.prefetch(internacoes, plain)
      },
    ],
    [
      'there is no frame',
      async () => {
        await vi.advanceTimersByTimeAsync(20_000)
        return reportPreparation.prefetch(internacoes, plain)
      },
    ],
    [
      'the user signs out during the request',
      () => {
        const asked = reportPreparation.prefetch(internacoes, plain)
        endSession('saiu')
        return asked
      },
    ],
  ])('ReportPreparation.prefetch fetches nothing in the frame when %s', async (_what, prefetchIt) => {
    await prefetchIt()
    expect(prefetch).not.toHaveBeenCalled()
  })
})

describe('ReportPreparation.loadEarly', () => {
  test('ReportPreparation.loadEarly loads the report before its page mounts; the page takes it once, with all past events', async () => {
    await atHand(internacoes)
    reportPreparation.loadEarly(home, addressOf(internacoes))
    expect(opened.map(({ wanted }) => wanted.pageName)).toEqual(['capa'])
    opened[0]?.listeners.onLoaded()
    opened[0]?.listeners.onRenderingStarted()

    const early = reportPreparation.take(internacoes, plain)
    expect(reportPreparation.take(internacoes, plain)).toBeUndefined()
    const said: string[] = []
    const listeners = new Proxy({} as FrameListeners, { get: (_, event) => () => said.push(String(event)) })
    expect(await early?.opened).toBe(report)
    early?.attachListeners(listeners)
    opened[0]?.listeners.onRendered()
    expect(said).toEqual(['onLoaded', 'onRenderingStarted', 'onRendered'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(opened[0]?.options.signal.aborted).toBe(false)
  })

  test('ReportPreparation.loadEarly opens the report with the page and filters of its URL', async () => {
    await atHand(internacoes)
    reportPreparation.loadEarly(home, addressOf(internacoes, '?pagina=perfil&ano=1850'))
    expect(opened[0]).toMatchObject({ wanted: { pageName: 'perfil' }, options: { drawLater: false } })
    await atHand(custos)
    reportPreparation.loadEarly(home, addressOf(custos, '?sexo=feminino'))
    expect(opened[1]?.options.drawLater).toBe(true)
  })

  test('ReportPreparation.loadEarly uses the frame on the screen when there is one', async () => {
    const place = reportPreparation.frames.slot(document.body)
    const frame = await place.frame()
    await atHand(custos)
    reportPreparation.loadEarly(addressOf(internacoes), addressOf(custos))
    expect(reportPreparation.take(custos, plain)?.frame).toBe(frame)
    place.leave()
  })

  test.each([
    ['the report is already on the screen', addressOf(internacoes), addressOf(internacoes, '?pagina=perfil')],
    ['the URL shows no report', addressOf(internacoes), home],
    ['its token was not prefetched', home, addressOf(custos)],
  ])('ReportPreparation.loadEarly opens nothing when %s', async (_what, from, to) => {
    await atHand(internacoes)
    reportPreparation.loadEarly(from, to)
    expect(opened).toEqual([])
  })

  test('ReportPreparation.loadEarly opens nothing when no frame is ready', async () => {
    endSession('saiu')
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    await atHand(internacoes)
    expect(frames()).toEqual([])
    reportPreparation.loadEarly(home, addressOf(internacoes))
    expect(opened).toEqual([])
  })
})

describe('an early load', () => {
  test('an early load is aborted on navigation to another report, or when its page does not mount', async () => {
    await atHand(internacoes, custos)
    reportPreparation.loadEarly(home, addressOf(internacoes))
    await atHand(custos)
    reportPreparation.loadEarly(addressOf(internacoes), addressOf(custos))
    expect(opened.map(({ options }) => options.signal.aborted)).toEqual([true, false])
    expect(reportPreparation.take(internacoes, plain)).toBeUndefined()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(opened[1]?.options.signal.aborted).toBe(true)
    expect(reportPreparation.take(custos, plain)).toBeUndefined()
  })

  test('an early load is not handed to another session or to another URL of the report', async () => {
    await atHand(internacoes)
    reportPreparation.loadEarly(home, addressOf(internacoes))
    expect(reportPreparation.take(internacoes, new URLSearchParams('pagina=perfil'))).toBeUndefined()
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    expect(reportPreparation.take(internacoes, plain)).toBeUndefined()
  })
})

describe('the page of a report that was opened early', () => {
  const openPage = async (frame?: ReportFrame) => {
    const place = reportPreparation.frames.slot(document.body)
    const phases: unknown[] = []
    const opening = new ReportOpening({
      address: internacoes,
      search: plain,
      frame: async () => frame ?? place.frame(),
      onStatus: ({ phase }) => phase && phases.push(phase),
      onPage: () => undefined,
    })
    await vi.advanceTimersByTimeAsync(0)
    return { place, phases, opening }
  }

  test('the page of a report that was opened early shows the report without requesting another token', async () => {
    await atHand(internacoes)
    reportPreparation.loadEarly(home, addressOf(internacoes))
    opened[0]?.listeners.onLoaded()
    const { phases, opening, place } = await openPage()
    expect(opened).toHaveLength(1)
    expect(phases).toEqual(['carregado'])
    expect(vi.mocked(fetch).mock.calls.filter(([url]) => String(url).endsWith('/embed'))).toHaveLength(1)
    opening.close()
    expect(opened[0]?.options.signal.aborted).toBe(true)
    place.leave()
  })

  test('the page of a report that was opened early opens the report again when it shows another frame', async () => {
    await atHand(internacoes)
    reportPreparation.loadEarly(home, addressOf(internacoes))
    const other = { bootstrap: () => undefined, open: vi.fn(async () => report), reset: () => undefined }
    const { opening, place } = await openPage(other as unknown as ReportFrame)
    expect(other.open).toHaveBeenCalledTimes(1)
    opening.close()
    place.leave()
  })
})

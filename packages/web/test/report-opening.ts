import {
  type EmbeddedReport,
  type ProblemCode,
  problems,
  type ReportFilter,
  type ReportPoint,
} from '@bi-manager/contract'
import { vi } from 'vitest'
import type { FrameListeners, OpenReport, ReportFrame } from '../src/reports/viewer/frame/report-frame.ts'
import type { OpeningInput } from '../src/reports/viewer/opening/opening-input.ts'
import type { OpeningStatus } from '../src/reports/viewer/opening/opening-status.ts'
import { ReportOpening } from '../src/reports/viewer/opening/report-opening.ts'
import { embeddedReport } from './embedded-report.ts'

export const address = {
  groupId: '22222222-aaaa-4222-8222-222222222222',
  reportId: embeddedReport().reportId,
}
export const minute = 60_000

const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

/** The test plays the provider's page; everything else is real down to `fetch`. */
interface SetUp {
  embedded?: () => EmbeddedReport
  /** Returns the code that the portal refuses a token with. */
  refusal?: () => ProblemCode | undefined
  search?: string
  how?: Pick<OpeningInput, 'isAutomatic' | 'bookmark' | 'viewAs'>
}

export const setUpOpening = ({
  embedded = () => embeddedReport(),
  refusal = () => undefined,
  search = '',
  how = {},
}: SetUp = {}) => {
  const sent: { url: string; body: unknown; inBackground: boolean; isKeptAlive: boolean }[] = []
  const pages: (string | undefined)[] = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const inBackground = new Headers(init?.headers).get('x-segundo-plano') === '1'
    const isKeptAlive = init?.keepalive === true
    sent.push({ url, body: JSON.parse(String(init?.body ?? 'null')), inBackground, isKeptAlive })
    init?.signal?.throwIfAborted()
    if (url.endsWith('/portal'))
      return Response.json({ origemEmbed: 'http://localhost:4501', demonstracao: true })
    if (url.endsWith('/visualizacao')) return new Response(null, { status: 204 })
    if (url.endsWith('/confirmacao')) return Response.json({ meios: ['senha'] })
    const codigo = refusal()
    if (!codigo) return Response.json(embedded())
    const { status } = problems[codigo]
    return Response.json(
      { type: 'about:blank', title: 'x', status, detail: 'Frase.', codigo, idRequisicao: '1' },
      { status },
    )
  })
  const report = {
    setFilters: vi.fn(async (_filters: ReportFilter[]) => undefined),
    setAccessToken: vi.fn(async (_token: string) => undefined),
    render: vi.fn(async () => undefined),
    refresh: vi.fn(async () => undefined),
    print: vi.fn(async () => undefined),
    selectedPoint: vi.fn(async (): Promise<ReportPoint | undefined> => undefined),
    pageNames: vi.fn(async () => ['visao-geral', 'perfil']),
    activePage: vi.fn(async () => 'visao-geral'),
    activePageTitle: vi.fn(async () => 'Visão geral'),
    activeVisuals: vi.fn(async () => []),
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

export const settle = () => vi.advanceTimersByTimeAsync(0)

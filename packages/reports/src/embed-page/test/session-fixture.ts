import { vi } from 'vitest'
import type { EmbeddedReport, PageData } from '../../wire/embed-contract.ts'
import { reportRoutes } from '../host/report-routes.ts'
import { createRouter } from '../host/router.ts'
import type { DataApi } from '../session/data-api.ts'
import { createReportSession } from '../session/report-session.ts'
import type { ReportView } from '../session/session-view.ts'
import { problem } from '../state/problem.ts'
import { answerOf } from './answer-of.ts'

/* Shared by tests of the report session. The test must install fake timers. */

const visual = (name: string) => ({
  name,
  type: 'card' as const,
  title: name,
  layout: { x: 0, y: 0, width: 300, height: 100 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
})
const target = { table: 'Sinistralidade', column: 'operadora' }
export const filterOn = (value: string, column = 'operadora') => ({
  target: { ...target, column },
  filterType: 1 as const,
  operator: 'In' as const,
  values: [value],
  requireSingleSelection: false,
})
export const report: Omit<EmbeddedReport, 'expiresAt'> = {
  id: 'r1',
  name: 'Sinistralidade',
  filterPane: [],
  bookmarks: [],
  filters: [filterOn('autor', 'sexo')],
  columns: { Sinistralidade: ['operadora', 'sexo'] },
  columnKinds: { Sinistralidade: ['text', 'text'] },
  timeZone: 'America/Sao_Paulo',
  pages: [
    { name: 'geral', displayName: 'Geral', filters: [], visuals: [visual('custo'), visual('vidas')] },
    { name: 'perfil', displayName: 'Perfil', filters: [], visuals: [visual('idade')] },
  ],
}

/** A fake server. `hold` blocks data calls and `holdReport` report calls until released. */
const fakeServer = () => {
  const calls: { token: string; page: string; filters: unknown[] }[] = []
  const tokens = new Map([
    ['good', 3_600_000],
    ['short', 1000],
    ['next', 3_600_000],
  ])
  const issued = Date.now()
  const server = {
    calls,
    fail: false,
    waiting: [] as (() => void)[],
    hold: false,
    holdReport: false,
    /** The report as published now; undefined when it no longer exists. */
    report: report as typeof report | undefined,
  }
  const check = (token: string) => {
    const life = tokens.get(token)
    if (life === undefined) throw problem(403, 'PowerBINotAuthorizedException', 'Você não tem acesso.')
    if (Date.now() >= issued + life) throw problem(403, 'TokenExpired', 'Expirou.')
    return issued + life
  }
  const api: DataApi = {
    report: async (_id, token) => {
      if (server.holdReport) await new Promise<void>((resolve) => server.waiting.push(resolve))
      const expiresAt = check(token)
      if (!server.report) throw problem(404, 'PowerBIEntityNotFound', 'Este relatório não existe mais.')
      return { ...server.report, expiresAt }
    },
    pageData: async (_id, token, { page, filters }, signal): Promise<PageData> => {
      calls.push({ token, page, filters })
      if (server.hold) await new Promise<void>((resolve) => server.waiting.push(resolve))
      if (signal.aborted) throw new DOMException('aborted', 'AbortError')
      check(token)
      if (!server.report?.pages.some(({ name }) => name === page))
        throw problem(404, 'PowerBIEntityNotFound', 'Este relatório não existe mais.')
      if (server.fail) throw problem(500, 'InternalError', 'Falhou.')
      const rows = answerOf({ columns: ['n'], rows: [[filters.length]], truncated: false })
      return { visuals: { custo: rows, vidas: rows, idade: rows }, failures: {} }
    },
    values: async () => ({ values: [], kind: 'text', truncated: false }),
    emptyReasons: async () => ({ reasons: {} }),
  }
  return { api, server }
}

/** A view that records what the session shows. */
export const watchedView = () => ({
  showLoading: vi.fn(),
  showFailure: vi.fn(),
  showReport: vi.fn(),
  drawPage: vi.fn<ReportView['drawPage']>(async () => undefined),
  explainEmpty: vi.fn(),
  drawAhead: vi.fn<ReportView['drawAhead']>(),
  presentBookmarks: vi.fn(),
  refreshValues: vi.fn(),
  showMessage: vi.fn(),
  showRefusal: vi.fn(),
  failPage: vi.fn(),
})

export const open = () => {
  const { api, server } = fakeServer()
  const events: { event: string; body: unknown; uid?: string }[] = []
  const view = watchedView()
  let uid = ''
  const session = createReportSession(api, view, (event, body) => events.push({ event, body, uid }))
  const router = createRouter(
    reportRoutes(session, (given) => {
      uid = given
    }),
  )
  const send = (method: string, url: string, body: unknown = null, headers = {}) =>
    router({ method, url, headers, body })
  const load = (accessToken = 'good', more = {}) =>
    send('POST', '/report/load', { id: 'r1', accessToken, ...more }, { uid: 'u1' })
  const names = () => events.splice(0).map(({ event }) => event)
  return { session, server, events, view, send, load, names }
}

/** Lets pending work finish, including animation frames. */
export const settle = (milliseconds = 300) => vi.advanceTimersByTimeAsync(milliseconds)

/** Opens a drawn report, and clears its recorded events and calls. */
export const loaded = async (token = 'good', options: object = {}) => {
  const opened = open()
  await opened.load(token, options)
  await settle()
  opened.names()
  opened.server.calls.length = 0
  return opened
}

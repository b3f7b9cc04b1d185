import { vi } from 'vitest'
import type {
  EmbeddedReport,
  EmbeddedVisual,
  Filter,
  PageDataRequest,
  VisualData,
} from '../../wire/embed-contract.ts'
import { reportRoutes } from '../host/report-routes.ts'
import { createRouter } from '../host/router.ts'
import type { DataApi } from '../session/data-api.ts'
import { createReportSession } from '../session/report-session.ts'
import { answerOf } from './answer-of.ts'
import { watchedView } from './session-fixture.ts'

/* Shared by tests of the reader's choices. The test must install fake timers. */

export const target = { table: 'Sinistralidade', column: 'operadora' }
export const age = { table: 'Sinistralidade', column: 'faixa_etaria' }
export const basic = (value: string, where = target): Filter => ({
  target: where,
  filterType: 1,
  operator: 'In',
  values: [value],
  requireSingleSelection: false,
})

const visual = (name: string, more: Partial<EmbeddedVisual> = {}): EmbeddedVisual => ({
  name,
  type: 'bar',
  title: name,
  layout: { x: 0, y: 0, width: 300, height: 100 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: ['nome', 'n'],
  ...more,
})
const drill = {
  levels: [
    { column: 'ano', label: 'Ano' },
    { column: 'mes', label: 'Mês' },
  ],
  values: ['n'],
}
export const report: EmbeddedReport = {
  id: 'r1',
  name: 'Sinistralidade',
  filterPane: [],
  filters: [basic('autor')],
  columns: { Sinistralidade: ['operadora', 'faixa_etaria'] },
  columnKinds: { Sinistralidade: ['text', 'text'] },
  timeZone: 'America/Sao_Paulo',
  expiresAt: Number.MAX_SAFE_INTEGER,
  bookmarks: [
    { name: 'so_cnu', displayName: 'Só CNU', page: 'perfil', filters: [basic('CNU')] },
    { name: 'todos', displayName: 'Todos', page: 'geral', filters: [] },
  ],
  pages: [
    {
      name: 'geral',
      displayName: 'Visão geral',
      filters: [],
      visuals: [
        visual('custo', { drill, columns: ['nivel', 'n'] }),
        visual('vidas', { labels: { n: 'Vidas, ao todo' } }),
        visual('operadoras', { type: 'slicer', slicer: { target, style: 'list', single: false } }),
        visual('uma', { type: 'slicer', slicer: { target: age, style: 'list', single: true } }),
      ],
    },
    { name: 'perfil', displayName: 'Perfil', filters: [], visuals: [visual('idade')] },
  ],
}

/** Opens a loaded report on a server that returns the same rows for every request. */
export const open = async (
  more: object = {},
  definition: EmbeddedReport = report,
  answer: Partial<VisualData> = {},
) => {
  const asked: PageDataRequest[] = []
  const api: DataApi = {
    report: async () => definition,
    pageData: async (_id, _token, request) => {
      asked.push(request)
      const rows = [
        ['BRADESCO', 12.5],
        ['=1+1', 3],
        ['a,"b"', null],
      ] as (string | number | null)[][]
      const data = answerOf({ columns: ['nome', 'n'], rows, truncated: false, ...answer })
      const names = (['custo', 'vidas', 'idade'] as const).filter(
        (name) => request.visuals?.includes(name) ?? true,
      )
      // The server names the column of a hierarchy level `nivel`.
      const answers = { custo: { ...data, columns: ['nivel', 'n'] }, vidas: data, idade: data }
      return { visuals: Object.fromEntries(names.map((name) => [name, answers[name]])), failures: {} }
    },
    values: async () => ({ values: [], kind: 'text', truncated: false }),
    emptyReasons: async () => ({ reasons: {} }),
  }
  const events: [string, unknown][] = []
  const view = watchedView()
  const session = createReportSession(api, view, (event, body) => events.push([event, body]))
  const router = createRouter(reportRoutes(session, () => undefined))
  const send = (method: string, url: string, body: unknown = null) =>
    router({ method, url, headers: {}, body })
  await send('POST', '/report/load', { id: 'r1', accessToken: 'secret-token', ...more })
  await settle()
  /** Returns the events and data calls since the previous call. */
  const since = async () => {
    await settle()
    return { events: events.splice(0), asked: asked.splice(0) }
  }
  return { session, send, since, view }
}
export const settle = () => vi.advanceTimersByTimeAsync(300)

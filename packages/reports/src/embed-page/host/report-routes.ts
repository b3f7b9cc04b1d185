import { isRecord } from '../../definitions/is-record.ts'
import type { VisualData } from '../../wire/embed-contract.ts'
import { MAX_EXPORTED } from '../../wire/wire-names.ts'
import type { ReportSession } from '../session/report-session.ts'
import { listBookmarks } from '../state/bookmarks.ts'
import { atLevel } from '../state/drill-level.ts'
import { applyOperation, readFilters, readVisualFilters } from '../state/filters.ts'
import { asProblem, isGone, problem } from '../state/problem.ts'
import {
  type FilterScope,
  filtersOf,
  findPage,
  findSlicer,
  findVisual,
  isChanged,
  listPages,
  listVisuals,
  visualFiltersOf,
} from '../state/report-state.ts'
import { describeTheme, readTheme } from '../state/report-theme.ts'
import { selectedPoint } from '../state/selected-point.ts'
import { readSlicerState, slicerState } from '../state/slicer-state.ts'
import { applyColorScheme, isColorScheme } from '../view/style/color-scheme.ts'
import type { RoutedRequest, Routes } from './router.ts'
import type { EmbedReply } from './transport.ts'
import { rowsCsv, visualCsv } from './visual-csv.ts'

/** Maps Power BI's messages to the session. `adopt` receives the uid for all later events. */
export const reportRoutes = (session: ReportSession, adopt: (uid: string) => void): Routes => {
  const load = (thenRender: boolean) => (request: RoutedRequest) => {
    const { id, accessToken, options } = loadOf(request)
    if (typeof request.headers.uid === 'string') adopt(request.headers.uid)
    void session.load(id, accessToken, options, thenRender)
    return accepted
  }

  const routes: Routes = {
    'POST /frontload/config': () => accepted,
    'POST /report/load': load(true),
    'POST /report/prepare': load(false),
    // Our own call: the portal announces the report that its reader is about to open.
    'POST /report/prefetch': (request) => {
      const { id, accessToken, options } = loadOf(request)
      session.prefetch(id, accessToken, options)
      return accepted
    },
    // Our own call: the portal switches between light and dark, also while no report is loaded.
    'PUT /report/colorScheme': ({ body }) => {
      if (!isColorScheme(body)) throw problem(400, 'InvalidParameters', 'O tema deve ser light ou dark.')
      return done(applyColorScheme(body))
    },
    'POST /report/render': ({ body }) => done(session.render(object(body))),
    'POST /report/token': async ({ body }) => {
      if (typeof body !== 'string' || !body) throw problem(400, 'InvalidParameters', 'Falta o token.')
      return done(await session.setToken(body))
    },
    'POST /report/refresh': () => done(session.refresh()),
    'POST /report/print': () => done(session.state() && setTimeout(() => window.print())),
    'PATCH /report/settings': ({ body }) => done(session.setSettings(body)),
    // Our own call: the portal lists the beneficiaries behind the selected point.
    'GET /report/selectedPoint': () => answer(selectedPoint(session.state())),
    'GET /report/zoom': () => answer(session.state().zoom),
    'DELETE /report/userState': () => done(session.resetFilters()),
    // As in Power BI, without persistent filters there is no state of a user.
    'GET /report/isUserStateApplied': () => {
      const state = session.state()
      return answer(state.settings.persistentFiltersEnabled === true && isChanged(state))
    },
    // Reports are only viewed here: the other mode is an unknown call.
    'POST /report/switchMode/view': () => done(session.state()),
    ...refusedTypes((request) => {
      if (typeof request.headers.uid === 'string') adopt(request.headers.uid)
      session.refuse(unsupported)
    }),

    'GET /report/pages': () => answer(listPages(session.state())),
    'PUT /report/pages/active': ({ body }) => done(session.setPage(object(body).name)),
    'GET /report/pages/:page/visuals': ({ params }) => {
      const state = session.state()
      return answer(listVisuals(state, findPage(state, params.page)))
    },
    // Every page has a phone layout: its visuals one below the other.
    'GET /report/pages/:page/layoutTypes/:type': ({ params }) => {
      findPage(session.state(), params.page)
      return answer(SHOWN_LAYOUTS.has(params.type ?? ''))
    },

    ...bookmarkRoutes(session),
    ...visualRoutes('/report/pages/:page/visuals/:visual', session),
    'GET /report/theme': () => answer(describeTheme(session.state().theme)),
    // `resetTheme` sends an empty theme.
    'PUT /report/theme': ({ body }) => done(session.state() && session.setTheme(readTheme(body))),
    'POST /report/clearSelectedVisuals/:popOut': () => done(session.select(undefined)),

    ...filterRoutes('/report/filters', session),
    ...filterRoutes('/report/pages/:page/filters', session),
    ...visualFilterRoutes('/report/pages/:page/visuals/:visual/filters', session),

    'GET /report/hasUnsavedChanges': () => answer(false),
    'GET /getCorrelationId': () => answer(session.state().report.id),
  }
  return announced(routes, session)
}

const loadOf = ({ body }: RoutedRequest) => {
  const { id, accessToken, ...options } = object(body)
  if (typeof id !== 'string' || !id || typeof accessToken !== 'string' || !accessToken)
    throw problem(400, 'InvalidParameters', 'Faltam id ou accessToken.')
  return { id, accessToken, options }
}

const bookmarkRoutes = (session: ReportSession): Routes => {
  return {
    'GET /report/bookmarks': () => answer(listBookmarks(session.state())),
    'POST /report/bookmarks/applyByName': ({ body }) => done(session.applyBookmark(object(body).name)),
    'POST /report/bookmarks/applyState': ({ body }) => done(session.applyBookmarkState(object(body).state)),
    'POST /report/bookmarks/capture': ({ body }) =>
      answer(session.captureBookmark(object(object(body).options))),
    'POST /report/bookmarks/play': ({ body }) => done(session.playBookmarks(object(body).playMode)),
  }
}

const visualRoutes = (path: string, session: ReportSession): Routes => {
  const visualAt = ({ page = '', visual = '' }: Record<string, string>) => ({ page, visual })
  const pageOf = (name: unknown) => findPage(session.state(), name)
  return {
    [`GET ${path}/slicer`]: ({ params }) =>
      answer(slicerState(session.state(), pageOf(params.page), params.visual)),
    [`PUT ${path}/slicer`]: ({ params, body }) => {
      const slicer = findSlicer(pageOf(params.page), params.visual)
      const filters = readSlicerState(session.state(), slicer, body)
      return done(session.setSlicer(visualAt(params), filters))
    },
    [`POST ${path}/exportData`]: async ({ params, body }) => {
      const { rows, exportDataType } = object(body)
      const page = pageOf(params.page)
      const visual = findVisual(page, params.visual)
      const most = readRowCount(rows)
      if (exportDataType === UNDERLYING) {
        if (!session.state().report.underlyingData)
          throw problem(403, 'PowerBINotAuthorizedException', 'Este relatório só exporta dados resumidos.')
        const rows = await session.visualData(visualAt(params), most)
        return answer(exported(rowsCsv(rows), rows))
      }
      const data = await session.visualData(visualAt(params))
      const opened = session.state().drill[`${page.name}/${visual.name}`] ?? []
      return answer(exported(visualCsv(atLevel(visual, opened), data, most), data))
    },
    [`PUT ${path}/sortBy`]: ({ params, body }) => done(session.sortBy(visualAt(params), object(body))),
  }
}

/** Microsoft answers with the data alone: a caller that knows the field sees how many texts end in '…'. */
const exported = (data: string, { cutTexts = 0 }: VisualData) => ({
  data,
  ...(cutTexts > 0 && { '@biManager.cutTexts': cutTexts }),
})

const readRowCount = (input: unknown): number => {
  if (input === undefined || input === null) return MAX_EXPORTED
  if (typeof input === 'number' && Number.isInteger(input) && input >= 1 && input <= MAX_EXPORTED)
    return input
  throw problem(400, 'InvalidParameters', `rows deve ser um número inteiro de 1 a ${MAX_EXPORTED}.`)
}

const UNDERLYING = 1 // powerbi-models' ExportDataType

const filterRoutes = (path: string, session: ReportSession): Routes => {
  const read = (filters: unknown) => readFilters(filters, session.state().report.columns)
  const inForce = (scope: FilterScope) => filtersOf(session.state(), scope)
  return {
    [`GET ${path}`]: ({ params }) => answer(inForce(params)),
    [`PUT ${path}`]: ({ params, body }) => done(session.setFilters(params, read(body))),
    [`POST ${path}`]: ({ params, body }) => {
      const { filtersOperation, filters } = object(body)
      const next = applyOperation(inForce(params), filtersOperation, read(filters))
      return done(session.setFilters(params, next))
    },
  }
}

const visualFilterRoutes = (path: string, session: ReportSession): Routes => {
  const read = (filters: unknown) => readVisualFilters(filters, session.state().report.columns)
  const scopeOf = ({ page = '', visual = '' }: Record<string, string>) => ({ page, visual })
  const inForce = (params: Record<string, string>) => visualFiltersOf(session.state(), scopeOf(params))
  return {
    [`GET ${path}`]: ({ params }) => answer(inForce(params)),
    [`PUT ${path}`]: ({ params, body }) => done(session.setVisualFilters(scopeOf(params), read(body))),
    [`POST ${path}`]: ({ params, body }) => {
      const { filtersOperation, filters } = object(body)
      const next = applyOperation(inForce(params), filtersOperation, read(filters))
      return done(session.setVisualFilters(scopeOf(params), next))
    },
  }
}

/** Refuses to embed anything but reports and their visuals: dashboards, tiles, Q&A, new reports. */
const refusedTypes = (refuse: (request: RoutedRequest) => void): Routes => {
  const loads = ['/dashboard/load', '/tile/load', '/qna/load', '/report/create', '/quickcreate']
  const handler = (request: RoutedRequest): EmbedReply => {
    refuse(request)
    throw unsupported
  }
  return Object.fromEntries(loads.map((path) => [`POST ${path}`, handler]))
}

const unsupported = problem(501, 'NotImplemented', 'Este serviço só mostra relatórios e os seus visuais.')

/** Emits an `error` event, as Power BI does, also when a page or a visual does not exist. */
const announced = (routes: Routes, session: ReportSession): Routes => {
  const watched = Object.entries(routes).map(([address, handler]) => {
    if (!address.includes('/report/pages/')) return [address, handler]
    const watch = async (request: RoutedRequest) => {
      try {
        return await handler(request)
      } catch (cause) {
        const failure = asProblem(cause)
        if (isGone(failure)) session.announce(failure)
        throw failure
      }
    }
    return [address, watch]
  })
  return Object.fromEntries(watched)
}

/** powerbi-client sends the name of its LayoutType; the number means the same. */
const SHOWN_LAYOUTS = new Set(['Master', '0', 'MobilePortrait', '2'])

const accepted: EmbedReply = { status: 202, body: {} }
const answer = (body: unknown): EmbedReply => ({ status: 200, body })
/** Evaluating the argument has already started or done the work. */
const done = (_effect: unknown): EmbedReply => accepted

const object = (body: unknown): Record<string, unknown> => (isRecord(body) ? body : {})

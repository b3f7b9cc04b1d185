import './styles/base.css'
import './styles/frame.css'
import './styles/visuals.css'
import './styles/cards.css'
import './styles/tables.css'
import './styles/matrix.css'
import './styles/filters.css'
import './styles/controls.css'
import './styles/states.css'
import './styles/narrow.css'
import './styles/motion-and-print.css'
import './styles/presentation.css'
import { dataApi } from './data-api.ts'
import { asProblem } from './problem.ts'
import { describeButton, watchReader } from './report-events.ts'
import { reportRoutes } from './report-routes.ts'
import { createReportSession, type Emit, type ReportSession } from './report-session.ts'
import { activePage } from './report-state.ts'
import { createRouter } from './router.ts'
import { type DataPoint, describePick, readPick } from './selection.ts'
import { connect } from './transport.ts'
import { el } from './view/dom.ts'
import { createNotice } from './view/notice.ts'
import { createReportView } from './view/report-view.ts'

const root = document.getElementById('app') ?? document.body
const allowedParents = (
  document.querySelector<HTMLMetaElement>('meta[name="allowed-parents"]')?.content ?? ''
).split(/\s+/)

if (window.location.pathname === '/reportExport') {
  void import('./export/export-page.ts').then(({ installExport }) => installExport(root, dataApi))
} else if (window.parent === window) {
  root.append(el('main', { class: 'failure' }, createNotice('Este relatório é aberto dentro do portal.')))
} else {
  start()
}

function start() {
  /** Changes with every load: the embedder tells its reports apart by it. */
  let uid = new URLSearchParams(window.location.search).get('uid') ?? ''

  /** What the click under way picked; the visual that it was in tells of it afterwards. */
  let clicked: DataPoint[] = []

  const emit: Emit = (event, body, { page, visual } = {}) => {
    const about = [page && `/pages/${page}`, visual && `/visuals/${visual}`].filter(Boolean).join('')
    post(`/reports/${uid}${about}/events/${event}`, body)
  }
  const view = createReportView(root, {
    choosePage: (name) => session.setPage(name),
    changeFilters: (scope, filters) => session.setFilters(scope, filters),
    loadValues: (request, signal) => session.values(request, signal),
    retry: (visual) => session.retry(visual),
    applyBookmark: (name) => session.applyBookmark(name),
    picked(visual, data, row) {
      const pick = readPick(session.state(), visual, data, row)
      if (!pick) return
      try {
        if ('opens' in pick) return session.drillTo(visual.name, pick.opens)
        clicked = pick.points
        // A pick by keys is no click: it is not told with the next one.
        setTimeout(() => {
          clicked = []
        })
        emit('dataSelected', pick.body)
        session.select(pick.selects)
      } catch (cause) {
        // More filters at once than one call may carry.
        emit('error', asProblem(cause).body)
      }
    },
    clearPick() {
      const { selection } = session.state()
      const visual = activePage(session.state()).visuals.find(({ name }) => name === selection?.visual)
      session.select(undefined)
      if (visual) emit('dataSelected', describePick(session.state(), visual, []))
    },
    drillTo: (visual, path) => session.drillTo(visual.name, path),
    slice(visual, filters) {
      session.setSlicer({ page: session.state().activePage, visual: visual.name }, filters)
    },
    press(visual) {
      emit('buttonClicked', describeButton(visual))
      const { page, bookmark, resetFilters } = visual.button ?? {}
      if (page) session.setPage(page)
      if (bookmark) session.applyBookmark(bookmark)
      if (resetFilters) session.resetFilters()
    },
  })
  const session: ReportSession = createReportSession(dataApi, view, emit)
  const routes = reportRoutes(session, (given) => {
    uid = given
  })
  const post = connect(allowedParents, createRouter(routes))

  view.showLoading()
  watchReader(root, session, emit, () => clicked)
  // A frame without a uid was only preloaded: nobody waits for it to be ready.
  if (uid) post(`/ready/${uid}`, {})
  // Needed soon after the report's definition, and the larger part of the script.
  void import('./view/chart.ts')
}

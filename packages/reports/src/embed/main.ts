import './styles/base.css'
import './styles/frame.css'
import './styles/visuals.css'
import './styles/tables.css'
import './styles/filters.css'
import './styles/states.css'
import './styles/narrow.css'
import './styles/motion-and-print.css'
import { dataApi } from './data-api.ts'
import { reportRoutes } from './report-routes.ts'
import { createReportSession, type Emit, type ReportSession } from './report-session.ts'
import { createRouter } from './router.ts'
import { describeSelection, type Selection } from './selection.ts'
import { connect } from './transport.ts'
import { el } from './view/dom.ts'
import { createNotice } from './view/notice.ts'
import { createReportView } from './view/report-view.ts'

const root = document.getElementById('app') ?? document.body
const allowedParents = (
  document.querySelector<HTMLMetaElement>('meta[name="allowed-parents"]')?.content ?? ''
).split(/\s+/)

if (window.parent === window) {
  root.append(el('main', { class: 'failure' }, createNotice('Este relatório é aberto dentro do portal.')))
} else {
  start()
}

function start() {
  /** Changes with every load: the embedder tells its reports apart by it. */
  let uid = new URLSearchParams(window.location.search).get('uid') ?? ''
  let selection: Selection | undefined

  const emit: Emit = (event, body, { page, visual } = {}) => {
    const about = [page && `/pages/${page}`, visual && `/visuals/${visual}`].filter(Boolean).join('')
    post(`/reports/${uid}${about}/events/${event}`, body)
  }
  const view = createReportView(root, {
    choosePage: (name) => session.setPage(name),
    changeFilters: (scope, filters) => session.setFilters(scope, filters),
    loadValues: (request, signal) => session.values(request, signal),
    retry: () => session.retry(),
    picked(visual, data, row) {
      const described = describeSelection(session.state(), visual, data, row, selection)
      selection = described.selection
      emit('dataSelected', described.body)
    },
  })
  const session: ReportSession = createReportSession(dataApi, view, emit)
  const routes = reportRoutes(session, (given) => {
    uid = given
  })
  const post = connect(allowedParents, createRouter(routes))

  view.showLoading()
  // A frame without a uid was only preloaded: nobody waits for it to be ready.
  if (uid) post(`/ready/${uid}`, {})
  // Needed soon after the report's definition, and the larger part of the script.
  void import('./view/chart.ts')
}

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
import { createReaderActions } from './host/reader-actions.ts'
import { watchReader } from './host/report-events.ts'
import { reportRoutes } from './host/report-routes.ts'
import { createRouter } from './host/router.ts'
import { connect } from './host/transport.ts'
import { dataApi } from './session/data-api.ts'
import { createReportSession, type Emit, type ReportSession } from './session/report-session.ts'
import { loadCharts } from './view/charts/load-charts.ts'
import { rehearseChart } from './view/charts/rehearse-chart.ts'
import { createReportView } from './view/page/report-view.ts'
import { applyColorScheme, isColorScheme } from './view/style/color-scheme.ts'
import { el } from './view/style/dom.ts'
import { createNotice } from './view/style/notice.ts'

/** A frame that opens a report receives its load message long before this delay ends. */
const REHEARSAL_MS = 700

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
  const address = new URLSearchParams(window.location.search)
  // Before the first paint, so that the page does not flash in the wrong colours.
  const scheme = address.get('colorScheme')
  if (isColorScheme(scheme)) applyColorScheme(scheme)
  let rehearsal: ReturnType<typeof setTimeout> | undefined
  /** Changes with every load: the embedder identifies its reports by it. */
  let uid = address.get('uid') ?? ''

  const emit: Emit = (event, body, { page, visual } = {}) => {
    const about = [page && `/pages/${page}`, visual && `/visuals/${visual}`].filter(Boolean).join('')
    post(`/reports/${uid}${about}/events/${event}`, body)
  }
  const reader = createReaderActions(
    () => session,
    emit,
    ({ message }) => view.showRefusal(message),
  )
  const view = createReportView(root, reader.actions)
  const session: ReportSession = createReportSession(dataApi, view, emit)
  const routes = reportRoutes(session, (given) => {
    clearTimeout(rehearsal)
    uid = given
  })
  const post = connect(allowedParents, createRouter(routes))

  view.showLoading()
  watchReader(root, session, emit, reader.clicked)
  // A frame without a uid was only preloaded: no embedder waits for `ready`.
  if (uid) post(`/ready/${uid}`, {})
  // Needed soon after the report's definition, and the larger part of the script.
  loadCharts().catch(() => undefined)
  // Only a waiting frame rehearses: it would delay a frame that has a report to show.
  rehearsal = setTimeout(() => rehearseChart().catch(() => undefined), REHEARSAL_MS)
}

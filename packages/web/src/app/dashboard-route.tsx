import type { DashboardRoute as Rota } from '../lib/navigation/dashboards.ts'
import { DashboardPage } from '../reports/pages/dashboard-page.tsx'
import { LazyViewer } from './embedded-report/lazy-viewer.tsx'

/** A component per page, so that navigating between them never shows the previous page's report. */
export const dashboardRoute = (rota: Rota) => () => (
  <DashboardPage key={rota} rota={rota} Embed={LazyViewer} />
)

import { DashboardPage } from '../features/dashboards/dashboard-page.tsx'
import type { DashboardRoute as Rota } from '../lib/dashboards.ts'
import { EmbeddedReport } from './embed.tsx'

/** One component for each page, so that going from one to the next never shows the former's report. */
export const dashboardRoute = (rota: Rota) => () => (
  <DashboardPage key={rota} rota={rota} Embed={EmbeddedReport} />
)

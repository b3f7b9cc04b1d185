import { type PageRoute, pageTitles } from '@bi-manager/contract'

export type DashboardRoute = Exclude<PageRoute, 'bi-saude'>

const routes = (Object.keys(pageTitles) as PageRoute[]).filter(
  (rota): rota is DashboardRoute => rota !== 'bi-saude',
)

/** The report pages listed under 'BI Saúde'. */
export const dashboards = routes.map((rota) => ({
  rota,
  path: `/${rota}` as const,
  title: pageTitles[rota],
}))

import type { KeyGroup } from './accounts/api-keys.ts'
import { usersApi } from './accounts/users.ts'
import { auditApi } from './audit.ts'
import type { Endpoint } from './calls/endpoint.ts'
import { dataSchedulesApi } from './publishing/data-schedules.ts'
import { publishedReportsApi } from './publishing/published-reports.ts'
import { publishingApi } from './publishing/publishing.ts'
import { dataFreshnessApi } from './reports/data-freshness.ts'
import { favoritesApi } from './reports/favorites.ts'
import { menusApi } from './reports/menus.ts'
import { reportExportsApi } from './reports/report-exports.ts'
import { reportsApi } from './reports/reports.ts'

/**
 * The calls that an API key reaches, by the groups that its owner chose. Every other call refuses
 * keys. A call of a group still requires its own permission of the owner.
 */
export const keyGroupCalls: Record<KeyGroup, readonly Endpoint[]> = {
  RELATORIOS: [...Object.values(menusApi), favoritesApi.list, reportsApi.checkAccess, dataFreshnessApi.get],
  DADOS: [reportsApi.embed, ...Object.values(reportExportsApi)],
  ATUALIZAR: [dataFreshnessApi.get, dataFreshnessApi.start],
  USUARIOS: [usersApi.list, usersApi.get, usersApi.exportCsv],
  PUBLICAR: [
    ...Object.values(publishingApi),
    ...Object.values(publishedReportsApi),
    ...Object.values(dataSchedulesApi),
  ],
  AUDITORIA: Object.values(auditApi),
}

/** Returns the groups that reach a call; none for a call that refuses keys. */
export const keyGroupsOf = ({ method, url }: Pick<Endpoint, 'method' | 'url'>): KeyGroup[] =>
  (Object.keys(keyGroupCalls) as KeyGroup[]).filter((group) =>
    keyGroupCalls[group].some((call) => call.method === method && call.url === url),
  )

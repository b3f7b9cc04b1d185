import { createClient, type PortalSettings, portalApi } from '@bi-manager/contract'
import { watchedFetch } from '../../../lib/api/connection.ts'
import type { ReportIds } from '../../../lib/navigation/report-path.ts'

// The call is public, so it is sent without the session's headers.
const callPublic = createClient({ baseUrl: '/api', fetch: watchedFetch })

let settings: Promise<PortalSettings> | undefined

/**
 * Returns the installation's public settings, fetched once per page load, and again after a
 * failure.
 */
export const portalSettings = (): Promise<PortalSettings> => {
  settings ??= callPublic(portalApi.settings, {}, { signal: AbortSignal.timeout(15_000) }).catch(
    (error: unknown) => {
      settings = undefined
      throw error
    },
  )
  return settings
}

/** Returns the address of the page in which the configured provider shows reports. */
export const embedPageOf = ({
  origemEmbed,
  origemMicrosoft,
}: Pick<PortalSettings, 'origemEmbed'> & Partial<PortalSettings>): URL =>
  // A portal of the previous version, still running during an upgrade, names no Microsoft origin.
  new URL('/reportEmbed', origemEmbed ?? origemMicrosoft ?? 'https://app.powerbi.com')

/** The URL both providers embed from; the exact `embedUrl` follows with the token response. */
export const bootstrapAddress = (settings: PortalSettings, { groupId, reportId }: ReportIds): string => {
  const url = embedPageOf(settings)
  url.search = new URLSearchParams({ reportId, groupId }).toString()
  return url.href
}

import { createClient, type PortalSettings, portalApi } from '@bi-manager/contract'
import { watchedFetch } from '../../../lib/api/connection.ts'

let settings: Promise<PortalSettings> | undefined

// The call is public, so it is sent without the session's headers.
const callPublic = createClient({ baseUrl: '/api', fetch: watchedFetch })

/**
 * Returns the installation's public settings, fetched once per page load and again after a failure.
 */
export const portalSettings = (): Promise<PortalSettings> => {
  settings ??= callPublic(portalApi.settings, {}, { signal: AbortSignal.timeout(15_000) }).catch((error) => {
    settings = undefined
    throw error
  })
  return settings
}

import { createClient, type PortalSettings, portalApi } from '@bi-manager/contract'
import { watchedFetch } from '../../lib/connection.ts'

let settings: Promise<PortalSettings> | undefined

// A public call, which needs none of the session's headers.
const callPublic = createClient({ baseUrl: '/api', fetch: watchedFetch })

/** The installation's public settings, asked once per page load and again after a failure. */
export const portalSettings = (): Promise<PortalSettings> => {
  settings ??= callPublic(portalApi.settings, {}, { signal: AbortSignal.timeout(15_000) }).catch((error) => {
    settings = undefined
    throw error
  })
  return settings
}

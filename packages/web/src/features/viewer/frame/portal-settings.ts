import { createClient, type PortalSettings, portalApi } from '@bi-manager/contract'
import { watchedFetch } from '../../../lib/api/connection.ts'

// The call is public, so it is sent without the session's headers.
const callPublic = createClient({ baseUrl: '/api', fetch: watchedFetch })

/** Returns a function that calls `load` once, and again after a failure. */
const onceUnlessFailed = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

/** Returns the installation's public settings, fetched once per page load. */
export const portalSettings: () => Promise<PortalSettings> = onceUnlessFailed(() =>
  callPublic(portalApi.settings, {}, { signal: AbortSignal.timeout(15_000) }),
)

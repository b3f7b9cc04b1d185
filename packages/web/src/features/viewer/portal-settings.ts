import { createClient, type PortalSettings, portalApi } from '@bi-manager/contract'
import { watchedFetch } from '../../lib/connection.ts'
import { clockSkewMs } from './token-renewal.ts'

let skewMs = 0
let settings: Promise<PortalSettings> | undefined

// The shared `call` hides the headers; this public call needs none of the session's and wants the server's `Date`.
const callPublic = createClient({
  baseUrl: '/api',
  fetch: async (input, init) => {
    const sentAt = Date.now()
    const response = await watchedFetch(input, init)
    skewMs = clockSkewMs(response.headers.get('date'), sentAt, Date.now())
    return response
  },
})

/** The installation's public settings, asked once per page load and again after a failure. */
export const portalSettings = (): Promise<PortalSettings> => {
  settings ??= callPublic(portalApi.settings, {}, { signal: AbortSignal.timeout(15_000) }).catch((error) => {
    settings = undefined
    throw error
  })
  return settings
}

/** Now by the server's clock, in milliseconds since the epoch, as far as its answers have told. */
export const serverNow = (): number => Date.now() + skewMs

import { blame } from '../../platform/db/configured-database.ts'
import type { Services } from '../../platform/http/services.ts'

/** Serves the portal's figures. Loads nothing when no port is configured. */
export const startMetrics = async (services: Services) => {
  const { metrics: address } = services.config
  if (!address) return undefined
  const { createPortalMetrics } = await import('./portal-metrics.ts')
  const { serveMetrics } = await import('@bi-manager/telemetry/metrics-server')
  return serveMetrics(createPortalMetrics(services), address).catch(blame('METRICS_HOST'))
}

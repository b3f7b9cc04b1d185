import { databaseStatements, providerCalls, renderedReports } from '@bi-manager/telemetry/events'
import {
  countOutcomes,
  createMetrics,
  Gauge,
  Histogram,
  measureSpans,
  quickSeconds,
  type ServiceMetrics,
} from '@bi-manager/telemetry/metrics'
import packageJson from '../../../package.json' with { type: 'json' }
import type { OpenDatabase } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { readOperations } from './operations.ts'
import { readQueues } from './queues.ts'

const openingSeconds = [0.25, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 20, 30, 60]

/** Creates the portal's metrics; loaded only when METRICS_PORT is set. */
export const createPortalMetrics = (services: Services): ServiceMetrics => {
  const metrics = createMetrics('portal', packageJson.version)
  const { registry, onClose } = metrics
  onClose(countOutcomes(registry, signIns))
  onClose(countOutcomes(registry, embeds))
  const register = (histogram: Pick<ConstructorParameters<typeof Histogram>[0], 'name' | 'help'>) => ({
    ...histogram,
    registers: [registry],
  })

  const calls = new Histogram({
    ...register({
      name: 'bimanager_provider_call_duration_seconds',
      help: 'Calls to the BI provider, by operation and result (status, timeout or unreachable).',
    }),
    labelNames: ['provider', 'operation', 'result'],
    buckets: quickSeconds,
  })
  onClose(
    measureSpans(providerCalls, calls, ({ provider, operation, outcome }) => ({
      provider,
      operation,
      result: outcome ?? 'unreachable',
    })),
  )

  const loaded = new Histogram({
    ...register({
      name: 'bimanager_report_loaded_seconds',
      help: 'Time until the structure of a report was on the screen, as browsers report it.',
    }),
    buckets: openingSeconds,
  })
  const rendered = new Histogram({
    ...register({
      name: 'bimanager_report_rendered_seconds',
      help: 'Time until all of a report was drawn, as browsers report it.',
    }),
    buckets: openingSeconds,
  })
  onClose(
    renderedReports.subscribe(({ loadedSeconds, renderedSeconds }) => {
      loaded.observe(loadedSeconds)
      rendered.observe(renderedSeconds)
    }),
  )

  const statements = new Histogram({
    ...register({
      name: 'bimanager_database_statement_duration_seconds',
      help: 'Statements of the database, waiting included, by result.',
    }),
    labelNames: ['result'],
    buckets: [0.001, 0.0025, ...quickSeconds],
  })
  onClose(
    databaseStatements.subscribe(({ seconds, hasFailed }) =>
      statements.observe({ result: hasFailed ? 'error' : 'ok' }, seconds),
    ),
  )
  watchPool(metrics, services.db)
  metrics.addReading(readQueues(services))
  metrics.addReading(readOperations(services))
  return metrics
}

const signIns = {
  name: 'bimanager_sign_ins_total',
  help: 'Attempts to sign in, by method and result (ok, or the code of the problem).',
  label: 'method',
  routes: { 'POST /api/usuarios/authorizer': 'password', 'POST /api/login/oidc': 'provider' },
}

const embeds = {
  name: 'bimanager_embeds_total',
  help: 'Embed tokens asked for, by result (ok, or the code of the problem).',
  label: 'kind',
  routes: { 'POST /api/usuarios/relatorio/embed': 'report' },
}

const watchPool = ({ registry }: ServiceMetrics, { pool }: OpenDatabase): void => {
  if (!pool) return
  const gauges = {
    size: 'Open connections to the database.',
    idle: 'Open connections to the database that nothing uses.',
    waiting: 'Calls that wait for a connection to the database.',
    limit: 'The most connections to the database that may be open.',
  }
  for (const [field, help] of Object.entries(gauges)) {
    new Gauge({
      name: `bimanager_database_pool_${field}`,
      help,
      registers: [registry],
      collect() {
        this.set(pool()[field as keyof typeof gauges])
      },
    })
  }
}

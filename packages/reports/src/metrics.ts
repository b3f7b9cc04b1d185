import { reportQueries } from '@bi-manager/telemetry/events'
import {
  createMetrics,
  Gauge,
  Histogram,
  measureSpans,
  queueGauges,
  queueValues,
  quickSeconds,
  type ServiceMetrics,
} from '@bi-manager/telemetry/metrics'
import packageJson from '../package.json' with { type: 'json' }

/** What the metrics read from a running service. */
export interface Measured {
  queries: () => { held: number; waiting: number }
  exports: () => Promise<{ length: number; oldestMs: number }>
  refreshes: () => { length: number; oldestMs: number }
  /** Undefined while the data is being loaded. */
  reports: () => number | undefined
}

/** Creates the report service's metrics; loaded only when REPORTS_METRICS_PORT is set. */
export const createReportMetrics = ({ queries, exports, refreshes, reports }: Measured): ServiceMetrics => {
  const metrics = createMetrics('relatorios', packageJson.version)
  const registers = [metrics.registry]
  const durations = new Histogram({
    name: 'bimanager_report_query_duration_seconds',
    help: 'Queries of reports, by result (ok, timeout, abandoned or error), without their wait.',
    labelNames: ['result'],
    buckets: quickSeconds,
    registers,
  })
  metrics.onClose(measureSpans(reportQueries, durations, ({ outcome }) => ({ result: outcome ?? 'error' })))
  const gauges: [name: string, help: string, read: () => number][] = [
    ['bimanager_report_queries_running', 'Queries of reports that run.', () => queries().held],
    [
      'bimanager_report_queries_waiting',
      'Queries of reports that wait for their turn.',
      () => queries().waiting,
    ],
    ['bimanager_reports_published', 'Reports that the service shows.', () => reports() ?? 0],
  ]
  for (const [name, help, read] of gauges) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  metrics.addReading({
    source: 'queues',
    gauges: queueGauges,
    read: async () => {
      const queues = Object.entries({ drawing: await exports(), refreshes: refreshes() })
      return queueValues(
        queues.map(([queue, { length, oldestMs }]) => ({ queue, length, oldestSeconds: oldestMs / 1000 })),
      )
    },
  })
  return metrics
}

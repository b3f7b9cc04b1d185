import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type AnsweredRequest, answeredRequests, cacheLookups, type Spans } from './events.ts'
import { withinTime } from './within-time.ts'

/*
 * Metrics of a service in Prometheus' text format. Loaded only when METRICS_PORT is set. Labels are
 * patterns, codes and fixed names, so their number does not grow with people or records.
 */

export { Gauge, Histogram }

export const quickSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type ServiceMetrics = ReturnType<typeof createMetrics>

export interface Reading {
  /** A fixed name, for the counter of failures. */
  source: string
  gauges: { name: string; help: string; labelNames?: string[] }[]
  /** Milliseconds between two readings, and the time limit of one. */
  everyMs?: number
  withinMs?: number
  /** Values by gauge name; a gauge without a value is left out. */
  read: () => Promise<Record<string, GaugeValue>>
}
export type GaugeValue = number | undefined | { labels: Record<string, string>; value: number }[]

const readEveryMs = 15_000
const readWithinMs = 2_000

const queueLength = 'bimanager_queue_length'
const queueOldest = 'bimanager_queue_oldest_seconds'

/** The gauges of a reading of queues. */
export const queueGauges: Reading['gauges'] = [
  { name: queueLength, help: 'Jobs that wait, by queue.', labelNames: ['queue'] },
  { name: queueOldest, help: 'Age of the oldest job that waits; 0 without one.', labelNames: ['queue'] },
]

export const queueValues = (
  queues: { queue: string; length: number; oldestSeconds: number }[],
): Record<string, GaugeValue> => ({
  [queueLength]: queues.map(({ queue, length }) => ({ labels: { queue }, value: length })),
  [queueOldest]: queues.map(({ queue, oldestSeconds }) => ({
    labels: { queue },
    value: Math.max(oldestSeconds, 0),
  })),
})

/**
 * Creates the metrics of a service.
 * @param service label `service` of every metric
 */
export const createMetrics = (service: string, version: string) => {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  // These gauges have names of counters, which Prometheus' linter refuses.
  for (const name of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${name}_total`)
  }
  const registers = [registry]
  new Gauge({
    name: 'bimanager_build_info',
    help: 'Version of BI Manager, as a label.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  const failures = new Counter({
    name: 'bimanager_metrics_read_failures_total',
    help: 'Readings for the metrics that failed or took too long, by source.',
    labelNames: ['source'],
    registers,
  })
  const ends = [observeRequests(registry), observeCaches(registry)]
  return {
    registry,
    /** Registers a function that runs at the end. */
    onClose: (end: () => void) => void ends.push(end),
    /**
     * Adds gauges that are read for a scrape, at most every 15 seconds by default, so that slow
     * readings and database queries stay bounded however often the metrics are scraped.
     */
    addReading: (reading: Reading) => addReading(registry, failures, reading),
    text: () => registry.metrics(),
    close: () => {
      for (const end of ends) end()
      registry.clear()
    },
  }
}

const observeRequests = (registry: Registry): (() => void) => {
  const durations = new Histogram({
    name: 'bimanager_http_request_duration_seconds',
    help: 'Time from the request to the end of the answer, by route pattern and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: quickSeconds,
    registers: [registry],
  })
  return answeredRequests.subscribe(({ method, route, status, seconds }) =>
    durations.observe({ method, route: route ?? 'none', status }, seconds),
  )
}

const observeCaches = (registry: Registry): (() => void) => {
  const lookups = new Counter({
    name: 'bimanager_cache_lookups_total',
    help: 'Lookups in a cache, by cache and result (hit or miss).',
    labelNames: ['cache', 'result'],
    registers: [registry],
  })
  return cacheLookups.subscribe(({ cache, isHit }) => lookups.inc({ cache, result: isHit ? 'hit' : 'miss' }))
}

/** Counts the answers of some routes by the code of their problem, or `ok`. */
export const countOutcomes = (
  registry: Registry,
  {
    name,
    help,
    label,
    routes,
  }: { name: string; help: string; label: string; routes: Record<string, string> },
): (() => void) => {
  const outcomes = new Counter({ name, help, labelNames: [label, 'result'], registers: [registry] })
  return answeredRequests.subscribe(({ method, route, status, code }: AnsweredRequest) => {
    const value = routes[`${method} ${route}`]
    if (value) outcomes.inc({ [label]: value, result: code ?? (status < 400 ? 'ok' : 'error') })
  })
}

/**
 * Measures spans of work.
 * @param labelsOf called when the work ends
 */
export const measureSpans = <T extends object>(
  { channel }: Spans<T>,
  durations: Histogram,
  labelsOf: (event: T) => Record<string, string>,
): (() => void) => {
  const started = new WeakMap<T, number>()
  const listeners = {
    start: (event: T) => void started.set(event, performance.now()),
    asyncEnd: (event: T) => {
      const at = started.get(event)
      if (at !== undefined) durations.observe(labelsOf(event), (performance.now() - at) / 1000)
    },
  }
  channel.subscribe(listeners as never)
  return () => void channel.unsubscribe(listeners as never)
}

const addReading = (registry: Registry, failures: Counter, reading: Reading): void => {
  const { source, gauges, everyMs = readEveryMs, withinMs = readWithinMs, read } = reading
  let lastRead = Number.NEGATIVE_INFINITY
  let values: Record<string, GaugeValue> = {}
  let underWay: Promise<void> | undefined
  const refresh = (): Promise<void> => {
    if (performance.now() - lastRead < everyMs) return Promise.resolve()
    underWay ??= withinTime(read(), withinMs)
      .then((found) => {
        values = found
      })
      .catch(() => {
        // A stale value would look current.
        values = {}
        failures.inc({ source })
      })
      .finally(() => {
        lastRead = performance.now()
        underWay = undefined
      })
    return underWay
  }
  for (const { name, help, labelNames = [] } of gauges) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        await refresh()
        this.reset()
        const value = values[name]
        // A gauge without labels would stay at 0.
        if (value === undefined) {
          if (labelNames.length === 0) this.remove()
        } else if (typeof value === 'number') this.set(value)
        else for (const item of value) this.set(item.labels, item.value)
      },
    })
  }
}

import { randomUUID } from 'node:crypto'
import {
  type Attributes,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyBaseLogger } from 'fastify'
import { type CallContext, callContext } from './call-context.ts'
import { databaseStatements, providerCalls, reportQueries, requestBegins, type Spans } from './events.ts'
import { newTrace, type Trace } from './request-ids.ts'
import { withinTime } from './within-time.ts'

/*
 * Sends traces to an OpenTelemetry collector (OTLP over HTTP). Loaded only when an endpoint is
 * configured. Spans contain route patterns, fixed names, and statements with placeholders: no
 * values.
 */

interface TracingOptions {
  service: string
  version: string
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT, without the path of the signal. */
  endpoint: string
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** Milliseconds; an unavailable collector must not delay the stop. */
const longestFlushMs = 3_000

export const startTracing = ({ service, version, endpoint, log }: TracingOptions) => {
  const silent = () => {}
  const report = (message: string) => log.warn({ reason: message.slice(0, 300) }, 'traces could not be sent')
  diag.setLogger(
    { error: report, warn: silent, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.ERROR,
  )
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  const provider = new TracerProvider({
    // The operator's OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME take precedence.
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
    idGenerator: ids,
  })
  const tracer = provider.getTracer('bi-manager', version)
  const ends = [
    traceRequests(tracer),
    traceStatements(tracer),
    traceSpans(tracer, providerCalls, {
      kind: SpanKind.CLIENT,
      nameOf: ({ operation }) => `provider ${operation}`,
      attributesOf: ({ provider: of, operation, outcome }) => ({
        'bimanager.provider': of,
        'bimanager.operation': operation,
        'bimanager.outcome': outcome,
      }),
      hasFailed: ({ outcome = '' }) => !/^[23]/.test(outcome),
    }),
    traceSpans(tracer, reportQueries, {
      kind: SpanKind.INTERNAL,
      nameOf: () => 'report query',
      attributesOf: ({ outcome }) => ({ 'bimanager.outcome': outcome }),
      hasFailed: ({ outcome }) => outcome !== 'ok' && outcome !== 'abandoned',
    }),
  ]
  return {
    close: async () => {
      for (const end of ends) end()
      await withinTime(provider.shutdown().catch(silent), longestFlushMs).catch(() =>
        report('the collector did not take the last ones in time'),
      )
    },
  }
}

const random = new RandomIdGenerator()
/** A request's trace has its id before its span, because the log already contains it. */
let begunTraceId: string | undefined
const ids = {
  generateTraceId: () => begunTraceId ?? random.generateTraceId(),
  generateSpanId: () => random.generateSpanId(),
}

interface SpanStart {
  name: string
  kind: SpanKind
  attributes?: Attributes
  startTime?: number
}

const startSpan = (tracer: Tracer, { traceId, parentId, isSampled }: Trace, start: SpanStart): Span => {
  const { name, ...options } = start
  if (parentId === undefined) {
    begunTraceId = traceId
    const span = tracer.startSpan(name, options, ROOT_CONTEXT)
    begunTraceId = undefined
    return span
  }
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  const parent = { traceId, spanId: parentId, traceFlags, isRemote: true }
  return tracer.startSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent))
}

/** The trace for the work that the span causes. */
const within = (span: Span): Trace => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceId, parentId: spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }
}

const finish = (span: Span, hasFailed: boolean, attributes: Attributes = {}): void => {
  span.setAttributes(attributes)
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

const traceRequests = (tracer: Tracer): (() => void) =>
  requestBegins.subscribe((event) => {
    const { method, route } = event
    const span = startSpan(tracer, event.trace, {
      name: route ? `${method} ${route}` : method,
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, ...(route ? { 'http.route': route } : {}) },
    })
    event.trace = within(span)
    event.end = ({ status, code }) =>
      finish(span, status >= 500, {
        'http.response.status_code': status,
        ...(code ? { 'error.type': code } : {}),
      })
  })

/** Traces statements of requests only: background work would produce a trace every second. */
const traceStatements = (tracer: Tracer): (() => void) =>
  databaseStatements.subscribe(({ sql, seconds, hasFailed }) => {
    const context = callContext.getStore()
    if (!context) return
    const [verb = ''] = sql.trimStart().split(/\s/, 1)
    const span = startSpan(tracer, context.trace, {
      name: verb.toUpperCase(),
      kind: SpanKind.CLIENT,
      startTime: Date.now() - seconds * 1000,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': sql.slice(0, longestStatement) },
    })
    finish(span, hasFailed)
  })

const longestStatement = 2_000

interface SpanShape<T> {
  kind: SpanKind
  nameOf: (event: T) => string
  attributesOf: (event: T) => Attributes
  hasFailed: (event: T) => boolean
}

const traceSpans = <T extends object>(tracer: Tracer, { channel }: Spans<T>, shape: SpanShape<T>) => {
  const open = new WeakMap<T, Span>()
  const enter = (event: T): CallContext => {
    const context = callContext.getStore() ?? { requestId: randomUUID(), trace: newTrace() }
    const span = startSpan(tracer, context.trace, { name: shape.nameOf(event), kind: shape.kind })
    open.set(event, span)
    return { ...context, trace: within(span) }
  }
  const listeners = {
    asyncEnd: (event: T) => {
      const span = open.get(event)
      if (span) finish(span, shape.hasFailed(event), shape.attributesOf(event))
    },
  }
  channel.start.bindStore(callContext as never, enter as never)
  channel.subscribe(listeners as never)
  return () => {
    channel.start.unbindStore(callContext as never)
    channel.unsubscribe(listeners as never)
  }
}

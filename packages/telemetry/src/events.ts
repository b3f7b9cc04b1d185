import { channel, tracingChannel } from 'node:diagnostics_channel'
import type { Trace } from './request-ids.ts'

/*
 * Events of the services about their work. Without a subscriber (metrics and traces off), an event
 * costs one check of a flag. No event contains a value of a person, a record or a token.
 */

export interface AnsweredRequest {
  method: string
  /** The route pattern; null when no route matched. */
  route: string | null
  status: number
  seconds: number
  /** Code of the answered problem. */
  code: string | undefined
}

export interface BegunRequest {
  method: string
  route: string | null
  /** A subscriber that records a span sets it here, as the parent of what the request causes. */
  trace: Trace
  /** Set by that subscriber. */
  end?: (answer: AnsweredRequest) => void
}

interface DatabaseStatement {
  /** The statement, with placeholders for its values. */
  sql: string
  seconds: number
  hasFailed: boolean
}

interface CacheLookup {
  /** A fixed name. */
  cache: string
  isHit: boolean
}

interface RenderedReport {
  loadedSeconds: number
  renderedSeconds: number
}

export interface ProviderCall {
  provider: 'local' | 'microsoft'
  /** A fixed name, as in power-bi-api.ts. */
  operation: string
  /** The status, `timeout` or `unreachable`; set when the call ends. */
  outcome?: string
}

export interface ReportQuery {
  /** Set when the query ends. */
  outcome?: 'ok' | 'timeout' | 'abandoned' | 'error'
}

export const requestBegins = typed<BegunRequest>('request-begin')
export const answeredRequests = typed<AnsweredRequest>('request')
export const databaseStatements = typed<DatabaseStatement>('statement')
export const cacheLookups = typed<CacheLookup>('cache')
export const renderedReports = typed<RenderedReport>('rendered')
export const providerCalls = typedSpan<ProviderCall>('provider-call')
export const reportQueries = typedSpan<ReportQuery>('report-query')

function typed<T>(name: string) {
  const events = channel(`bi-manager:${name}`)
  return {
    publish: (event: T) => events.publish(event),
    /** Whether there is a subscriber; on a hot path, check it before creating the event. */
    isHeard: () => events.hasSubscribers,
    /** @returns ends the subscription */
    subscribe: (listener: (event: T) => void) => {
      const handler = (event: unknown) => listener(event as T)
      events.subscribe(handler)
      return () => void events.unsubscribe(handler)
    },
  }
}

export type Spans<T extends object> = ReturnType<typeof typedSpan<T>>

/**
 * Work with a start and an end. The event is one object, which the work completes while it runs.
 * Node sets `result` and `error` on it, which may be personal data; no subscriber reads them.
 */
function typedSpan<T extends object>(name: string) {
  const channel = tracingChannel<unknown, T>(`bi-manager:${name}`)
  return { trace: <R>(event: T, work: () => Promise<R>) => channel.tracePromise(work, event), channel }
}

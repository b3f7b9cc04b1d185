import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The trace of a request (W3C Trace Context, level 1). */
export interface Trace {
  traceId: string
  /** The parent span; undefined when the trace starts here and no span is recorded. */
  parentId: string | undefined
  isSampled: boolean
}

const wellFormedId = /^[\w.:-]{1,128}$/

/**
 * Returns the request's `x-request-id` if it is well formed, else a new one. Its alphabet has
 * neither spaces nor quotes, so that a caller cannot forge a log line.
 */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id']
  return typeof given === 'string' && wellFormedId.test(given) ? given : randomUUID()
}

const traceparent = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Returns the trace of the request's `traceparent`, or a new one when absent or malformed. */
export const traceOf = ({ headers }: Pick<IncomingMessage, 'headers'>): Trace => {
  const given = headers.traceparent
  const [, version, traceId, parentId, flags, more] =
    (typeof given === 'string' && traceparent.exec(given)) || []
  const isValid =
    traceId !== undefined &&
    version !== 'ff' &&
    !/^0+$/.test(traceId) &&
    !/^0+$/.test(parentId ?? '') &&
    // Version 00 has four fields; later versions may have more.
    (version !== '00' || more === undefined)
  if (!isValid) return newTrace()
  return { traceId, parentId, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 }
}

/** Returns a trace that starts here. */
export const newTrace = (): Trace => ({
  traceId: randomBytes(16).toString('hex'),
  parentId: undefined,
  isSampled: false,
})

/** Returns the header for a call within the trace. */
export const traceparentOf = ({ traceId, parentId, isSampled }: Trace): string =>
  `00-${traceId}-${parentId ?? randomBytes(8).toString('hex')}-${isSampled ? '01' : '00'}`

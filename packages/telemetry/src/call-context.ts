import { AsyncLocalStorage } from 'node:async_hooks'
import { type Trace, traceparentOf } from './request-ids.ts'

/** The request that the running code works for. */
export interface CallContext {
  requestId: string
  trace: Trace
}

export const callContext = new AsyncLocalStorage<CallContext>()

/** Returns headers that let the next service log and trace the request; empty outside of one. */
export const outgoingHeaders = (): Record<string, string> => {
  const context = callContext.getStore()
  if (!context) return {}
  return { 'x-request-id': context.requestId, traceparent: traceparentOf(context.trace) }
}

import { useSyncExternalStore } from 'react'
import { observeServerTime } from '../clock/server-clock.ts'

/** Whether the last attempt reached the server. Every call updates it. */
let reachable = navigator.onLine
const listeners = new Set<() => void>()

export const isReachable = (): boolean => reachable

export const setReachable = (value: boolean): void => {
  if (value === reachable) return
  reachable = value
  for (const listener of listeners) listener()
}

export const subscribeToConnection = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls `listener` each time the server becomes reachable again. */
export const onReconnected = (listener: () => void): (() => void) =>
  subscribeToConnection(() => {
    if (reachable) listener()
  })

export const useReachable = (): boolean => useSyncExternalStore(subscribeToConnection, isReachable)

/** How often the browser has lost its network connection. */
let losses = 0

window.addEventListener('offline', () => {
  losses += 1
  setReachable(false)
})

/**
 * Starts observing a call when it is sent; the returned function
 * takes its response (or undefined) and updates the connection state.
 * A response to a call sent before the network was lost is ignored.
 */
export const observeCall = () => {
  const lossesWhenSent = losses
  return (response: Response | undefined): void => {
    if (!response) setReachable(false)
    else if (losses === lossesWhenSent) setReachable(answersForItself(response))
  }
}

/** Requests a small public resource without a session, so that it does not count as use. */
export const checkConnection = async (): Promise<boolean> => {
  const reportResponse = observeCall()
  try {
    reportResponse(await fetch('/api/portal', { cache: 'no-store' }))
  } catch {
    reportResponse(undefined)
  }
  return reachable
}

/** fetch that updates the connection state. An aborted call does not change it. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const reportResponse = observeCall()
  const sentAt = Date.now()
  try {
    const response = await fetch(input, init)
    reportResponse(response)
    observeServerTime(response.headers.get('date'), sentAt, Date.now())
    return response
  } catch (error) {
    if (error instanceof TypeError) reportResponse(undefined)
    throw error
  }
}

/** A gateway error that is not JSON comes from a proxy whose server is down. */
const answersForItself = (response: Response): boolean =>
  response.status < 502 || (response.headers.get('content-type') ?? '').includes('json')

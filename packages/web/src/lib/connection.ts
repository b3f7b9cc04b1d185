import { useSyncExternalStore } from 'react'
import { clockSkewMs } from './server-clock.ts'

/** Whether the server could be reached at the last attempt. Fed by every call; watched by the notice on top. */
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

/** Calls back each time that the server can be reached again. */
export const onReconnected = (listener: () => void): (() => void) =>
  subscribeToConnection(() => {
    if (reachable) listener()
  })

export const useReachable = (): boolean => useSyncExternalStore(subscribeToConnection, isReachable)

let serverAhead = 0

/** Now (ms) by the server's clock, as its last answer told; people's clocks are sometimes hours off, and are put right. */
export const serverNow = (): number => Date.now() + serverAhead

/** How often the browser has lost its network. */
let losses = 0

window.addEventListener('offline', () => {
  losses += 1
  setReachable(false)
})

/**
 * Begun when a call is sent; told of its response, or of none, it keeps the connection state up to date. A response to what
 * was sent before the network went says nothing of now.
 */
export const watchCall = () => {
  const lossesWhenSent = losses
  return (response: Response | undefined): void => {
    if (!response) setReachable(false)
    else if (losses === lossesWhenSent) setReachable(answersForItself(response))
  }
}

/** Asks the server for something small and public, without a session, so that it does not count as use. */
export const checkConnection = async (): Promise<boolean> => {
  const told = watchCall()
  try {
    told(await fetch('/api/portal', { cache: 'no-store' }))
  } catch {
    told(undefined)
  }
  return reachable
}

/** fetch that keeps the connection state up to date. An aborted call says nothing about the connection. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const told = watchCall()
  const sentAt = Date.now()
  try {
    const response = await fetch(input, init)
    told(response)
    serverAhead = clockSkewMs(response.headers.get('date'), sentAt, Date.now()) ?? serverAhead
    return response
  } catch (error) {
    if (error instanceof TypeError) told(undefined)
    throw error
  }
}

/** A gateway error that is not our JSON comes from a proxy in front of a server that is down. */
const answersForItself = (response: Response): boolean =>
  response.status < 502 || (response.headers.get('content-type') ?? '').includes('json')

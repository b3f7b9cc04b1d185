import { ApiProblem, LIVE_EVENTS, type LiveEvent } from '@bi-manager/contract'
import { createParser } from 'eventsource-parser'
import { openLiveStream } from '../api/api.ts'
import { isReachable, subscribeToConnection } from '../api/connection.ts'
import type { Session } from '../session/session.ts'

/** The server sends something every 20 s; a stream silent for longer than this (ms) is dead. */
const silenceMs = 50_000
/** A first connection opened within this time (ms) has missed nothing since the page's load. */
const promptMs = 2_000
/** A connection that lasted longer than this (ms) does not count as a failure. */
const steadyMs = 10_000
const longestDelayMs = 60_000

interface StreamOptions {
  session: Session
  /** Time (ms) of the page's last full read; later events may have been missed. */
  since: number
  onEvent: (event: LiveEvent) => void
  signal: AbortSignal
}

/**
 * Keeps the stream open until the signal or the session ends, reconnecting after each loss. After a
 * gap it emits one event of each kind, because any may have been missed.
 */
export const maintainStream = async ({ session, since, onEvent, signal }: StreamOptions): Promise<void> => {
  let failures = 0
  let hasConnected = false
  while (!signal.aborted) {
    let retryAfter = 0
    let openedAt = Number.POSITIVE_INFINITY
    const opened = () => {
      openedAt = Date.now()
      if (hasConnected || Date.now() - since > promptMs) for (const event of LIVE_EVENTS) onEvent(event)
      hasConnected = true
    }
    try {
      await readStream({ session, onEvent, signal, opened })
    } catch (error) {
      if (signal.aborted || (error instanceof ApiProblem && error.status === 401)) return
      if (error instanceof ApiProblem) retryAfter = error.retryAfter ?? 0
    }
    failures = Date.now() - openedAt > steadyMs ? 1 : failures + 1
    await untilWorthTrying(retryDelayMs(failures, retryAfter), signal)
  }
}

/** Returns 1, 2, 4 … s up to a minute, plus up to 50 % jitter; at least Retry-After. */
export const retryDelayMs = (failures: number, retryAfterSeconds = 0, random = Math.random()): number =>
  Math.max(Math.min(longestDelayMs, 1_000 * 2 ** (failures - 1)), retryAfterSeconds * 1_000) *
  (1 + random / 2)

const readStream = async ({
  session,
  onEvent,
  signal,
  opened,
}: Pick<StreamOptions, 'session' | 'onEvent' | 'signal'> & { opened: () => void }): Promise<void> => {
  const cut = new AbortController()
  let heardAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = () => {
    heardAt = Date.now()
    clearTimeout(timer)
    timer = setTimeout(() => cut.abort(), silenceMs)
  }
  const end = new AbortController()
  // Timers pause while the computer sleeps, so the time is also checked when the tab returns.
  onComeback(() => Date.now() - heardAt > silenceMs && cut.abort(), end.signal)
  try {
    listen()
    const body = await openLiveStream(session, AbortSignal.any([signal, cut.signal]))
    opened()
    const decoder = new TextDecoder()
    const parser = createParser({
      onEvent: ({ event: name }) => {
        const event = LIVE_EVENTS.find((known) => known === name)
        if (event) onEvent(event)
      },
    })
    const reader = body.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      listen()
      parser.feed(decoder.decode(piece.value, { stream: true }))
    }
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

/** Waits for the delay; less if network or tab return, more while the server is unreachable. */
const untilWorthTrying = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const waiting = new AbortController()
    const end = AbortSignal.any([signal, waiting.signal])
    if (end.aborted) return resolve()
    // ConnectionNotice polls the server and notifies us: polling here would only fill the console.
    const tryNow = () => isReachable() && waiting.abort()
    const timer = setTimeout(tryNow, delayMs)
    const forgetConnection = subscribeToConnection(tryNow)
    onComeback(tryNow, end)
    end.addEventListener('abort', () => {
      clearTimeout(timer)
      forgetConnection()
      resolve()
    })
  })

/** Calls `listener` when the network or the tab returns, until the signal is aborted. */
const onComeback = (listener: () => void, signal: AbortSignal): void => {
  const onVisible = () => document.visibilityState === 'visible' && listener()
  window.addEventListener('online', listener, { signal })
  document.addEventListener('visibilitychange', onVisible, { signal })
}

import type { LiveEvent } from '@bi-manager/contract'
import type { Session } from '../session/session.ts'
import { maintainStream } from './live-stream.ts'

/** Name of the lock and the channel. */
const NAME = 'bi-manager.eventos'

/** A stream holder that does not answer within this time (ms) is asleep. */
const answerMs = 3_000

/** Interval (ms) at which a waiting tab checks that the holder answers. */
const lookMs = 60_000

/** A message between tabs: an event of the stream, or the holder check and its answer. */
type TabMessage = { event: LiveEvent } | { ask: 'quem' | 'eu' }

type LiveListener = (event: LiveEvent) => void
const listeners = new Set<LiveListener>()

/** Calls `listener` for each live event from any tab's stream, while `followLive` runs. */
export const onLiveEvent = (listener: LiveListener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls `listener` each time the person's access may have changed. */
export const onAccessChange = (listener: () => void): (() => void) =>
  onLiveEvent((event) => {
    if (event === 'acesso') listener()
  })

const announce = (event: LiveEvent) => {
  for (const listener of listeners) listener(event)
}

/**
 * Receives the server's live events for this session until the returned function is called. The
 * tabs of a browser share one stream: over HTTP/1.1 a host gets six connections, so a seventh tab
 * with its own stream would starve. Without Web Locks (they need https) each tab opens its own.
 */
export const followLive = (session: Session): (() => void) => {
  const life = new AbortController()
  const since = Date.now()
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    void maintainStream({ session, since, onEvent: announce, signal: life.signal })
    return () => life.abort()
  }
  const tabs = new BroadcastChannel(NAME)
  const post = (message: TabMessage) => tabs.postMessage(message)
  const shareEvent: LiveListener = (event) => {
    announce(event)
    post({ event })
  }
  const turn = takeTurns({
    signal: life.signal,
    hold: (signal) => maintainStream({ session, since, onEvent: shareEvent, signal }),
    ask: () => post({ ask: 'quem' }),
  })
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if ('event' in data) announce(data.event)
    else if (data.ask === 'eu') turn.holderAnswered()
    else if (turn.isHolder()) post({ ask: 'eu' })
  }
  turn.look()
  return () => {
    life.abort()
    tabs.close()
  }
}

interface Turns {
  /** Aborted when this tab no longer needs the stream. */
  signal: AbortSignal
  /** Work of the lock holder, until its signal is aborted. */
  hold: (signal: AbortSignal) => Promise<void>
  /** Asks the lock holder to answer. */
  ask: () => void
}

/**
 * Waits for the lock and holds it. A visible tab checks on appearing
 * and at intervals that the holder answers; if not, it steals the
 * lock (phones suspend hidden tabs together with their locks).
 */
const takeTurns = ({ signal, hold, ask }: Turns) => {
  let isHolding = false
  /** A browser may refuse locks to a page. */
  let isRefused = false
  let waiting = new AbortController()
  let alarm: ReturnType<typeof setTimeout> | undefined

  const queue = async (steal: boolean): Promise<void> => {
    waiting = new AbortController()
    const turn = new AbortController()
    /** Whether this request was granted; by then another of this tab may hold the lock. */
    let isGranted = false
    const until = AbortSignal.any([signal, turn.signal])
    const options = steal ? { steal } : { signal: AbortSignal.any([signal, waiting.signal]) }
    try {
      await navigator.locks.request(NAME, options, async () => {
        isGranted = true
        isHolding = true
        await hold(until)
      })
    } catch (error) {
      turn.abort()
      if (isGranted) isHolding = false
      if (!(error instanceof DOMException && error.name === 'AbortError')) {
        isRefused = true
        return hold(signal)
      }
      if (isGranted && !signal.aborted) return queue(false)
      return
    }
    isHolding = false
  }

  const look = () => {
    if (document.visibilityState !== 'visible' || isHolding || isRefused) return
    clearTimeout(alarm)
    alarm = setTimeout(() => {
      if (isHolding || isRefused || signal.aborted) return
      waiting.abort()
      void queue(true)
    }, answerMs)
    ask()
  }

  document.addEventListener('visibilitychange', look)
  const rounds = setInterval(look, lookMs)
  signal.addEventListener('abort', () => {
    clearTimeout(alarm)
    clearInterval(rounds)
    document.removeEventListener('visibilitychange', look)
  })
  void queue(false)
  return { isHolder: () => isHolding, holderAnswered: () => clearTimeout(alarm), look }
}

import type { LiveEvent } from '@bi-manager/contract'
import { keepStream } from './live-stream.ts'
import type { Session } from './session.ts'

/** Name of the lock and of the channel. */
const NAME = 'bi-manager.eventos'

/** A tab that holds the stream answers another within this time, or is asleep. */
const answerMs = 3_000

/** So often a waiting tab makes sure that somebody holds the stream. */
const lookMs = 60_000

/** What the tabs tell each other: an event of the stream, or whether somebody holds it. */
type TabMessage = { event: LiveEvent } | { ask: 'quem' | 'eu' }

type LiveListener = (event: LiveEvent) => void
const listeners = new Set<LiveListener>()

/** Calls back at each live event, whatever tab it came through, while `followLive` runs. */
export const onLiveEvent = (listener: LiveListener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const announce = (event: LiveEvent) => {
  for (const listener of listeners) listener(event)
}

/**
 * Hears the server's live events for this session until the answered function is called. All tabs of the browser share
 * one stream: over HTTP/1.1 a host gets six connections, so that with a stream for each tab the seventh would starve.
 * Where tabs cannot agree (Web Locks want https), each has its own.
 */
export const followLive = (session: Session): (() => void) => {
  const life = new AbortController()
  const since = Date.now()
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    void keepStream({ session, since, onEvent: announce, signal: life.signal })
    return () => life.abort()
  }
  const tabs = new BroadcastChannel(NAME)
  const post = (message: TabMessage) => tabs.postMessage(message)
  const tell: LiveListener = (event) => {
    announce(event)
    post({ event })
  }
  const turn = takeTurns({
    signal: life.signal,
    hold: (signal) => keepStream({ session, since, onEvent: tell, signal }),
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
  /** Aborted when this tab needs the stream no more. */
  signal: AbortSignal
  /** What the one tab does whose turn it is, until its signal is aborted. */
  hold: (signal: AbortSignal) => Promise<void>
  /** Asks the tab whose turn it is for a sign of life. */
  ask: () => void
}

/**
 * Waits for the lock and holds it. A tab in front looks, when it comes and now and then, whether the holder gives a sign of
 * life; one that gets none (a phone puts hidden tabs to sleep, locks and all) takes the lock away from it.
 */
const takeTurns = ({ signal, hold, ask }: Turns) => {
  let isHolding = false
  /** A browser may refuse its locks to a page. */
  let isRefused = false
  let waiting = new AbortController()
  let alarm: ReturnType<typeof setTimeout> | undefined

  const queue = async (steal: boolean): Promise<void> => {
    waiting = new AbortController()
    const turn = new AbortController()
    /** This very request was granted; another one of this tab may be by the time it fails. */
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

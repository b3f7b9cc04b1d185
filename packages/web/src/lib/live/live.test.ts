import { LIVE_EVENTS } from '@bi-manager/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession, type Session, startSession } from '../session/session.ts'
import { followLive, onLiveEvent } from './live.ts'
import { retryDelayMs } from './live-stream.ts'

/** The server's end of a stream opened by the test. */
interface Served {
  headers: Headers
  say: (text: string) => void
  end: () => void
  isCut: () => boolean
}
let served: Served[] = []
let answer: () => Response | undefined

/** Web Locks as the browser grants them: one holder, the others wait in turn. */
const locks = () => {
  let tail = Promise.resolve()
  return {
    request: (_: string, { signal }: { signal?: AbortSignal }, work: () => Promise<void>) => {
      const before = tail
      let release: () => void = () => undefined
      tail = new Promise<void>((resolve) => {
        release = resolve
      })
      const granted = before.then(async () => {
        if (signal?.aborted) throw new DOMException('gave up', 'AbortError')
        await work()
      })
      return granted.finally(release)
    },
  }
}

/** The same, with stealing: the previous holder's request then fails. */
const stealableLocks = () => {
  interface Request {
    work: () => Promise<void>
    resolve: () => void
    reject: (reason: unknown) => void
  }
  let holder: Request | undefined
  let queue: Request[] = []
  const next = () => {
    if (!holder && queue[0]) grant(queue[0])
  }
  const grant = (request: Request) => {
    queue = queue.filter((one) => one !== request)
    holder = request
    const end = (settleIt: () => void) => {
      if (holder !== request) return
      holder = undefined
      settleIt()
      next()
    }
    request.work().then(
      () => end(request.resolve),
      (reason) => end(() => request.reject(reason)),
    )
  }
  return {
    request: (
      _: string,
      { signal, steal }: { signal?: AbortSignal; steal?: boolean },
      work: () => Promise<void>,
    ) =>
      new Promise<void>((resolve, reject) => {
        const request = { work, resolve, reject }
        signal?.addEventListener('abort', () => {
          if (!queue.includes(request)) return
          queue = queue.filter((one) => one !== request)
          reject(new DOMException('gave up', 'AbortError'))
        })
        if (steal) {
          holder?.reject(new DOMException('stolen', 'AbortError'))
          grant(request)
        } else {
          queue.push(request)
          next()
        }
      }),
  }
}

const withLocks = (value: object) => Object.create(navigator, { locks: { value } })

class Channel {
  static open = new Set<Channel>()
  onmessage: ((event: { data: unknown }) => void) | null = null
  constructor() {
    Channel.open.add(this)
  }
  postMessage(data: unknown) {
    for (const other of Channel.open) if (other !== this) other.onmessage?.({ data })
  }
  close() {
    Channel.open.delete(this)
  }
}

const session = (): Session => {
  startSession(signedInUntil(Date.now() + 60 * 60_000))
  const current = currentSession()
  if (!current) throw new Error('no session')
  return current
}
const settle = () => vi.advanceTimersByTimeAsync(1)

let heard: string[]
let stops: (() => void)[]
beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  served = []
  heard = []
  answer = () => undefined
  stops = [onLiveEvent((event) => heard.push(event))]
  vi.stubGlobal('fetch', async (_: string, { headers, signal }: RequestInit) => {
    const refusal = answer()
    if (refusal) return refusal
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const writer = body.writable.getWriter()
    let isCut = false
    signal?.addEventListener('abort', () => {
      isCut = true
      writer.abort(signal.reason).catch(() => undefined)
    })
    served.push({
      headers: new Headers(headers),
      say: (text) => void writer.write(new TextEncoder().encode(text)),
      end: () => void writer.close(),
      isCut: () => isCut,
    })
    return new Response(body.readable, { headers: { 'content-type': 'text/event-stream' } })
  })
})
afterEach(() => {
  for (const stop of stops) stop()
  Channel.open.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const follow = async () => {
  const stop = followLive(session())
  stops.push(stop)
  await settle()
  return stop
}
const stream = (index: number): Served => {
  const one = served[index]
  if (!one) throw new Error(`no stream ${index}`)
  return one
}
const event = 'event: acesso\ndata: {}\n\n'

describe('followLive in a single tab', () => {
  beforeEach(() => vi.stubGlobal('BroadcastChannel', undefined))

  test('followLive in a single tab opens its own stream in the background and emits its events', async () => {
    await follow()
    expect(served).toHaveLength(1)
    expect(stream(0).headers.get('x-segundo-plano')).toBe('1')
    expect(stream(0).headers.get('authorization')).toMatch(/^Bearer /)
    stream(0).say(`: aberto\n\n${event}event: outro\ndata: {}\n\n`)
    await settle()
    expect(heard).toEqual(['acesso'])
  })

  test('followLive in a single tab reads a stream that arrives one byte at a time, with either line end', async () => {
    await follow()
    for (const byte of `: aberto\n\n${event}:\n\n${event.replaceAll('\n', '\r\n')}`) stream(0).say(byte)
    await settle()
    expect(heard).toEqual(['acesso', 'acesso'])
  })

  test('followLive in a single tab reconnects after a loss and emits every event once', async () => {
    await follow()
    stream(0).end()
    await settle()
    expect(served).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(served).toHaveLength(2)
    expect(heard).toEqual([...LIVE_EVENTS])
  })

  test('followLive in a single tab reconnects at once when the tab becomes visible', async () => {
    await follow()
    for (let count = 0; count < 5; count++) {
      served.at(-1)?.end()
      await vi.advanceTimersByTimeAsync(20_000)
    }
    served.at(-1)?.end()
    await settle()
    const before = served.length
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(served).toHaveLength(before + 1)
  })

  test('followLive in a single tab aborts a stream that has fallen silent', async () => {
    await follow()
    await vi.advanceTimersByTimeAsync(49_000)
    stream(0).say(':\n\n')
    await vi.advanceTimersByTimeAsync(49_000)
    expect(stream(0).isCut()).toBe(false)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(stream(0).isCut()).toBe(true)
    expect(served).toHaveLength(2)
  })

  test('followLive in a single tab stops when the caller stops it, and after a 401 ends the session', async () => {
    const stop = await follow()
    stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect([stream(0).isCut(), served.length]).toEqual([true, 1])

    answer = () => Response.json({}, { status: 401 })
    await follow()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(served).toHaveLength(1)
    expect(currentSession()).toBeUndefined()
  })

  test("followLive in a single tab waits for the server's Retry-After", async () => {
    answer = () => Response.json({}, { status: 429, headers: { 'retry-after': '60' } })
    await follow()
    answer = () => undefined
    await vi.advanceTimersByTimeAsync(59_000)
    expect(served).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(served).toHaveLength(1)
  })
})

describe('followLive in several tabs of one browser', () => {
  beforeEach(() => {
    vi.stubGlobal('BroadcastChannel', Channel)
    vi.stubGlobal('navigator', withLocks(locks()))
  })

  test('followLive in several tabs of one browser shares one stream, which the next tab takes over without missing events', async () => {
    const leave = await follow()
    await follow()
    await follow()
    expect(served).toHaveLength(1)
    stream(0).say(event)
    await settle()
    // All three tabs run in one window here: each event reaches the listener once per tab.
    expect(heard).toEqual(['acesso', 'acesso', 'acesso'])
    heard = []
    await vi.advanceTimersByTimeAsync(10_000)
    leave()
    await settle()
    expect(served).toHaveLength(2)
    expect(heard.length).toBeGreaterThan(0)
  })

  test('followLive in several tabs of one browser steals the lock of a sleeping tab, which queues again when it wakes up', async () => {
    vi.stubGlobal('navigator', withLocks(stealableLocks()))
    await follow()
    const [asleep] = Channel.open
    if (!asleep) throw new Error('no channel')
    const awake = asleep.onmessage
    asleep.onmessage = null

    const leave = await follow()
    expect(served).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(3_000)
    expect([served.length, stream(0).isCut(), stream(1).isCut()]).toEqual([2, true, false])

    asleep.onmessage = awake
    await vi.advanceTimersByTimeAsync(120_000)
    leave()
    await settle()
    expect([served.at(-1)?.isCut(), served.filter(({ isCut }) => !isCut()).length]).toEqual([false, 1])
  })

  test('a waiting tab detects a sleeping holder within about a minute', async () => {
    vi.stubGlobal('navigator', withLocks(stealableLocks()))
    await follow()
    await follow()
    await vi.advanceTimersByTimeAsync(10_000)
    const [asleep] = Channel.open
    if (asleep) asleep.onmessage = null
    const isTaken = () => stream(0).isCut()
    expect(isTaken()).toBe(false)
    await vi.advanceTimersByTimeAsync(55_000)
    expect(isTaken()).toBe(true)
  })

  test('followLive in several tabs of one browser opens a stream for each tab when locks are refused', async () => {
    const refused = { request: () => Promise.reject(new DOMException('no', 'SecurityError')) }
    vi.stubGlobal('navigator', withLocks(refused))
    await follow()
    await follow()
    expect(served).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(20_000)
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(served).toHaveLength(2)
  })
})

test('retryDelayMs grows to a minute with 50 % jitter and respects Retry-After', () => {
  expect([1, 2, 3, 10].map((failures) => retryDelayMs(failures, 0, 0))).toEqual([1_000, 2_000, 4_000, 60_000])
  expect(retryDelayMs(1, 0, 0.999)).toBeCloseTo(1_500, -1)
  expect(retryDelayMs(1, 60, 0)).toBe(60_000)
})

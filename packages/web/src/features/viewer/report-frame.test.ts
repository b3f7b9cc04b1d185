// @vitest-environment happy-dom
import type { EmbeddedReport } from '@bi-manager/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BiService } from './bi-service.ts'
import { type FrameListeners, ReportFrame } from './report-frame.ts'

const origin = 'http://localhost:4501'
const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

const embedded: EmbeddedReport = {
  embedToken: 'token',
  embedUrl: `${origin}/reportEmbed`,
  reportId: '33333333-aaaa-4333-8333-333333333333',
  pageName: null,
  expiration: new Date().toISOString(),
  idRelatorio: 7,
  nomeRelatorio: 'Internações',
  nomeGrupo: 'Custos',
  operadoraRelatorio: '',
  filtros: [],
}

let frame: ReportFrame
let element: HTMLElement
beforeEach(() => {
  // Not in the document, or happy-dom would look for the page behind the frame.
  const place = document.createElement('div')
  frame = new ReportFrame(new BiService(origin), place)
  element = place.firstElementChild as HTMLElement
  vi.spyOn(console, 'log').mockReturnValue(undefined)
})

/** What the frame's page would say. */
const say = (event: string, detail: unknown = {}) => element.dispatchEvent(new CustomEvent(event, { detail }))

const open = async () => {
  const heard: string[] = []
  const life = new AbortController()
  const listeners = new Proxy({} as FrameListeners, { get: (_, event) => () => heard.push(String(event)) })
  // The client wants 100 ms between two loads; the frame waits for that itself.
  await frame.open(embedded, { drawLater: false, signal: life.signal }, listeners)
  return { heard, close: () => life.abort() }
}

describe('what a frame tells', () => {
  test('before it has the load is of the report that it showed before', async () => {
    const { heard } = await open()
    say('error', { message: 'TokenExpired' })
    say('rendered')
    expect(heard).toEqual([])
    say('answered')
    say('error', { message: 'LoadReportFailed' })
    say('loaded')
    say('rendered')
    expect(heard).toEqual(['onError', 'onLoaded', 'onRendered'])
  })

  test('is heard until its report is closed', async () => {
    const { heard, close } = await open()
    say('answered')
    say('loaded')
    close()
    say('rendered')
    expect(heard).toEqual(['onLoaded'])
  })

  test('of the next report is heard also when the one before is closed after it has begun', async () => {
    const first = await open()
    say('answered')
    say('loaded')
    const second = await open()
    first.close()
    say('answered')
    say('loaded')
    expect(first.heard).toEqual(['onLoaded'])
    expect(second.heard).toEqual(['onLoaded'])
  })
})

test('a report is being drawn from its opening until it is rendered, and again when it is drawn anew', async () => {
  const drawing = []
  drawing.push(frame.isDrawing)
  await open()
  drawing.push(frame.isDrawing)
  for (const event of ['answered', 'loaded', 'renderingStarted', 'rendered', 'renderingStarted']) {
    say(event)
    drawing.push(frame.isDrawing)
  }
  expect(drawing).toEqual([false, true, true, true, true, false, true])
})

test('has the next report fetched while nothing else is on its way', async () => {
  const prefetch = vi.spyOn(BiService.prototype, 'prefetch').mockReturnValue(undefined)
  const next = { ...embedded, reportId: '33333333-aaaa-4333-8333-333333333334', pageName: 'perfil' }
  frame.prefetch(next)
  say('ready')
  await open()
  frame.prefetch(next)
  for (const event of ['answered', 'loaded', 'renderingStarted']) say(event)
  frame.prefetch(next)
  expect(prefetch).not.toHaveBeenCalled()
  say('rendered')
  frame.prefetch(next)
  expect(prefetch).toHaveBeenCalledTimes(1)
  expect(prefetch.mock.lastCall?.[1]).toMatchObject({
    id: next.reportId,
    pageName: 'perfil',
    accessToken: 'token',
  })
})

describe('fifty reports, one after the other, leave nothing behind', () => {
  const rounds = 50
  let bi: BiService
  let place: HTMLElement

  /** Handlers and routes of the client, and listeners on what outlives a report. */
  const held = () => {
    const { wpmp, router, embeds } = bi as unknown as {
      wpmp: { handlers: unknown[] }
      router: { postRouteRecognizer: { rootState: RouteState } }
      embeds: { eventHandlers: unknown[] }[]
    }
    return {
      handlers: wpmp.handlers.length,
      routes: statesFrom(router.postRouteRecognizer.rootState),
      embeds: embeds.length,
      events: embeds.flatMap(({ eventHandlers }) => eventHandlers).length,
      listeners: listeners(),
      frames: place.querySelectorAll('iframe').length,
    }
  }
  let listeners: () => number

  beforeEach(() => {
    vi.useFakeTimers()
    listeners = countListeners()
    bi = new BiService(origin)
    place = document.createElement('div')
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const show = async (own: ReportFrame, round: number) => {
    const life = new AbortController()
    const reportId = `33333333-aaaa-4333-8333-${String(round).padStart(12, '0')}`
    const opened = own.open(
      { ...embedded, reportId },
      { drawLater: false, signal: life.signal },
      new Proxy({} as FrameListeners, { get: () => () => undefined }),
    )
    await vi.advanceTimersByTimeAsync(200)
    await opened
    for (const event of ['answered', 'loaded', 'rendered'])
      place.firstElementChild?.dispatchEvent(new CustomEvent(event))
    return life
  }

  test('in one frame', async () => {
    const own = new ReportFrame(bi, place)
    let life = await show(own, 0)
    const after = held()
    expect(after).toMatchObject({ embeds: 1, frames: 1 })
    for (let round = 1; round <= rounds; round += 1) {
      const next = await show(own, round)
      life.abort()
      life = next
    }
    expect(held()).toEqual(after)
  })

  test('in a frame each', async () => {
    const showAndDrop = async (round: number) => {
      const own = new ReportFrame(bi, place)
      const life = await show(own, round)
      life.abort()
      own.drop()
    }
    const { handlers } = held()
    await showAndDrop(0)
    // The client keeps one route for the one id that all reports have.
    const after = held()
    expect(after).toMatchObject({ handlers, embeds: 0, events: 0, frames: 0 })
    for (let round = 1; round <= rounds; round += 1) await showAndDrop(round)
    expect(held()).toEqual(after)
  })
})

/** A character of an address that the client's router knows. */
interface RouteState {
  nextStates: RouteState[]
}
const statesFrom = (root: RouteState): number => {
  const states = new Set([root])
  // A set that grows is walked to its new end.
  for (const { nextStates } of states) for (const next of nextStates) states.add(next)
  return states.size
}

/** How many listeners the window, the document and all elements have got and kept from now on. */
const countListeners = () => {
  const kept = new Map<EventTarget, Set<string>>()
  const ids = new Map<unknown, number>()
  const idOf = (listener: unknown) => ids.get(listener) ?? ids.set(listener, ids.size).size - 1
  for (const prototype of [window.EventTarget.prototype, window]) {
    const { addEventListener, removeEventListener } = prototype
    vi.spyOn(prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...args) {
      const own = kept.get(this) ?? new Set()
      kept.set(this, own.add(`${args[0]} ${idOf(args[1])}`))
      addEventListener.apply(this, args)
    })
    vi.spyOn(prototype, 'removeEventListener').mockImplementation(function (this: EventTarget, ...args) {
      kept.get(this)?.delete(`${args[0]} ${idOf(args[1])}`)
      removeEventListener.apply(this, args)
    })
  }
  return () => [...kept.values()].reduce((sum, own) => sum + own.size, 0)
}

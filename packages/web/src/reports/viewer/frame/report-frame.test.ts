import type { EmbeddedReport } from '@bi-manager/contract'
import { models } from 'powerbi-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { embeddedReport } from '../../../../test/embedded-report.ts'
import { BiService } from './bi-service.ts'
import { type FrameListeners, ReportFrame } from './report-frame.ts'

const origin = 'http://localhost:4501'
const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

const embedded = embeddedReport({ nomeRelatorio: 'Internações' })

let frame: ReportFrame
let element: HTMLElement
beforeEach(() => {
  // Detached, because happy-dom would fetch the page of an attached frame.
  const place = document.createElement('div')
  frame = new ReportFrame(new BiService(origin), place)
  element = place.firstElementChild as HTMLElement
  vi.spyOn(console, 'log').mockReturnValue(undefined)
})

/** Emits an event as the frame's page would. */
const say = (event: string, detail: unknown = {}) => element.dispatchEvent(new CustomEvent(event, { detail }))

const open = async () => {
  const heard: string[] = []
  const life = new AbortController()
  const listeners = new Proxy({} as FrameListeners, { get: (_, event) => () => heard.push(String(event)) })
  // The client needs 100 ms between two loads; the frame waits for that itself.
  await frame.open(embedded, { drawLater: false, signal: life.signal }, listeners)
  return { heard, close: () => life.abort() }
}

describe('events of a frame', () => {
  test('events of a frame are ignored until the load is answered: they belong to the previous report', async () => {
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

  test('events of a frame are passed on until the report is closed', async () => {
    const { heard, close } = await open()
    say('answered')
    say('loaded')
    close()
    say('rendered')
    expect(heard).toEqual(['onLoaded'])
  })

  test('events of a frame of the next report are passed on when the previous one is closed after its start', async () => {
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

describe('a paginated report', () => {
  const paginated: EmbeddedReport = {
    ...embedded,
    embedUrl: `${origin}/rdlEmbed?reportId=1`,
    tipoRelatorio: 'PAGINADO',
    parametros: [
      { nome: 'Cidade', valor: 'Curitiba' },
      { nome: 'Cidade', valor: 'Londrina' },
    ],
    painelParametros: false,
  }
  const openPaginated = async () => {
    const heard: string[] = []
    const life = new AbortController()
    const listeners = new Proxy({} as FrameListeners, { get: (_, event) => () => heard.push(String(event)) })
    await frame.open(paginated, { drawLater: false, signal: life.signal }, listeners)
    return { heard, close: () => life.abort() }
  }
  /** On the place of the frame: the client, in whose frame no page runs, must not hear it. */
  const loadPage = () => element.dispatchEvent(new Event('load'))

  test('a paginated report is embedded with its parameters in a page of its own, as the client’s validator wants it', async () => {
    const embed = vi.spyOn(BiService.prototype, 'embed')
    await open()
    const earlier = element.querySelector('iframe')
    await openPaginated()
    expect(element.querySelectorAll('iframe')).toHaveLength(1)
    const own = element.querySelector('iframe')
    expect(own).not.toBe(earlier)
    expect(own?.src).toMatch(`${origin}/rdlEmbed?reportId=1&uid=`)
    const { uniqueId: _, ...config } = embed.mock.lastCall?.[1] ?? {}
    expect(config).toEqual({
      type: 'report',
      id: paginated.reportId,
      embedUrl: paginated.embedUrl,
      accessToken: 'token',
      tokenType: models.TokenType.Embed,
      parameterValues: [
        { name: 'Cidade', value: 'Curitiba' },
        { name: 'Cidade', value: 'Londrina' },
      ],
      settings: { commands: { parameterPanel: { enabled: false, expanded: false } } },
    })
    expect(models.validatePaginatedReportLoad(config)).toBeUndefined()
    await open()
    expect(element.querySelector('iframe')).not.toBe(own)
  })

  test('a paginated report counts as loaded and drawn once its page accepts it, without an event', async () => {
    const { heard } = await openPaginated()
    expect([heard, frame.isDrawing]).toEqual([[], true])
    say('answered')
    say('accepted')
    expect([heard, frame.isDrawing]).toEqual([['onLoaded', 'onRendered'], false])
    say('accepted')
    expect(heard).toHaveLength(2)
  })

  test('a paginated report is shown when its page has loaded and does not answer', async () => {
    vi.useFakeTimers()
    const { heard } = await openPaginated()
    loadPage()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(heard).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(heard).toEqual(['onLoaded', 'onRendered'])
    vi.useRealTimers()
  })

  test('a paginated report is not shown when its page refuses it, or once it is closed', async () => {
    vi.useFakeTimers()
    const refused = await openPaginated()
    loadPage()
    say('answered')
    say('error', { message: 'LoadReportFailed' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(refused.heard).toEqual(['onError'])
    const closed = await openPaginated()
    loadPage()
    closed.close()
    say('accepted')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(closed.heard).toEqual([])
    vi.useRealTimers()
  })
})

test('isDrawing is true from opening until rendered, and again during a redraw', async () => {
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

test('the report frame prefetches the next report only while the frame is idle', async () => {
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

describe('fifty reports in sequence leak no handlers, routes or listeners', () => {
  const rounds = 50
  let bi: BiService
  let place: HTMLElement

  /** Counts the client's handlers and routes, and listeners on objects that outlive a report. */
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

  test('fifty reports in sequence leak no handlers, routes or listeners when they share one frame', async () => {
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

  test('fifty reports in sequence leak no handlers, routes or listeners when each has its own frame', async () => {
    const showAndDrop = async (round: number) => {
      const own = new ReportFrame(bi, place)
      const life = await show(own, round)
      life.abort()
      own.drop()
    }
    const { handlers } = held()
    await showAndDrop(0)
    // The client keeps one route, because all reports share one uniqueId.
    const after = held()
    expect(after).toMatchObject({ handlers, embeds: 0, events: 0, frames: 0 })
    for (let round = 1; round <= rounds; round += 1) await showAndDrop(round)
    expect(held()).toEqual(after)
  })
})

/** A node in the client's route recogniser: one character of a known route. */
interface RouteState {
  nextStates: RouteState[]
}
const statesFrom = (root: RouteState): number => {
  const states = new Set([root])
  // The loop also visits the elements added during iteration.
  for (const { nextStates } of states) for (const next of nextStates) states.add(next)
  return states.size
}

/** Returns a function that counts the listeners added from now on and not removed. */
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

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PageData } from '../../wire/embed-contract.ts'
import { reportRoutes } from '../host/report-routes.ts'
import { createRouter } from '../host/router.ts'
import { problem } from '../state/problem.ts'
import { answerOf } from '../test/answer-of.ts'
import { filterOn, report, settle, watchedView } from '../test/session-fixture.ts'
import type { DataApi } from './data-api.ts'
import { createReportSession } from './report-session.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A frame with a fake server that records calls; `hold` leaves row requests unanswered. */
const frame = () => {
  const asked: string[] = []
  const signals: AbortSignal[] = []
  const server = { fail: false, hold: false, release: () => {} }
  const api: DataApi = {
    report: async (id, token, signal) => {
      asked.push(`report ${id} ${token}`)
      if (signal) signals.push(signal)
      if (server.fail) throw problem(502, 'ServiceUnavailable', 'Fora do ar.')
      return { ...report, id, expiresAt: Date.now() + 3_600_000 }
    },
    pageData: async (id, token, { page, filters }, signal): Promise<PageData> => {
      asked.push(`rows ${id} ${token} ${page} ${filters.length}`)
      signals.push(signal)
      if (server.hold)
        await new Promise<void>((resolve) => {
          server.release = resolve
        })
      if (signal.aborted) throw signal.reason
      const rows = answerOf({ columns: ['n'], rows: [[1]], truncated: false })
      return { visuals: { custo: rows, vidas: rows, idade: rows }, failures: {} }
    },
    values: async () => ({ values: [], kind: 'text', truncated: false }),
    emptyReasons: async () => ({ reasons: {} }),
  }
  const events: string[] = []
  const view = watchedView()
  const session = createReportSession(api, view, (event) => events.push(event))
  const route = createRouter(reportRoutes(session, () => {}))
  const send = (url: string, body: unknown) => route({ method: 'POST', url, headers: {}, body })
  const naming = (id: string, accessToken: string, options: object) => ({ id, accessToken, ...options })
  return {
    server,
    signals,
    view,
    send,
    prefetch: (id = 'r1', token = 'a', options = {}) => send('/report/prefetch', naming(id, token, options)),
    load: (id = 'r1', token = 'a', options = {}) => send('/report/load', naming(id, token, options)),
    asked: () => asked.splice(0),
    events: () => events.splice(0),
  }
}

describe('POST /report/prefetch', () => {
  test('POST /report/prefetch returns 202 at once, emits no event, and only draws out of sight', async () => {
    const { prefetch, asked, events, view } = frame()
    expect(await prefetch()).toEqual({ status: 202, body: {} })
    await settle()
    expect(asked()).toEqual(['report r1 a', 'rows r1 a geral 1'])
    expect(events()).toEqual([])
    const { drawAhead, ...shown } = view
    expect(drawAhead).toHaveBeenCalledOnce()
    for (const show of Object.values(shown)) expect(show).not.toHaveBeenCalled()
  })

  test('POST /report/prefetch shows the report from the prefetched rows', async () => {
    const { prefetch, load, view } = frame()
    await prefetch()
    await settle()
    await load()
    await settle()
    const [ahead, opened] = [view.drawAhead.mock.calls[0], view.drawPage.mock.calls[0]]
    expect(Object.keys(opened?.[1] ?? {})).toEqual(['custo', 'vidas', 'idade'])
    for (const [name, data] of Object.entries(opened?.[1] ?? {})) expect(data).toBe(ahead?.[1][name])
    expect(ahead?.[0].report).toBe(opened?.[0].report)
  })

  test.each<[string, (own: ReturnType<typeof frame>) => unknown]>([
    ['another report is prefetched', ({ prefetch }) => prefetch('r2')],
    ['another report is loaded', ({ load }) => load('r2')],
    ['ten seconds have passed', () => settle(10_001)],
  ])('POST /report/prefetch discards the hidden drawing when %s', async (_when, happens) => {
    const own = frame()
    await own.prefetch()
    await settle()
    const [, , signal] = own.view.drawAhead.mock.calls[0] ?? expect.fail('nothing was drawn')
    expect(signal.aborted).toBe(false)
    await happens(own)
    expect(signal.aborted).toBe(true)
  })

  test('POST /report/prefetch does not draw a prefetch that was dropped before its rows arrived', async () => {
    const { prefetch, server, view } = frame()
    server.hold = true
    await prefetch()
    await settle()
    const { release } = server
    server.hold = false
    await prefetch('r2')
    release()
    await settle()
    expect(view.drawAhead.mock.calls.map(([state]) => state.report.id)).toEqual(['r2'])
  })

  test('POST /report/prefetch serves only the next load', async () => {
    const { prefetch, load, send, asked, events, view } = frame()
    await prefetch()
    await settle()
    asked()
    await load()
    await settle()
    expect(asked()).toEqual([])
    expect(events()).toEqual(['loaded', 'renderingStarted', 'rendered'])
    expect(view.drawPage).toHaveBeenCalledOnce()
    await send('/report/refresh', null)
    await settle()
    expect(asked()).toEqual(['rows r1 a geral 1'])
    await load()
    await settle()
    expect(asked()).toEqual(['report r1 a', 'rows r1 a geral 1'])
  })

  test('POST /report/prefetch makes the load wait for a prefetch in progress', async () => {
    const { prefetch, load, server, asked, events, view } = frame()
    server.hold = true
    await prefetch()
    await settle()
    await load()
    await settle()
    expect(asked()).toEqual(['report r1 a', 'rows r1 a geral 1'])
    expect(events()).toEqual(['loaded', 'renderingStarted'])
    server.release()
    await settle()
    expect(events()).toEqual(['rendered'])
    // Drawn once, in the visible page.
    expect(view.drawPage).toHaveBeenCalledOnce()
    expect(view.drawAhead).not.toHaveBeenCalled()
  })

  test('POST /report/prefetch discards the hidden drawing before the frame of a prepared report is shown', async () => {
    const { prefetch, send, view } = frame()
    await prefetch()
    await settle()
    const [, , signal] = view.drawAhead.mock.calls[0] ?? expect.fail('nothing was drawn')
    let aborted = false
    view.showReport.mockImplementation(() => {
      aborted = signal.aborted
    })
    await send('/report/prepare', { id: 'r1', accessToken: 'a' })
    await settle()
    expect(view.showReport).toHaveBeenCalledOnce()
    expect(aborted).toBe(true)
    expect(view.drawPage).not.toHaveBeenCalled()
  })

  test.each([
    ['the load asks for another page', { pageName: 'perfil' }, 'rows r1 a perfil 1'],
    ['the load has other filters', { filters: [filterOn('CNU')] }, 'rows r1 a geral 2'],
  ])('POST /report/prefetch serves only the report definition when %s', async (_what, options, rows) => {
    const { prefetch, load, asked } = frame()
    await prefetch()
    await settle()
    asked()
    await load('r1', 'a', options)
    await settle()
    expect(asked()).toEqual([rows])
  })

  test('POST /report/prefetch prefetches with the page and filters of the message', async () => {
    const { prefetch, load, asked } = frame()
    const options = { pageName: 'perfil', filters: [filterOn('CNU')] }
    await prefetch('r1', 'a', options)
    await settle()
    expect(asked()).toEqual(['report r1 a', 'rows r1 a perfil 2'])
    await load('r1', 'a', options)
    await settle()
    expect(asked()).toEqual([])
  })
})

describe('the prefetch is dropped and its queries are aborted', () => {
  test.each([
    ['when another report is loaded', 'r2', 'a'],
    ['when the load has another token', 'r1', 'b'],
  ])('the prefetch is dropped and its queries are aborted %s', async (_what, id, token) => {
    const { prefetch, load, asked, signals } = frame()
    await prefetch()
    await settle()
    asked()
    await load(id, token)
    await settle()
    expect(asked()).toEqual([`report ${id} ${token}`, `rows ${id} ${token} geral 1`])
    expect(signals.slice(0, 2).map(({ aborted }) => aborted)).toEqual([true, true])
  })

  test('the prefetch is dropped and its queries are aborted after ten seconds', async () => {
    const { prefetch, load, asked, signals } = frame()
    await prefetch()
    await settle(10_001)
    asked()
    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    await load()
    await settle()
    expect(asked()).toEqual(['report r1 a', 'rows r1 a geral 1'])
  })

  test('the prefetch is dropped and its queries are aborted when another report is prefetched', async () => {
    const { prefetch, signals } = frame()
    await prefetch('r1')
    await settle()
    await prefetch('r2')
    await settle()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false, false])
  })

  test('the prefetch is dropped and its queries are aborted when the visible report is drawn again', async () => {
    const { prefetch, load, send, server, signals } = frame()
    await load('r1')
    await settle()
    signals.length = 0
    server.hold = true
    await prefetch('r2')
    await settle()
    await send('/report/refresh', null)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false])
  })

  test('the prefetch is dropped and its queries are aborted when the load that waits for it is aborted', async () => {
    const { prefetch, load, server, signals } = frame()
    server.hold = true
    await prefetch()
    await settle()
    await load()
    await settle()
    await load('r2')
    expect(signals.slice(0, 2).map(({ aborted }) => aborted)).toEqual([true, true])
  })
})

describe('a prefetch that fails', () => {
  test('a prefetch that fails emits no event, and the load requests the report again', async () => {
    const { prefetch, load, server, asked, events } = frame()
    server.fail = true
    await prefetch()
    await settle()
    expect([asked(), events()]).toEqual([['report r1 a'], []])
    server.fail = false
    await load()
    await settle()
    expect(asked()).toEqual(['report r1 a', 'rows r1 a geral 1'])
    expect(events()).toEqual(['loaded', 'renderingStarted', 'rendered'])
  })

  test('a prefetch that fails leaves errors of the options to the load', async () => {
    const { prefetch, load, asked, events } = frame()
    await prefetch('r1', 'a', { filters: 'x' })
    await settle()
    expect(asked()).toEqual(['report r1 a'])
    await load('r1', 'a', { filters: 'x' })
    await settle()
    expect(events()).toEqual(['error'])
  })

  test.each([{}, null, { id: 'r1' }, { id: 5, accessToken: 'a' }])(
    'a prefetch that fails returns 400 for the message %j',
    async (body) => {
      const { send, asked } = frame()
      expect(await send('/report/prefetch', body)).toMatchObject({
        status: 400,
        body: { message: 'InvalidParameters' },
      })
      expect(asked()).toEqual([])
    },
  )
})

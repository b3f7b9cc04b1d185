import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect, type EmbedReply, type EmbedRequest } from './transport.ts'

const PORTAL = 'https://portal.example'
const OTHER = 'https://outro.example'

/** In a top-level window the parent is the window itself: this mock sees all messages. */
let posted: { data: unknown; target: unknown }[]

beforeEach(() => {
  posted = []
  vi.spyOn(window, 'postMessage').mockImplementation((data: unknown, target: unknown) => {
    posted.push({ data, target })
  })
})
afterEach(() => vi.restoreAllMocks())

const receive = (data: unknown, origin = PORTAL, source: MessageEventSource | null = window.parent) => {
  window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
  return new Promise((resolve) => setTimeout(resolve))
}

const load = { method: 'POST', url: '/report/load', headers: { id: 'a1', uid: 'u1' }, body: { id: 'x' } }

describe('connect', () => {
  test('connect answers the embedder at its origin with the id of the request', async () => {
    const answer = vi.fn(
      async (_request: EmbedRequest): Promise<EmbedReply> => ({ status: 202, body: { done: true } }),
    )
    connect([OTHER, PORTAL], answer)
    await receive(load)
    expect(answer).toHaveBeenCalledWith(load)
    expect(posted).toEqual([
      { data: { statusCode: 202, headers: { id: 'a1' }, body: { done: true } }, target: PORTAL },
    ])
  })

  test.each([
    ['a foreign origin', load, 'https://evil.example', undefined],
    ['an origin with the same prefix', load, `${PORTAL}.evil.example`, undefined],
    ['another window', load, PORTAL, null],
    ['a reply to an event', { statusCode: 200, headers: { id: 'e1' }, body: null }, PORTAL, undefined],
    ['text', 'load', PORTAL, undefined],
    ['null', null, PORTAL, undefined],
    ['a method that is not a string', { ...load, method: {} }, PORTAL, undefined],
  ])('connect ignores %s', async (_case, data, origin, source) => {
    const answer = vi.fn(async () => ({ status: 200 }))
    connect([PORTAL], answer)
    await receive(data, origin, source)
    expect(answer).not.toHaveBeenCalled()
    expect(posted).toEqual([])
  })

  test('connect sends events to every allowed origin until the embedder is known, then only to its origin', async () => {
    const post = connect([OTHER, PORTAL], async () => ({ status: 200 }))
    post('/ready/u1', {})
    expect(posted.map(({ target }) => target)).toEqual([OTHER, PORTAL])

    await receive(load)
    posted = []
    post('/reports/u1/events/loaded', {})
    expect(posted).toEqual([
      {
        data: { method: 'POST', url: '/reports/u1/events/loaded', headers: { id: 'embed-2' }, body: {} },
        target: PORTAL,
      },
    ])
  })

  test.each([
    [`${PORTAL}/visao?x=1`, [PORTAL]],
    ['https://evil.example/', [OTHER, PORTAL]],
  ])('connect derives the embedder from the referrer %s when its origin is allowed', (referrer, targets) => {
    vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer)
    connect([OTHER, PORTAL], async () => ({ status: 200 }))('/ready/u1', {})
    expect(posted.map(({ target }) => target)).toEqual(targets)
  })
})

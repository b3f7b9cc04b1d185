import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../../test/token.ts'
import { endSession, startSession } from '../../../lib/session/session.ts'
import { type FrameSlot, FrameStore } from './frame-store.ts'

const origin = 'http://localhost:4501'
let elements: HTMLElement[]
let store: FrameStore
let slots: FrameSlot[]

beforeEach(() => {
  vi.useFakeTimers()
  // The frames load no page in this test; happy-dom logs an error for each.
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  vi.stubGlobal('fetch', async () => Response.json({ origemEmbed: origin, demonstracao: true }))
  // happy-dom lacks moveBefore; its frames do not reload when insertBefore moves them.
  Object.assign(Element.prototype, {
    moveBefore(this: Element, node: Node, before: Node | null) {
      this.insertBefore(node, before)
    },
  })
  startSession(signedInUntil(Date.now() + 60 * 60_000))
  elements = [document.createElement('main'), document.createElement('main')]
  document.body.append(...elements)
  store = new FrameStore()
  slots = []
})
afterEach(() => {
  for (const slot of slots) slot.leave()
  endSession('saiu')
  for (const element of elements) element.remove()
  Reflect.deleteProperty(Element.prototype, 'moveBefore')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const slot = (index: number): FrameSlot => {
  const made = store.slot(elements[index] as HTMLElement)
  slots.push(made)
  return made
}
const frames = () => [...document.querySelectorAll('iframe')]
/** Makes a frame in advance and marks it as ready. */
const warm = async () => {
  await store.preload()
  frames()[0]?.parentElement?.dispatchEvent(new CustomEvent('ready'))
}

describe('FrameStore.preload', () => {
  test("FrameStore.preload loads the provider's page in a hidden frame, which the next report page shows", async () => {
    await warm()
    expect(frames()).toHaveLength(1)
    const [frame] = frames()
    expect(frame?.src).toMatch(`${origin}/reportEmbed?`)
    expect(frame?.closest<HTMLElement>('[inert]')?.style.visibility).toBe('hidden')
    await slot(0).frame()
    expect(elements[0]?.contains(frame ?? null)).toBe(true)
  })

  test.each([
    ['no report is opened within 20 s', () => vi.advanceTimersByTimeAsync(20_000)],
    ['the session ends', () => endSession('saiu')],
    ['another user signs in', () => startSession(signedInUntil(Date.now() + 60_000))],
    [
      "the portal's CSP blocks it",
      () =>
        document.dispatchEvent(
          Object.assign(new Event('securitypolicyviolation'), { effectiveDirective: 'frame-src' }),
        ),
    ],
  ])('FrameStore.preload removes the frame when %s', async (_what, happen) => {
    await warm()
    await happen()
    expect(frames()).toEqual([])
  })

  test('FrameStore.preload makes one frame at most, and none while a report is shown', async () => {
    await Promise.all([store.preload(), store.preload()])
    expect(frames()).toHaveLength(1)
    await slot(0).frame()
    await store.preload()
    expect(frames()).toHaveLength(1)
  })

  test('FrameStore.preload makes a frame that a report page discards when it is not ready after 2 s', async () => {
    await store.preload()
    const [silent] = frames()
    await vi.advanceTimersByTimeAsync(2_000)
    await slot(0).frame()
    expect(silent?.isConnected).toBe(false)
    expect(elements[0]?.contains(silent ?? null)).toBe(false)
  })
})

describe('the frame of a page that was left', () => {
  test('the frame of a page that was left is reused by the next page', async () => {
    await warm()
    const [frame] = frames()
    const [first, second] = [slot(0), slot(1)]
    const shown = await first.frame()
    first.leave()
    expect(frame?.closest('[inert]')).not.toBeNull()
    expect(await second.frame()).toBe(shown)
    expect(elements[1]?.contains(frame ?? null)).toBe(true)
  })

  test('the frame of a page that was left is removed when the session it was shown in ends', async () => {
    await warm()
    const first = slot(0)
    await first.frame()
    endSession('saiu')
    first.leave()
    expect(frames()).toEqual([])
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    await warm()
    const second = slot(1)
    await second.frame()
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    second.leave()
    expect(frames()).toEqual([])
  })

  test('the frame of a page that was left is removed while its report is being drawn, unless the next page shows that report', async () => {
    await warm()
    const [first, second] = [slot(0), slot(1)]
    const shown = await first.frame()
    vi.spyOn(shown, 'isDrawing', 'get').mockReturnValue(true)
    expect(store.reserve()).toBe(shown)
    first.leave()
    expect(await second.frame()).toBe(shown)
    second.leave()
    expect(frames()).toEqual([])
  })

  test('the frame of a page that was left is removed in browsers without moveBefore', async () => {
    await warm()
    const first = slot(0)
    await first.frame()
    Reflect.deleteProperty(Element.prototype, 'moveBefore')
    first.leave()
    expect(frames()).toEqual([])
  })
})

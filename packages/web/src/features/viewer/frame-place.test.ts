// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session.ts'
import { FramePlace, frameAhead, warmFrame } from './frame-place.ts'

const origin = 'http://localhost:4501'
let elements: HTMLElement[]
let places: FramePlace[]

beforeEach(() => {
  vi.useFakeTimers()
  // No page stands behind the frames here, which happy-dom says of each.
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  vi.stubGlobal('fetch', async () => Response.json({ origemEmbed: origin, demonstracao: true }))
  // happy-dom has none; its frames do not load anew when they are moved in the older way.
  Object.assign(Element.prototype, {
    moveBefore(this: Element, node: Node, before: Node | null) {
      this.insertBefore(node, before)
    },
  })
  startSession(signedInUntil(Date.now() + 60 * 60_000))
  elements = [document.createElement('main'), document.createElement('main')]
  document.body.append(...elements)
  places = []
})
afterEach(() => {
  for (const place of places) place.leave()
  endSession('saiu')
  for (const element of elements) element.remove()
  Reflect.deleteProperty(Element.prototype, 'moveBefore')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const place = (index: number): FramePlace => {
  const made = new FramePlace(elements[index] as HTMLElement)
  places.push(made)
  return made
}
const frames = () => [...document.querySelectorAll('iframe')]
/** Every wait of the code under test is for what is there at once. */
const warm = async () => {
  await warmFrame()
  frames()[0]?.parentElement?.dispatchEvent(new CustomEvent('ready'))
}

describe('a frame made ahead', () => {
  test('loads the page of the provider out of sight, for whichever report comes', async () => {
    await warm()
    expect(frames()).toHaveLength(1)
    const [frame] = frames()
    expect(frame?.src).toMatch(`${origin}/reportEmbed?`)
    expect(frame?.closest<HTMLElement>('[inert]')?.style.visibility).toBe('hidden')
    await place(0).frame()
    expect(elements[0]?.contains(frame ?? null)).toBe(true)
  })

  test.each([
    ['nobody opens a report', () => vi.advanceTimersByTimeAsync(20_000)],
    ['the session ends', () => endSession('saiu')],
    ['somebody else signs in', () => startSession(signedInUntil(Date.now() + 60_000))],
    [
      'the policy of the portal keeps it out',
      () =>
        document.dispatchEvent(
          Object.assign(new Event('securitypolicyviolation'), { effectiveDirective: 'frame-src' }),
        ),
    ],
  ])('is taken away when %s', async (_what, happen) => {
    await warm()
    await happen()
    expect(frames()).toEqual([])
  })

  test('is made once, and never while a report is shown', async () => {
    await Promise.all([warmFrame(), warmFrame()])
    expect(frames()).toHaveLength(1)
    await place(0).frame()
    await warmFrame()
    expect(frames()).toHaveLength(1)
  })

  test('that does not get ready is not relied on', async () => {
    await warmFrame()
    const [silent] = frames()
    await vi.advanceTimersByTimeAsync(2_000)
    await place(0).frame()
    expect(silent?.isConnected).toBe(false)
    expect(elements[0]?.contains(silent ?? null)).toBe(false)
  })
})

describe('the frame of a page that is left', () => {
  test('is shown by the next page', async () => {
    await warm()
    const [frame] = frames()
    const [first, second] = [place(0), place(1)]
    const shown = await first.frame()
    first.leave()
    expect(frame?.closest('[inert]')).not.toBeNull()
    expect(await second.frame()).toBe(shown)
    expect(elements[1]?.contains(frame ?? null)).toBe(true)
  })

  test('goes with whoever it was shown to', async () => {
    await warm()
    const first = place(0)
    await first.frame()
    endSession('saiu')
    first.leave()
    expect(frames()).toEqual([])
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    await warm()
    const second = place(1)
    await second.frame()
    startSession(signedInUntil(Date.now() + 60 * 60_000))
    second.leave()
    expect(frames()).toEqual([])
  })

  test('goes with the report that it was still drawing, unless the next page is to show that', async () => {
    await warm()
    const [first, second] = [place(0), place(1)]
    const shown = await first.frame()
    vi.spyOn(shown, 'isDrawing', 'get').mockReturnValue(true)
    expect(frameAhead()).toBe(shown)
    first.leave()
    expect(await second.frame()).toBe(shown)
    second.leave()
    expect(frames()).toEqual([])
  })

  test('is taken away where browsers cannot move it', async () => {
    await warm()
    const first = place(0)
    await first.frame()
    Reflect.deleteProperty(Element.prototype, 'moveBefore')
    first.leave()
    expect(frames()).toEqual([])
  })
})

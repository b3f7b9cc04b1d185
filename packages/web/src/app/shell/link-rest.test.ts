// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchLinkRest } from './link-rest.ts'

let rested: string[]
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<a href="/a" id="a"><b>A</b></a><a href="/b" id="b">B</a><p>Texto</p>'
  rested = []
  stop = watchLinkRest((link) => rested.push(link.id))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const over = (selector: string, pointerType = 'mouse') =>
  document
    .querySelector(selector)
    ?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType }))

test('a pointer that rests on a link is told of once, by whatever of the link it is on', () => {
  over('#a b')
  vi.advanceTimersByTime(60)
  over('#a')
  vi.advanceTimersByTime(200)
  expect(rested).toEqual(['a'])
})

test('whoever passes over is not asked for', () => {
  over('#a')
  vi.advanceTimersByTime(60)
  over('#b')
  vi.advanceTimersByTime(60)
  over('p')
  vi.advanceTimersByTime(200)
  expect(rested).toEqual([])
})

test('a finger does not hover', () => {
  over('#a', 'touch')
  vi.advanceTimersByTime(200)
  expect(rested).toEqual([])
})

test('the focus of the keyboard counts, and ceases to count when it goes on', () => {
  const link = document.querySelector<HTMLElement>('#a')
  // happy-dom knows nothing of what shows.
  Object.assign(link ?? {}, { matches: (selector: string) => selector === ':focus-visible' })
  link?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  vi.advanceTimersByTime(60)
  link?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  vi.advanceTimersByTime(200)
  expect(rested).toEqual([])
  link?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  vi.advanceTimersByTime(200)
  expect(rested).toEqual(['a'])
})

test('nothing is told of after the end', () => {
  over('#a')
  stop()
  vi.advanceTimersByTime(200)
  expect(rested).toEqual([])
})

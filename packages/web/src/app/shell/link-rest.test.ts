import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onLinkHover } from './link-rest.ts'

let rested: string[]
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<a href="/a" id="a"><b>A</b></a><a href="/b" id="b">B</a><p>Texto</p>'
  rested = []
  stop = onLinkHover((link) => rested.push(link.id))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const over = (selector: string, pointerType = 'mouse') =>
  document
    .querySelector(selector)
    ?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType }))

test('the watch of links reports a resting pointer once per link, whatever child it is on', () => {
  over('#a b')
  vi.advanceTimersByTime(60)
  over('#a')
  vi.advanceTimersByTime(200)
  expect(rested).toEqual(['a'])
})

test('a link that the pointer only crosses is not reported', () => {
  over('#a')
  vi.advanceTimersByTime(60)
  over('#b')
  vi.advanceTimersByTime(60)
  over('p')
  vi.advanceTimersByTime(200)
  expect(rested).toEqual([])
})

test('the watch of links ignores touch', () => {
  over('#a', 'touch')
  vi.advanceTimersByTime(200)
  expect(rested).toEqual([])
})

test('the watch of links reports a link focused by keyboard, unless the focus moves on', () => {
  const link = document.querySelector<HTMLElement>('#a')
  // happy-dom does not implement :focus-visible.
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

test('the watch of links reports nothing after it was stopped', () => {
  over('#a')
  stop()
  vi.advanceTimersByTime(200)
  expect(rested).toEqual([])
})

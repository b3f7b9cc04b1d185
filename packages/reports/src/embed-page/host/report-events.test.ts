import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { open } from '../test/reader-fixture.ts'
import { watchReader } from './report-events.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('Ctrl+K and ⌘K are sent to the portal, other keys are not', async () => {
  const { session } = await open()
  const emit = vi.fn()
  watchReader(document.body, session, emit, () => [])
  const press = (init: KeyboardEventInit) => {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })
    document.body.dispatchEvent(event)
    return event.defaultPrevented
  }
  expect([press({ key: 'k' }), press({ key: 'k', ctrlKey: true, shiftKey: true })]).toEqual([false, false])
  expect([press({ key: 'p', ctrlKey: true }), press({ key: 'K', ctrlKey: true, altKey: true })]).toEqual([
    false,
    false,
  ])
  expect(emit).not.toHaveBeenCalled()
  expect([press({ key: 'k', ctrlKey: true }), press({ key: 'K', metaKey: true })]).toEqual([true, true])
  expect(emit.mock.calls).toEqual([
    ['quickSearch', {}],
    ['quickSearch', {}],
  ])
})

test("'?' is sent to the portal, unless it is typed in a text field", async () => {
  const { session } = await open()
  const emit = vi.fn()
  watchReader(document.body, session, emit, () => [])
  const fields = ['search', 'date', 'checkbox'].map((type) => {
    const field = document.createElement('input')
    field.type = type
    document.body.append(field)
    return field
  })
  const press = (on: Element, init: KeyboardEventInit = {}) =>
    on.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true, ...init }))
  const [search, date, checkbox] = fields
  if (!search || !date || !checkbox) throw new Error('A field is missing.')
  press(search)
  press(date)
  press(document.body, { ctrlKey: true })
  expect(emit).not.toHaveBeenCalled()
  press(document.body, { shiftKey: true })
  press(checkbox)
  expect(emit.mock.calls).toEqual([
    ['shortcuts', {}],
    ['shortcuts', {}],
  ])
  for (const field of fields) field.remove()
})

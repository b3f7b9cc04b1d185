import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { endSession } from '../../lib/session/session.ts'
import { useMenuState } from './use-menu-state.ts'

beforeEach(() => localStorage.clear())

const wrapper = ({ children }: { children: ReactNode }) => <MemoryRouter>{children}</MemoryRouter>
const start = (isCrowded: boolean, phone = false) =>
  renderHook(({ crowded }) => useMenuState(phone, crowded), {
    wrapper,
    initialProps: { crowded: isCrowded },
  })

test('the menu gives way to a page that needs the room, until the person opens it', () => {
  const { result, rerender } = start(false)
  expect(result.current.opened).toBe(true)
  rerender({ crowded: true })
  expect(result.current.opened).toBe(false)
  act(() => result.current.toggle())
  expect(result.current.opened).toBe(true)
  rerender({ crowded: false })
  expect(result.current.opened).toBe(true)
  rerender({ crowded: true })
  expect(result.current.opened).toBe(false)
})

test('a menu that the person closed stays closed until they sign out', () => {
  const { result, unmount } = start(false)
  act(() => result.current.toggle())
  expect(result.current.opened).toBe(false)
  unmount()
  const again = start(false)
  expect(again.result.current.opened).toBe(false)
  again.unmount()
  endSession('saiu')
  expect(start(false).result.current.opened).toBe(true)
})

test('the menu is closed at first on a phone', () => {
  const { result } = start(false, true)
  expect(result.current.opened).toBe(false)
  act(() => result.current.toggle())
  expect(result.current.opened).toBe(true)
})

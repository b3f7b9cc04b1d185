import { useHotkeys } from '@mantine/hooks'
import type { RefObject } from 'react'

const options = { preventDefault: false }

/** Returns whether the page has a search for the '/' key: a field with `aria-keyshortcuts`. */
export const hasSearchKey = (): boolean =>
  [...document.querySelectorAll('[aria-keyshortcuts="/"]')].some((field) => !field.closest('[inert]'))

/** The '/' key focuses the page's search, except in a field or with a dialog open. */
export const useSearchKey = (field: RefObject<HTMLInputElement | null>, isOn = true): void => {
  const focus = (event: KeyboardEvent) => {
    if (!isOn || event.defaultPrevented || document.querySelector('[role="dialog"]')) return
    event.preventDefault()
    field.current?.focus()
    field.current?.select()
  }
  // Some keyboards have '/' on a shifted key.
  useHotkeys([
    ['/', focus, options],
    ['shift+/', focus, options],
  ])
}

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { applyColorScheme, isPageDark, watchColorScheme } from './color-scheme.ts'
import { chartTheme } from './report-colors.ts'
import { darkTheme, lightTheme } from './theme.ts'

const preference = Object.assign(new EventTarget(), { matches: false })
const prefer = (matches: boolean) => {
  preference.matches = matches
  preference.dispatchEvent(new Event('change'))
}

beforeEach(() => {
  vi.spyOn(window, 'matchMedia').mockReturnValue(preference as unknown as MediaQueryList)
  prefer(false)
})
afterEach(() => document.documentElement.removeAttribute('data-color-scheme'))

describe('the colour scheme', () => {
  test("the colour scheme is the browser's preference until the embedder sends its own", () => {
    expect(isPageDark()).toBe(false)
    prefer(true)
    expect(isPageDark()).toBe(true)
    applyColorScheme('light')
    expect(isPageDark()).toBe(false)
    prefer(false)
    applyColorScheme('dark')
    expect(isPageDark()).toBe(true)
    expect(chartTheme(undefined, false)).toBe(darkTheme)
    expect(chartTheme(undefined, true)).toBe(lightTheme)
  })

  test('the colour scheme redraws once for each change of what is shown', async () => {
    const changed = vi.fn()
    watchColorScheme(changed)
    prefer(true)
    expect(changed).toHaveBeenCalledTimes(1)
    // Chromium also changes the preference in the frame: the portal's message follows.
    applyColorScheme('dark')
    await settle()
    expect(changed).toHaveBeenCalledTimes(1)
    applyColorScheme('light')
    await settle()
    expect(changed).toHaveBeenCalledTimes(2)
    prefer(false)
    expect(changed).toHaveBeenCalledTimes(2)
  })
})

/** Observers of attributes are called in a microtask. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

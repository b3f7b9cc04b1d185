type ColorScheme = 'light' | 'dark'

const schemes: readonly unknown[] = ['light', 'dark'] satisfies ColorScheme[]

export const isColorScheme = (input: unknown): input is ColorScheme => schemes.includes(input)

/**
 * Shows the colour scheme of the embedder's page. Chromium and Firefox pass it on with the iframe
 * element; WebKit does not.
 */
export const applyColorScheme = (scheme: ColorScheme) =>
  document.documentElement.setAttribute(ATTRIBUTE, scheme)

/** Whether the page is dark: as the embedder says, otherwise as the browser prefers. */
export const isPageDark = (): boolean => {
  const applied = document.documentElement.getAttribute(ATTRIBUTE)
  return applied ? applied === 'dark' : preference().matches
}

/** Calls back when the page switches between light and dark. */
export const watchColorScheme = (changed: () => void) => {
  let wasDark = isPageDark()
  const check = () => {
    if (isPageDark() === wasDark) return
    wasDark = !wasDark
    changed()
  }
  preference().addEventListener('change', check)
  new MutationObserver(check).observe(document.documentElement, { attributeFilter: [ATTRIBUTE] })
}

const ATTRIBUTE = 'data-color-scheme'

const preference = () => window.matchMedia('(prefers-color-scheme: dark)')

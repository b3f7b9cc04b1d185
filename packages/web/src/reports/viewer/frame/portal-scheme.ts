/** Mantine keeps the theme that the portal shows in this attribute of the root. */
const attribute = 'data-mantine-color-scheme'

/** Returns the theme that the portal shows: the user's choice, or the system's. */
export const portalScheme = (): 'light' | 'dark' =>
  document.documentElement.getAttribute(attribute) === 'dark' ? 'dark' : 'light'

/** Calls the listener when the portal switches between light and dark; returns how to stop it. */
export const onPortalScheme = (listener: () => void): (() => void) => {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: [attribute] })
  return () => observer.disconnect()
}

/**
 * Shows this theme instead of the browser's, also when the system switches.
 * @returns how to go back to the one before
 */
export const holdPortalScheme = (scheme: 'light' | 'dark'): (() => void) => {
  const root = document.documentElement
  const before = portalScheme()
  const hold = () => {
    if (portalScheme() !== scheme) root.setAttribute(attribute, scheme)
  }
  hold()
  const stop = onPortalScheme(hold)
  return () => {
    stop()
    root.setAttribute(attribute, before)
  }
}

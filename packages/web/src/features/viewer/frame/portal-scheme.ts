/** Mantine keeps the theme that the portal shows in this attribute of the root. */
const attribute = 'data-mantine-color-scheme'

/** Returns the theme that the portal shows: the user's choice, or the system's. */
export const portalScheme = (): 'light' | 'dark' =>
  document.documentElement.getAttribute(attribute) === 'dark' ? 'dark' : 'light'

/** Calls the listener when the portal switches between light and dark. */
export const onPortalScheme = (listener: () => void): void =>
  new MutationObserver(listener).observe(document.documentElement, { attributeFilter: [attribute] })

import { useEffect, useState } from 'react'

/** Key in `history.state`, next to the router's own keys. */
const KEY = 'tokenDoLink'

/**
 * Returns the token of the link that opened the page. The token is moved from the URL, where others
 * could read it, to the state of this history entry: a reload (phones reload inactive tabs)
 * restores the form, and no other page, tab or storage gets the token.
 */
export const useLinkToken = () => {
  const [token, setToken] = useState(() => tokenInAddress() ?? tokenInEntry())
  useEffect(() => {
    const arrived = tokenInAddress()
    if (arrived !== undefined) rewriteEntry({ ...entryState(), [KEY]: arrived })
  }, [])
  return {
    token,
    /** Call after use: removes the token from the history entry but keeps it in this page. */
    removeFromHistory: dropFromEntry,
    /** Removes the token from the history entry and from this page. */
    forget: () => {
      dropFromEntry()
      setToken(undefined)
    },
  }
}

const tokenInAddress = (): string | undefined =>
  new URLSearchParams(window.location.search).get('token') || undefined

const tokenInEntry = (): string | undefined => {
  const kept = entryState()[KEY]
  return typeof kept === 'string' ? kept : undefined
}

const entryState = (): Record<string, unknown> => window.history.state ?? {}

const rewriteEntry = (state: Record<string, unknown>) =>
  window.history.replaceState(state, '', window.location.pathname)

const dropFromEntry = () => {
  const { [KEY]: _, ...others } = entryState()
  rewriteEntry(others)
}

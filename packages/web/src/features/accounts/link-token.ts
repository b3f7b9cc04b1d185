import { useEffect, useState } from 'react'

/** In `history.state`, beside what the router keeps there. */
const KEY = 'tokenDoLink'

/**
 * The token of the link that led here. It leaves the address bar at once, so that it stands neither in the address nor on a
 * shared screen, and stays with this entry of the tab's history: a reload (phones reload a tab that somebody comes back to)
 * brings the form back, and no other page, tab or storage ever sees it.
 */
export const useLinkToken = () => {
  const [token, setToken] = useState(() => tokenInAddress() ?? tokenInEntry())
  useEffect(() => {
    const arrived = tokenInAddress()
    if (arrived !== undefined) rewriteEntry({ ...entryState(), [KEY]: arrived })
  }, [])
  return {
    token,
    /** It was used: a reload finds nothing, while this page still knows whose password it was. */
    spend: dropFromEntry,
    /** Nothing is to be done with it. */
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

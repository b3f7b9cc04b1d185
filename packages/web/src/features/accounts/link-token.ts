import { useEffect, useState } from 'react'

/**
 * The token of the link that led here. It leaves the address bar at once, so that it stands neither in the history nor on a
 * shared screen, and is kept nowhere but in the page.
 */
export const useLinkToken = (): [token: string | undefined, forget: () => void] => {
  const [token, setToken] = useState(tokenInAddress)
  useEffect(() => {
    if (tokenInAddress() !== undefined)
      window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [])
  return [token, () => setToken(undefined)]
}

const tokenInAddress = (): string | undefined =>
  new URLSearchParams(window.location.search).get('token') || undefined

import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

/**
 * A sheet over the page is what the phone's back button takes away, not the page: while it is shown, an entry of the same address
 * stands on top of the history.
 */
export const useBackButton = (isSheet: boolean, onBack: () => void) => {
  const navigate = useNavigate()
  const location = useLocation()
  const type = useNavigationType()
  const isOnTop = useRef(false)
  const seen = useRef(location.key)

  const push = () => {
    if (isOnTop.current) return
    isOnTop.current = true
    const { pathname, search, hash } = window.location
    void navigate({ pathname, search, hash }, { preventScrollReset: true })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time it is shown
  useEffect(() => {
    if (isSheet) push()
  }, [isSheet])

  // biome-ignore lint/correctness/useExhaustiveDependencies: at each navigation
  useEffect(() => {
    if (seen.current === location.key) return
    seen.current = location.key
    if (!isOnTop.current || type !== 'POP') return
    isOnTop.current = false
    if (isSheet) onBack()
  }, [location.key])

  return {
    /** The sheet goes away by itself: its entry too. */
    forget: () => {
      if (!isOnTop.current) return
      isOnTop.current = false
      void navigate(-1)
    },
    /** Back was pressed, and the sheet stays. */
    renew: () => {
      if (isSheet) push()
    },
  }
}

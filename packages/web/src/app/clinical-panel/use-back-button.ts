import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'

/**
 * A sheet over the page is what the phone's back button takes away, not the page: while it is shown, an entry of the same address
 * stands on top of the history. The browser's own event tells of the button: a page that is drawn after two steps in the history
 * knows only of the last.
 */
export const useBackButton = (isSheet: boolean, onBack: () => void) => {
  const navigate = useNavigate()
  const isOnTop = useRef(false)
  /** Our own step back, which the browser takes a moment later: until then nothing can be put on top. */
  const isSteppingBack = useRef(false)

  const push = () => {
    const { pathname, search, hash } = window.location
    void navigate({ pathname, search, hash }, { preventScrollReset: true })
  }
  const stand = () => {
    if (isOnTop.current) return
    isOnTop.current = true
    if (!isSteppingBack.current) push()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time it is shown
  useEffect(() => {
    if (isSheet) stand()
  }, [isSheet])

  const handlePopState = useEffectEvent(() => {
    if (isSteppingBack.current) {
      isSteppingBack.current = false
      if (isOnTop.current) push()
      return
    }
    if (!isOnTop.current) return
    isOnTop.current = false
    if (isSheet) onBack()
  })
  useEffect(() => {
    window.addEventListener('popstate', handlePopState)
    return () => window.removeEventListener('popstate', handlePopState)
  }, [])

  return {
    /** The sheet goes away by itself: its entry too. */
    forget: () => {
      if (!isOnTop.current) return
      isOnTop.current = false
      if (isSteppingBack.current) return
      isSteppingBack.current = true
      void navigate(-1)
    },
    /** Back was pressed, and the sheet stays. */
    renew: () => {
      if (isSheet) stand()
    },
  }
}

import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

/**
 * Makes a phone's back button close the sheet instead of leaving the page: while the sheet is
 * shown, an extra history entry of the same address is on top. Listens to popstate, because the
 * router reports only the last of two history steps made before a render.
 */
export const useBackButton = (isSheet: boolean, onBack: () => void) => {
  const navigate = useNavigate()
  const isOnTop = useRef(false)
  /** True from our own step back until the browser performs it: nothing may be pushed then. */
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

  useWindowEvent('popstate', () => {
    if (isSteppingBack.current) {
      isSteppingBack.current = false
      if (isOnTop.current) push()
      return
    }
    if (!isOnTop.current) return
    isOnTop.current = false
    if (isSheet) onBack()
  })

  return {
    /** Call when the sheet closes by other means: removes its history entry. */
    forget: () => {
      if (!isOnTop.current) return
      isOnTop.current = false
      if (isSteppingBack.current) return
      isSteppingBack.current = true
      void navigate(-1)
    },
    /** Call when Back was pressed but the sheet stays: pushes the entry again. */
    renew: () => {
      if (isSheet) stand()
    },
  }
}

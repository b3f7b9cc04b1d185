import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { setPageTitle } from '../../lib/navigation/page-title.ts'
import { usePageHandle } from './page-handle.ts'

/** Sets each page's title and, after a navigation, focuses its heading for screen readers. */
export const usePageAnnouncement = (): void => {
  const { pathname } = useLocation()
  const title = usePageHandle()?.title
  const shown = useRef(pathname)

  // A layout effect runs before a page's own title (usePageTitle), which therefore wins.
  useLayoutEffect(() => {
    if (title) setPageTitle(title)
  }, [title])

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const main = document.querySelector('main')
    // Keeps the focus that a page has set on its first field.
    if (main?.contains(document.activeElement)) return
    const target = main?.querySelector('h1') ?? main
    target?.setAttribute('tabindex', '-1')
    target?.focus({ preventScroll: true })
  }, [pathname])
}

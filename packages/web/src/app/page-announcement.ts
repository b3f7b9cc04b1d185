import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { setPageTitle } from '../lib/page-title.ts'
import { usePageHandle } from './page-handle.ts'

/** Gives each page its title, and after a navigation moves the focus to its heading for screen readers. */
export const usePageAnnouncement = (): void => {
  const { pathname } = useLocation()
  const title = usePageHandle()?.title
  const shown = useRef(pathname)

  // A layout effect, so that a page that knows a better title (usePageTitle) speaks after it.
  useLayoutEffect(() => {
    if (title) setPageTitle(title)
  }, [title])

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const main = document.querySelector('main')
    // A page that put the focus into its first field knows better.
    if (main?.contains(document.activeElement)) return
    const target = main?.querySelector('h1') ?? main
    target?.setAttribute('tabindex', '-1')
    target?.focus({ preventScroll: true })
  }, [pathname])
}

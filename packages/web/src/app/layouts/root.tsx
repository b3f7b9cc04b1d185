import { useEffect, useLayoutEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from 'react-router'
import { setPageTitle } from '../../lib/navigation/page-title.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import classes from './navigation-progress.module.css'
import type { PageHandle } from './page-handle.ts'
import { UpdateNotice } from './update-notice.tsx'

export const Root = () => {
  usePageAnnouncement()
  return (
    <>
      <NavigationProgress />
      <ConnectionNotice />
      <Outlet />
      <UpdateNotice />
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

/** A fully loaded page has the key 'default', which would inherit another page's scroll. */
const scrollKey = ({ key, pathname }: { key: string; pathname: string }): string =>
  key === 'default' ? pathname : key

const NavigationProgress = () => {
  const loading = useNavigation().state === 'loading'
  return (
    <div role="progressbar" aria-label="Abrindo página" hidden={!loading} className={classes.track}>
      <div className={classes.bar} />
    </div>
  )
}

/** Sets each page's title and, after a navigation, focuses its heading for screen readers. */
const usePageAnnouncement = (): void => {
  const { pathname } = useLocation()
  const title = (useMatches().at(-1)?.handle as PageHandle | undefined)?.title
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

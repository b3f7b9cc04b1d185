import { Outlet, ScrollRestoration } from 'react-router'
import { ConnectionNotice } from './connection-notice.tsx'
import { NavigationProgress } from './navigation-progress.tsx'
import { usePageAnnouncement } from './page-announcement.ts'

export const Root = () => {
  usePageAnnouncement()
  return (
    <>
      <NavigationProgress />
      <ConnectionNotice />
      <Outlet />
      <ScrollRestoration getKey={scrollKey} />
    </>
  )
}

/** A fully loaded page has the key 'default', which would inherit another page's scroll. */
const scrollKey = ({ key, pathname }: { key: string; pathname: string }): string =>
  key === 'default' ? pathname : key

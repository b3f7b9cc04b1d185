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

/** Every page that is loaded whole has the key 'default': without its path it would inherit another's place. */
const scrollKey = ({ key, pathname }: { key: string; pathname: string }): string =>
  key === 'default' ? pathname : key

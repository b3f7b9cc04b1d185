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
      <ScrollRestoration />
    </>
  )
}

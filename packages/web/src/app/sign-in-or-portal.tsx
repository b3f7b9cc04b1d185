import { lazy, Suspense, useEffect, useState } from 'react'
import { SignInPage } from '../accounts/sign-in/sign-in-page.tsx'
import { setPageTitle } from '../lib/navigation/page-title.ts'
import { useSession } from '../lib/session/session.ts'
import { ErrorBoundary } from '../ui/errors/error-boundary.tsx'
import { ConnectionNotice } from './layouts/connection-notice.tsx'
import { Splash } from './splash.tsx'

const loadPortal = () => import('./portal.tsx')
const Portal = lazy(loadPortal)

/** Errors are ignored: a later load reports its own failure. */
const prepare = () => {
  loadPortal().then(
    ({ prepareHome }) => prepareHome(),
    () => undefined,
  )
}

/** Inserts the links of vite.config.ts. In development there are none. */
const fetchFirstPage = () => {
  const links = document.querySelector<HTMLTemplateElement>('#depois-da-entrada')?.content
  if (links) document.head.append(links)
}

/**
 * Shows the sign-in page at once at the root without a session. The browser fetches the portal
 * (router, queries, contract) at the same time and runs it while the server checks the password.
 * After the sign-in the portal takes over, including its own route for the root.
 */
export const SignInOrPortal = () => {
  const session = useSession()
  const [entered, setEntered] = useState(() => window.location.pathname !== '/' || session !== undefined)
  if (session && !entered) setEntered(true)
  useEffect(() => {
    if (entered) return
    setPageTitle('Entrar')
    const timer = setTimeout(fetchFirstPage, 300)
    return () => clearTimeout(timer)
  }, [entered])

  if (!entered)
    return (
      <>
        <ConnectionNotice />
        <SignInPage onSending={prepare} />
      </>
    )
  return (
    <ErrorBoundary frame={(message) => <main>{message}</main>}>
      <Suspense fallback={<Splash />}>
        <Portal />
      </Suspense>
    </ErrorBoundary>
  )
}

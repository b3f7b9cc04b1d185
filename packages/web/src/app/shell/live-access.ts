import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshInBackground } from '../../lib/api/background-refresh.ts'
import { refreshCurrentUser } from '../../lib/api/queries.ts'
import { MENU_KEY } from '../../lib/api/refresh-after.ts'
import { followLive } from '../../lib/live/live.ts'
import { useLiveRefresh } from '../../lib/live/live-refresh.ts'
import { currentSession, useSession } from '../../lib/session/session.ts'
import { PAGES_KEY } from '../../reports/index.ts'

/** Keeps the person's permissions up to date in every open window while signed in. */
export const useLiveAccess = (): void => {
  const client = useQueryClient()
  const token = useSession()?.access_token

  useEffect(() => {
    const session = currentSession()
    return token && session ? followLive(session) : undefined
  }, [token])

  useLiveRefresh('acesso', () => void refreshAccess(client))
}

const refreshAccess = async (client: QueryClient): Promise<void> => {
  const results = await Promise.allSettled([
    refreshInBackground(client, [MENU_KEY]),
    refreshInBackground(client, [PAGES_KEY]),
    refreshCurrentUser(client),
  ])
  // Each query shows its own failure; the next event or reconnection retries.
  for (const result of results)
    if (result.status === 'rejected') console.info('O acesso não pôde ser relido.', result.reason)
}

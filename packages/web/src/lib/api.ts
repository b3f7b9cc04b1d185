import { ApiProblem, type Call, createClient, sessionsApi } from '@bi-manager/contract'
import { watchedFetch } from './connection.ts'
import { currentSession, endSession, noteUse, type Session } from './session.ts'

const BASE_URL = '/api'

const callerFor = ({ isUse }: { isUse: boolean }): Call => {
  const send = createClient({
    baseUrl: BASE_URL,
    fetch: watchedFetch,
    headers: () => ({ ...headersOf(currentSession()), ...(isUse ? {} : { 'x-segundo-plano': '1' }) }),
  })
  return async (endpoint, ...rest) => {
    const token = currentSession()?.access_token
    try {
      const answer = await send(endpoint, ...rest)
      if (token && isUse) noteUse()
      return answer
    } catch (error) {
      const refused = error instanceof ApiProblem && error.status === 401 && endpoint.permission !== 'public'
      if (refused && token && currentSession()?.access_token === token) endSession('terminou')
      throw error
    }
  }
}

/** Calls the API as whoever is signed in. A 401 to a session that still stands here ends it. */
export const call: Call = callerFor({ isUse: true })

/** The same for what the portal does by itself: neither the server's idle clock nor ours starts anew. */
export const callInBackground: Call = callerFor({ isUse: false })

/** Ends a session on the server, also after it was forgotten here. A session already dead counts as ended. */
export const signOutOnServer = async (session: Session): Promise<void> => {
  const sendAs = createClient({ baseUrl: BASE_URL, fetch: watchedFetch, headers: () => headersOf(session) })
  try {
    await sendAs(sessionsApi.signOut)
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error
  }
}

/** A sentence for the screen, whatever went wrong. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiProblem
    ? error.message
    : 'Não foi possível falar com o servidor. Verifique sua conexão e tente novamente.'

const headersOf = (session: Session | undefined): Record<string, string> =>
  session
    ? {
        Authorization: `Bearer ${session.access_token}`,
        usuario_id: String(session.usuario_id),
        client_id: String(session.client_id),
      }
    : {}

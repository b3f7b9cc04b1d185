import { type Call, createClient, type SignedIn, sessionsApi } from '@bi-manager/contract'

/** Signs a user in. `at` returns the caller of one node in the same session. */
export const signIn = async (origin: string, username: string, password: string) => {
  const session: SignedIn = await createClient({ baseUrl: `${origin}/api` })(sessionsApi.signIn, {
    body: { username, password },
  })
  return { session, at: (node: string): Call => callerOf(node, session.access_token) }
}

export const callerOf = (origin: string, token: string): Call =>
  createClient({ baseUrl: `${origin}/api`, headers: () => ({ authorization: `Bearer ${token}` }) })

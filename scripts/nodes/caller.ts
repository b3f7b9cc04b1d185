import {
  type Call,
  type CallOptions,
  createClient,
  type Endpoint,
  type Input,
  type SignedIn,
  sessionsApi,
} from '@bi-manager/contract'

/** A signed-in person as a program calls the API; `at` may name another node for one call. */
export const signIn = async (origin: string, username: string, password: string) => {
  const session: SignedIn = await createClient({ baseUrl: `${origin}/api` })(sessionsApi.signIn, {
    body: { username, password },
  })
  return { session, at: (node: string): Call => callerOf(node, session.access_token) }
}

export const callerOf = (origin: string, token: string): Call =>
  createClient({ baseUrl: `${origin}/api`, headers: () => ({ authorization: `Bearer ${token}` }) })

export type Send = <E extends Endpoint>(endpoint: E, input?: Input<E>, options?: CallOptions) => unknown

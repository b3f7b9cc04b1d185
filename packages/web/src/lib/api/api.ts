import {
  ApiProblem,
  type BlockingPending,
  type Call,
  type CallOptions,
  createClient,
  type Endpoint,
  type Input,
  isBlocking,
  liveApi,
  type Output,
  pendingProblems,
  pendingSteps,
  sessionsApi,
} from '@bi-manager/contract'
import { purposeHeaders } from '../session/purpose.ts'
import {
  currentSession,
  endSession,
  requirePendingStep,
  type Session,
  writeUserActivity,
} from '../session/session.ts'
import { watchedFetch } from './connection.ts'
import { BUG_MESSAGE, isNetworkError } from './errors.ts'
import { versionedFetch } from './new-version.ts'
import { withReauthentication } from './reauthentication.ts'

const BASE_URL = '/api'

const callerFor = ({
  isUserActivity,
  through = versionedFetch,
}: {
  isUserActivity: boolean
  through?: typeof fetch
}): Call => {
  const send = createClient({
    baseUrl: BASE_URL,
    fetch: through,
    headers: () => ({
      ...headersOf(currentSession()),
      ...(isUserActivity ? {} : { 'x-segundo-plano': '1' }),
    }),
  })
  return async (endpoint, input, options) => {
    const token = currentSession()?.access_token
    const headers = { ...purposeHeaders(endpoint), ...options?.headers }
    try {
      const answer = await send(endpoint, input, { ...options, headers })
      if (token && isUserActivity) writeUserActivity()
      return answer
    } catch (error) {
      const refused = error instanceof ApiProblem && error.status === 401 && endpoint.permission !== 'public'
      if (refused && token) endIfCurrent(token)
      const demanded = error instanceof ApiProblem && demandOf(error)
      if (token && demanded) requirePendingStep(token, demanded)
      throw error
    }
  }
}

const demandOf = ({ codigo }: ApiProblem): BlockingPending | undefined =>
  pendingSteps.filter(isBlocking).find((pendencia) => pendingProblems[pendencia] === codigo)

const endIfCurrent = (token: string) => {
  if (currentSession()?.access_token === token) endSession('terminou')
}

/**
 * Calls the API as the signed-in person. A 401 ends the session; a pending step redirects; a call
 * that needs a recent re-authentication asks for one.
 */
export const call: Call = withReauthentication(callerFor({ isUserActivity: true }))

/** The same for requests the portal makes on its own: they do not restart the idle timers. */
export const callInBackground: Call = callerFor({ isUserActivity: false })

/** The same through another transport than fetch, such as one that reports upload progress. */
export const callWithTransport = (through: typeof fetch): Call => callerFor({ isUserActivity: true, through })

/** One page of a list and the number of matches; `isCapped` if there are more than `total`. */
export interface ListAnswer<R> {
  rows: R[]
  total: number
  isCapped: boolean
}

export type RowOf<E extends Endpoint> = Output<E> extends (infer R)[] ? R : never

/**
 * Calls a list endpoint and reads the total from its headers; the body is a bare array.
 * @param send `callInBackground` for requests the portal makes on its own
 */
export const callList = async <E extends Endpoint>(
  endpoint: E,
  input?: Input<E>,
  options: Omit<CallOptions, 'onHeaders'> = {},
  send: Call = call,
): Promise<ListAnswer<RowOf<E>>> => {
  let headers = new Headers()
  const onHeaders = (received: Headers) => {
    headers = received
  }
  const rows = (await send(endpoint, input, { ...options, onHeaders })) as RowOf<E>[]
  return {
    rows,
    total: Number(headers.get('x-total-count') ?? rows.length),
    isCapped: headers.get('x-total-count-capped') === 'true',
  }
}

/** A set as read, with the ETag to send with its replacement. */
export interface TaggedSet<R> {
  rows: R[]
  tag: string
}

/** Calls a list that is edited as a whole. */
export const callSet = async <E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
): Promise<TaggedSet<RowOf<E>>> => {
  let tag = '*'
  const onHeaders = (headers: Headers) => {
    tag = headers.get('etag') ?? tag
  }
  const rows = (await call(endpoint, input, { onHeaders })) as RowOf<E>[]
  return { rows, tag }
}

/**
 * Opens the stream of live events for a session. Like every background call it does not count as
 * use; a 401 ends the session if it is still current.
 * @throws ApiProblem when the server refuses; fetch's error when the server is unreachable
 */
export const openLiveStream = async (
  session: Session,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> => {
  const response = await versionedFetch(BASE_URL + liveApi.stream.url, {
    headers: {
      ...headersOf(session),
      scope: 'backoffice',
      'x-segundo-plano': '1',
      accept: 'text/event-stream',
    },
    signal,
  })
  if (response.ok && response.body) return response.body
  if (response.status === 401) endIfCurrent(session.access_token)
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  throw new ApiProblem(
    response.status,
    { codigo: 'avisos_recusados', detail: 'Os avisos ao vivo não estão disponíveis.' },
    retryAfter,
  )
}

/** Ends a session on the server, even one dropped here. A 401 counts as success. */
export const signOutOnServer = async (session: Session): Promise<void> => {
  const sendAs = createClient({ baseUrl: BASE_URL, fetch: watchedFetch, headers: () => headersOf(session) })
  try {
    await sendAs(sessionsApi.signOut)
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 401)) throw error
  }
}

/** Returns a sentence for the screen for any error. */
export const messageOf = (error: unknown): string => {
  if (error instanceof ApiProblem) return error.message
  if (isNetworkError(error))
    return 'Não foi possível falar com o servidor. Verifique sua conexão e tente novamente.'
  // A page of a network's sign-in or of a proxy, instead of JSON.
  if (error instanceof SyntaxError)
    return 'O servidor respondeu de forma inesperada. Tente novamente em instantes.'
  return BUG_MESSAGE
}

/** Returns whether a retry may help: yes for network and server failures, no for a refusal. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status >= 500 || error.status === 429

const headersOf = (session: Session | undefined): Record<string, string> =>
  session
    ? {
        Authorization: `Bearer ${session.access_token}`,
        usuario_id: String(session.usuario_id),
        client_id: String(session.client_id),
      }
    : {}

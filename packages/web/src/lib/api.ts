import {
  ApiProblem,
  BlockingPending,
  type Call,
  type CallOptions,
  createClient,
  type Endpoint,
  type Input,
  liveApi,
  type Output,
  pendingProblems,
  sessionsApi,
} from '@bi-manager/contract'
import { watchedFetch } from './connection.ts'
import { purposeHeaders } from './purpose.ts'
import { currentSession, demandFirst, endSession, noteUse, type Session } from './session.ts'

const BASE_URL = '/api'

const callerFor = ({ isUse, through = watchedFetch }: { isUse: boolean; through?: typeof fetch }): Call => {
  const send = createClient({
    baseUrl: BASE_URL,
    fetch: through,
    headers: () => ({ ...headersOf(currentSession()), ...(isUse ? {} : { 'x-segundo-plano': '1' }) }),
  })
  return async (endpoint, input, options) => {
    const token = currentSession()?.access_token
    const headers = { ...purposeHeaders(endpoint), ...options?.headers }
    try {
      const answer = await send(endpoint, input, { ...options, headers })
      if (token && isUse) noteUse()
      return answer
    } catch (error) {
      const refused = error instanceof ApiProblem && error.status === 401 && endpoint.permission !== 'public'
      if (refused && token) endIfCurrent(token)
      const demanded = error instanceof ApiProblem && demandOf(error)
      if (token && demanded) demandFirst(token, demanded)
      throw error
    }
  }
}

const demandOf = ({ codigo }: ApiProblem): BlockingPending | undefined =>
  BlockingPending.options.find((pendencia) => pendingProblems[pendencia] === codigo)

const endIfCurrent = (token: string) => {
  if (currentSession()?.access_token === token) endSession('terminou')
}

/**
 * Calls the API as whoever is signed in. A 401 to a session that still stands here ends it; where a second factor is
 * demanded by now, the portal leads there.
 */
export const call: Call = callerFor({ isUse: true })

/** The same for what the portal does by itself: neither the server's idle clock nor ours starts anew. */
export const callInBackground: Call = callerFor({ isUse: false })

/** The same by another way than fetch, such as one that tells how much of a file is sent. */
export const callThrough = (through: typeof fetch): Call => callerFor({ isUse: true, through })

/** One page of a list, and how many rows match in all; `isCapped` where there are more than `total` says. */
export interface ListAnswer<R> {
  rows: R[]
  total: number
  isCapped: boolean
}

export type RowOf<E extends Endpoint> = Output<E> extends (infer R)[] ? R : never

/**
 * Calls a list and reads its total from the headers beside the bare array.
 * @param send as use of the session, unless the portal asks by itself
 */
export const callList = async <E extends Endpoint>(
  endpoint: E,
  input?: Input<E>,
  options: Omit<CallOptions, 'onHeaders'> = {},
  send: Call = call,
): Promise<ListAnswer<RowOf<E>>> => {
  let headers = new Headers()
  const onHeaders = (heard: Headers) => {
    headers = heard
  }
  const rows = (await send(endpoint, input, { ...options, onHeaders })) as RowOf<E>[]
  return {
    rows,
    total: Number(headers.get('x-total-count') ?? rows.length),
    isCapped: headers.get('x-total-count-capped') === 'true',
  }
}

/** A set as it was read, with the ETag that its replacement is sent with. */
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
 * Opens the stream of live events as this person. Like every call in the background it is no use of the session, and a
 * 401 ends the session that still stands here.
 * @throws ApiProblem when the server refuses; what fetch throws when it cannot be reached.
 */
export const openLiveStream = async (
  session: Session,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> => {
  const response = await watchedFetch(BASE_URL + liveApi.stream.url, {
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

/** A refusal (dependants, a file that is not accepted) stays one; a fault of the network or the server may pass. */
export const isWorthRepeating = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status >= 500 || error.status === 429

const headersOf = (session: Session | undefined): Record<string, string> =>
  session
    ? {
        Authorization: `Bearer ${session.access_token}`,
        usuario_id: String(session.usuario_id),
        client_id: String(session.client_id),
      }
    : {}

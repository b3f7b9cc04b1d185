import type { Endpoint, Input, Output } from './endpoint.ts'
import { ProblemBody } from './problems.ts'

/** An error answer of the API. `codigo` is stable; `message` is Portuguese, for the screen. */
export class ApiProblem extends Error {
  readonly status: number
  readonly codigo: string
  readonly campos: Record<string, string>
  /** Seconds to wait, from the Retry-After header (429, 503). */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Pick<ProblemBody, 'codigo' | 'detail' | 'campos'>, retryAfter?: number) {
    super(body.detail)
    this.name = 'ApiProblem'
    this.status = status
    this.codigo = body.codigo
    this.campos = body.campos ?? {}
    this.retryAfter = retryAfter
  }
}

export interface ClientOptions {
  /** `https://host/api`, or `/api` in the browser. */
  baseUrl: string
  /** Returns headers for every call, such as Authorization; called for each request. */
  headers?: () => Record<string, string>
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  /** Milliseconds after which the call rejects with a TimeoutError. */
  limitMs?: number
  /** Lets the browser finish the call when the page is closed. */
  keepalive?: boolean
  /** The `versao`, or a set's ETag, that the change is based on; a mismatch answers 412. */
  ifMatch?: number | string | undefined
  /** Additional headers, such as the reason of an archiving. */
  headers?: Record<string, string>
  /** Called with the headers of a successful answer, such as a list's X-Total-Count. */
  onHeaders?: (headers: Headers) => void
}

/**
 * Creates the function that calls the API, typed by the contract of the endpoint.
 * @throws ApiProblem on an error answer, or one that is not JSON (codigo `resposta_invalida`)
 * @throws TypeError or DOMException, like fetch, when the server is unreachable, or on abort
 */
export const createClient =
  ({ baseUrl, headers = () => ({}), fetch: send = fetch }: ClientOptions) =>
  async <E extends Endpoint>(
    endpoint: E,
    ...[input, options = {}]: [input?: Input<E>, options?: CallOptions]
  ): Promise<Output<E>> => {
    const { params, query, body, file } = (input ?? {}) as LooseInput
    const isForm = endpoint.file !== undefined
    const response = await send(baseUrl + address(endpoint.url, params, query), {
      method: endpoint.method,
      headers: {
        // The product specification demands it of every call.
        scope: 'backoffice',
        // fetch sets the content type of a form itself, with its boundary.
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(options.ifMatch === undefined ? {} : { 'if-match': etagOf(options.ifMatch) }),
        ...headers(),
        ...options.headers,
      },
      body: isForm ? formOf(endpoint, body, file) : body === undefined ? null : JSON.stringify(body),
      signal: signalOf(options),
      keepalive: options.keepalive ?? false,
    })
    if (!response.ok) throw await problemOf(response)
    options.onHeaders?.(response.headers)
    if (endpoint.contentType) return (await response.blob()) as Output<E>
    return (response.status === 204 ? undefined : await response.json()) as Output<E>
  }

const signalOf = ({ signal, limitMs }: CallOptions): AbortSignal | null => {
  if (limitMs === undefined) return signal ?? null
  const limit = AbortSignal.timeout(limitMs)
  return signal ? AbortSignal.any([signal, limit]) : limit
}

interface LooseInput {
  params?: object
  query?: object
  body?: unknown
  file?: Blob | undefined
}

/** Returns the multipart body of an endpoint with `file`: text fields, then the file, if any. */
const formOf = (endpoint: Endpoint, body: unknown, file: Blob | undefined): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as object)) {
    if (value !== undefined && value !== null) form.append(name, String(value))
  }
  if (file && endpoint.file) form.append(endpoint.file, file)
  return form
}

export type Call = ReturnType<typeof createClient>

const etagOf = (version: number | string): string => (typeof version === 'number' ? `"${version}"` : version)

const address = (url: string, params: object = {}, query: object = {}): string => {
  const path = Object.entries(params).reduce(
    (text, [name, value]) => text.replace(`:${name}`, encodeURIComponent(String(value))),
    url,
  )
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return search ? `${path}?${search}` : path
}

const problemOf = async (response: Response): Promise<ApiProblem> => {
  const parsed = ProblemBody.safeParse(await response.json().catch(() => undefined))
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  if (parsed.success) return new ApiProblem(response.status, parsed.data, retryAfter)
  const detail = 'O servidor respondeu de forma inesperada. Tente novamente em instantes.'
  return new ApiProblem(response.status, { codigo: 'resposta_invalida', detail }, retryAfter)
}

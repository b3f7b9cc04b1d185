import type { Endpoint, Input, Output } from './endpoint.ts'
import { ProblemBody } from './problems.ts'

/** An error answer of the API. `codigo` is stable; `message` is the Portuguese sentence for the screen. */
export class ApiProblem extends Error {
  readonly status: number
  readonly codigo: string
  readonly campos: Record<string, string>
  /** Seconds to wait, where the server said so (429, 503). */
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
  /** Headers to send with every call (Authorization and the like), asked anew each time. */
  headers?: () => Record<string, string>
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  /** The `versao`, or the ETag of a set, that the change is based on: another than the server's is refused with 412. */
  ifMatch?: number | string | undefined
  /** Sent besides the client's own, such as the reason of an archiving. */
  headers?: Record<string, string>
  /** Hears the headers of a good answer, such as a list's X-Total-Count. */
  onHeaders?: (headers: Headers) => void
}

/**
 * Makes the typed caller of the API.
 * @throws ApiProblem when the API answers an error, or something that is not JSON (codigo `resposta_invalida`).
 * @throws TypeError or DOMException, as fetch does, when the server cannot be reached or the call is aborted.
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
        scope: 'backoffice',
        // Of a form, the type names the boundary too, which only whoever sends it knows.
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(options.ifMatch === undefined ? {} : { 'if-match': tagOf(options.ifMatch) }),
        ...headers(),
        ...options.headers,
      },
      body: isForm ? formOf(endpoint, body, file) : body === undefined ? null : JSON.stringify(body),
      signal: options.signal ?? null,
    })
    if (!response.ok) throw await problemOf(response)
    options.onHeaders?.(response.headers)
    if (endpoint.contentType) return (await response.blob()) as Output<E>
    return (response.status === 204 ? undefined : await response.json()) as Output<E>
  }

interface LooseInput {
  params?: object
  query?: object
  body?: unknown
  file?: Blob | undefined
}

/** The multipart body of an endpoint with `file`: its text fields, then the file where there is one. */
const formOf = (endpoint: Endpoint, body: unknown, file: Blob | undefined): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as object)) {
    if (value !== undefined && value !== null) form.append(name, String(value))
  }
  if (file && endpoint.file) form.append(endpoint.file, file)
  return form
}

export type Call = ReturnType<typeof createClient>

const tagOf = (version: number | string): string => (typeof version === 'number' ? `"${version}"` : version)

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

import type { ProblemCode } from '@bi-manager/contract'
import { outgoingHeaders } from '@bi-manager/telemetry/call-context'
import { type ProviderCall, providerCalls } from '@bi-manager/telemetry/events'
import type { z } from 'zod'
import { limitedBytes } from '../../platform/lib/limited-text.ts'
import { orUndefined } from '../../platform/lib/or-undefined.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { ForeignRedirect, fetchWithin } from './provider-redirects.ts'
import { retryAfterOf } from './retry-after.ts'

/** An error answer of the provider, not yet mapped to a problem. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  readonly status: number
  /** `error.code` of Power BI, `error` of Entra; empty when the answer has none. */
  readonly code: string
  /** Seconds. */
  readonly retryAfter: number | undefined
  /** The name of the refused call, as in power-bi-api.ts. */
  readonly operation: string

  constructor(status: number, { code, description, retryAfter, operation }: Refusal) {
    super(`the provider answered ${status} ${code}: ${description}`.slice(0, 500))
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.operation = operation
  }
}

interface Refusal {
  code: string
  description: string
  retryAfter: number | undefined
  operation: string
}

/** No usable answer: unreachable, connection lost or timeout. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
  readonly origin: string
  /** Whole seconds waited, at least 1. */
  readonly seconds: number

  constructor(url: string, waitedMs: number, cause: unknown) {
    const { origin } = new URL(url)
    super(`no answer from ${origin}`, { cause })
    this.origin = origin
    this.seconds = Math.max(1, Math.round(waitedMs / 1000))
  }
}

/** The provider accepted the call (2xx), and its answer cannot be used. */
class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
  readonly operation: string
  /** Whether the answer did not arrive as a whole; another one of the same call may. */
  readonly isCut: boolean

  constructor({ operation }: ProviderCall, isCut: boolean, cause: unknown) {
    super(isCut ? 'the answer of the provider was cut' : 'the provider gave an unexpected answer', { cause })
    this.operation = operation
    this.isCut = isCut
  }
}

/** Whether the provider may have run this operation, without a usable answer that says so. */
export const mayHaveRun = (operation: string, error: unknown): boolean => {
  if (!(error instanceof Problem)) return false
  const { codigo, cause } = error
  return codigo === 'bi_sem_resposta' || (cause instanceof UnusableAnswer && cause.operation === operation)
}

/** Whether a call that only reads went unanswered: the same call may be answered later. */
export const isUnanswered = (error: unknown): error is Problem =>
  error instanceof Problem &&
  (error.status >= 503 || (error.cause instanceof UnusableAnswer && error.cause.isCut))

type CallInit = RequestInit & { headers?: Record<string, string> }

interface ProviderRequest {
  /** The call's name for metrics and traces. */
  call: ProviderCall
  url: string
  init: CallInit
  timeoutMs: number
  /** The domain of hosts besides the called one that may get the request by a redirect. */
  clusters?: string | undefined
  /** Ends the call before its own limit, when several calls share one limit. */
  deadline?: AbortSignal | undefined
  /** Secrets in the request, which are masked in error texts. */
  hide: string[]
}

/**
 * Calls the provider, with a time limit, and validates the answer.
 * @throws ProviderRefusal for an error answer
 * @throws Problem `bi_sem_resposta`, `bi_indisponivel` or `bi_resposta_invalida`
 */
export const callProvider = async <S extends z.ZodType>(
  request: ProviderRequest & { answer: S },
): Promise<z.output<S>> => (await followProvider(request)).answer

/** Returns what `callProvider` does, and the seconds to wait before the next call. */
export const followProvider = async <S extends z.ZodType>({
  answer,
  ...request
}: ProviderRequest & { answer: S }): Promise<{ answer: z.output<S>; retryAfter: number | undefined }> => {
  const { bytes, headers } = await receive(request)
  const json = jsonOf(bytes)
  const parsed = answer.safeParse(json)
  if (!parsed.success) {
    const cause = new UnusableAnswer(request.call, json === undefined, parsed.error)
    throw new Problem('bi_resposta_invalida', { cause })
  }
  return { answer: parsed.data, retryAfter: retryAfterOf(headers, '') }
}

/** Makes a call whose answer has no content of interest. */
export const sendToProvider = async (request: ProviderRequest): Promise<void> => void (await receive(request))

/** A file of the provider. */
export interface ProviderFile {
  /** The caller must read or return it. Fails when the provider stops sending. */
  chunks: AsyncGenerator<Uint8Array, void>
  /** Undefined when the provider does not say. */
  size: number | undefined
  headers: Headers
}

/**
 * Opens a file, which the caller must validate; it is never in memory as a whole. The time limit
 * applies to each wait for more bytes.
 */
export const streamFromProvider = async (request: ProviderRequest): Promise<ProviderFile> => {
  const { call, timeoutMs, deadline, hide } = request
  const wait = limitedWait(timeoutMs)
  const signal = deadline ? AbortSignal.any([wait.signal, deadline]) : wait.signal
  try {
    const span = { ...call }
    const { response, refused } = await providerCalls.trace(span, () =>
      send(span, request, signal, async (response) => ({
        response,
        refused: response.ok ? undefined : await limitedBytes(response, largestAnswer),
      })),
    )
    if (refused) throw refusalOf(response, jsonOf(refused), { hide, operation: call.operation })
    // The announced length of a compressed answer is another one.
    const isPlain = !response.headers.has('content-encoding')
    const length = Number((isPlain && response.headers.get('content-length')) || Number.NaN)
    const chunks = chunksOf(response, wait, request.url)
    const { headers } = response
    return { chunks, size: Number.isSafeInteger(length) ? length : undefined, headers }
  } catch (error) {
    wait.stop()
    throw error
  }
}

/** Aborts its signal after a time without `stop`; a wait begins at once and with each `start`. */
const limitedWait = (limitMs: number) => {
  const waiting = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const start = () => {
    stop()
    timer = setTimeout(() => waiting.abort(new DOMException('no more bytes', 'TimeoutError')), limitMs)
  }
  start()
  return { signal: waiting.signal, start, stop }
}

async function* chunksOf(
  response: Response,
  wait: ReturnType<typeof limitedWait>,
  url: string,
): AsyncGenerator<Uint8Array, void> {
  let started = performance.now()
  try {
    for await (const chunk of response.body ?? []) {
      // The reader of the file may be slow.
      wait.stop()
      yield chunk
      wait.start()
      started = performance.now()
    }
  } catch (error) {
    throw problemOfSilence(url, started, error)
  } finally {
    wait.stop()
  }
}

/** Maps the refusal of a report's call to the problem that the viewer sees. */
export const problemOfRefusal = (refusal: ProviderRefusal): Problem => {
  const { status, retryAfter, message } = refusal
  const cause = refusal
  // Microsoft sends 403 for this quota; waiting does not help.
  if (spentTokens.test(message)) return new Problem('bi_cota_esgotada', { cause })
  if (overloadedCapacity.test(message))
    return new Problem('bi_sobrecarregado', { retryAfter: retryAfter ?? 60, cause })
  if (status === 429) return new Problem('bi_sobrecarregado', { retryAfter: retryAfter ?? 30, cause })
  if (/identity/i.test(message) && status < 500) return new Problem('bi_identidade_necessaria', { cause })
  if (pausedCapacity.test(message)) return new Problem('bi_pausado', { cause })
  if (/capacity/i.test(message)) return new Problem('bi_indisponivel', { cause })
  return new Problem(byStatus[status] ?? (status >= 500 ? 'bi_indisponivel' : 'bi_resposta_invalida'), {
    cause,
  })
}

/** Text of the refusal when a workspace without a capacity has used up its embed tokens. */
const spentTokens = /exceeded the amount of embed token/i

/** The capacity computes more than it has paid for, so it refuses calls for some minutes. */
const overloadedCapacity = /CapacityLimitExceeded|capacity has exceeded its limits/i

/** Microsoft's `CapacityNotActive`, sent with 400, 404 or 503, and similar texts. */
const pausedCapacity = /capacity\s*(is\s*)?(not\s*active|inactive|paused|suspended)|paused/i

const byStatus: Record<number, ProblemCode> = {
  401: 'bi_sem_acesso',
  403: 'bi_sem_acesso',
  404: 'bi_relatorio_inexistente',
  507: 'sem_espaco',
}

const receive = async (request: ProviderRequest) => {
  const { call, timeoutMs, deadline, hide } = request
  const own = AbortSignal.timeout(timeoutMs)
  const signal = deadline ? AbortSignal.any([own, deadline]) : own
  // A new object per call: a repeated request is another span.
  const span = { ...call }
  const { response, bytes } = await providerCalls.trace(span, () =>
    send(span, request, signal, async (response) => ({
      response,
      bytes: await limitedBytes(response, largestAnswer),
    })),
  )
  if (!response.ok) throw refusalOf(response, jsonOf(bytes), { hide, operation: call.operation })
  return { bytes, headers: response.headers }
}

const send = async <T>(
  span: ProviderCall,
  { url, init, clusters }: ProviderRequest,
  signal: AbortSignal,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  const started = performance.now()
  let hasAnswered = false
  try {
    const headers = { ...outgoingHeaders(), ...init.headers }
    const response = await fetchWithin(clusters, url, { ...init, headers, signal })
    span.outcome = String(response.status)
    hasAnswered = response.ok
    return await read(response)
  } catch (error) {
    // Cut, larger than announced or allowed, or not what its encoding says.
    if (hasAnswered && !signal.aborted)
      throw new Problem('bi_resposta_invalida', { cause: new UnusableAnswer(span, true, error) })
    if (error instanceof ForeignRedirect) {
      span.outcome = 'unreachable'
      throw new Problem('bi_indisponivel', { cause: error })
    }
    span.outcome = isTimeout(error) ? 'timeout' : 'unreachable'
    throw problemOfSilence(url, started, error)
  }
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError'

/** @param started when the wait for the provider began, on the clock of `performance.now()` */
const problemOfSilence = (url: string, started: number, error: unknown): Problem => {
  const cause = new ProviderUnreachable(url, performance.now() - started, error)
  return new Problem(isTimeout(error) ? 'bi_sem_resposta' : 'bi_indisponivel', { cause })
}

/** Bytes; far above any list of groups or reports. */
const largestAnswer = 32 * 1024 * 1024

/** An error answer may lack JSON; for a successful one, the schema refuses undefined. */
const jsonOf = (bytes: Buffer): unknown => orUndefined(() => JSON.parse(bytes.toString('utf8')))

/**
 * Entra answers `{error: code, error_description}`, Power BI `{error: {code, message}}`, its
 * gateway `{Message}` or only a header with the reason, Fabric `{errorCode, message}`.
 */
const refusalOf = (
  response: Response,
  json: unknown,
  { hide, operation }: { hide: string[]; operation: string },
): ProviderRefusal => {
  const { error, error_description, Message, errorCode, message: fabricMessage } = fieldsOf(json)
  const { code, message } =
    typeof error === 'string'
      ? { code: error, message: error_description }
      : { code: errorCode, message: fabricMessage, ...fieldsOf(error) }
  const shown = (text: string) =>
    hide.reduce((kept, secret) => (secret ? kept.replaceAll(secret, '***') : kept), text)
  const reason = textOf(code) || (response.headers.get('x-powerbi-error-info') ?? '')
  const description = textOf(message) || textOf(Message)
  return new ProviderRefusal(response.status, {
    code: shown(reason),
    description: shown(description),
    retryAfter: retryAfterOf(response.headers, description),
    operation,
  })
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

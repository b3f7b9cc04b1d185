import type { ProblemCode } from '@bi-manager/contract'
import { outgoingHeaders } from '@bi-manager/telemetry/call-context'
import { type ProviderCall, providerCalls } from '@bi-manager/telemetry/events'
import type { z } from 'zod'
import { limitedBytes } from '../lib/limited-text.ts'
import { Problem } from '../lib/problem.ts'

/** An error answer of the provider, not yet mapped to a problem. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  readonly status: number
  /** `error.code` of Power BI, `error` of Entra; empty when the answer has none. */
  readonly code: string
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, description: string, retryAfter: number | undefined) {
    super(`the provider answered ${status} ${code}: ${description}`.slice(0, 500))
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** No usable answer: unreachable, connection lost, redirect or timeout. */
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

type CallInit = RequestInit & { headers?: Record<string, string> }

interface ProviderRequest {
  /** The call's name for metrics and traces. */
  call: ProviderCall
  url: string
  init: CallInit
  timeoutMs: number
  /** Ends the call before its own limit, when several calls share one limit. */
  deadline?: AbortSignal | undefined
  /** Secrets in the request, which are masked in error texts. */
  hide: string[]
}

/**
 * Calls the provider, with a time limit and without redirects, and validates the answer.
 * @throws ProviderRefusal for an error answer
 * @throws Problem `bi_sem_resposta`, `bi_indisponivel` or `bi_resposta_invalida`
 */
export const callProvider = async <S extends z.ZodType>({
  answer,
  ...request
}: ProviderRequest & { answer: S }): Promise<z.output<S>> => {
  const parsed = answer.safeParse(jsonOf(await receive(request)))
  if (!parsed.success) throw new Problem('bi_resposta_invalida', { cause: parsed.error })
  return parsed.data
}

/** Calls the provider for a file, which the caller must validate. */
export const fetchFromProvider = (request: ProviderRequest): Promise<Buffer> => receive(request)

/** Maps the refusal of a report's call to the problem that the viewer sees. */
export const problemOfRefusal = (refusal: ProviderRefusal): Problem => {
  const { status, retryAfter, message } = refusal
  const cause = refusal
  if (status === 429) return new Problem('bi_sobrecarregado', { retryAfter: retryAfter ?? 30, cause })
  if (/identity/i.test(message) && status < 500) return new Problem('bi_identidade_necessaria', { cause })
  if (pausedCapacity.test(message)) return new Problem('bi_pausado', { cause })
  if (/capacity/i.test(message)) return new Problem('bi_indisponivel', { cause })
  return new Problem(byStatus[status] ?? (status >= 500 ? 'bi_indisponivel' : 'bi_resposta_invalida'), {
    cause,
  })
}

/** Microsoft's `CapacityNotActive`, sent with 400, 404 or 503, and similar texts. */
const pausedCapacity = /capacity\s*(is\s*)?(not\s*active|inactive|paused|suspended)|paused/i

const byStatus: Record<number, ProblemCode> = {
  401: 'bi_sem_acesso',
  403: 'bi_sem_acesso',
  404: 'bi_relatorio_inexistente',
  507: 'sem_espaco',
}

const receive = async ({ call, url, init, timeoutMs, deadline, hide }: ProviderRequest): Promise<Buffer> => {
  const own = AbortSignal.timeout(timeoutMs)
  const signal = deadline ? AbortSignal.any([own, deadline]) : own
  // A new object per call: a repeated request is another span.
  const span = { ...call }
  const { response, bytes } = await providerCalls.trace(span, () => send(span, url, { ...init, signal }))
  if (!response.ok) throw refusalOf(response, jsonOf(bytes), hide)
  return bytes
}

const send = async (span: ProviderCall, url: string, init: CallInit) => {
  const started = performance.now()
  try {
    const headers = { ...outgoingHeaders(), ...init.headers }
    const response = await fetch(url, { ...init, headers, redirect: 'error' })
    span.outcome = String(response.status)
    return { response, bytes: await limitedBytes(response, largestAnswer) }
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
    span.outcome = timedOut ? 'timeout' : 'unreachable'
    const cause = new ProviderUnreachable(url, performance.now() - started, error)
    throw new Problem(timedOut ? 'bi_sem_resposta' : 'bi_indisponivel', { cause })
  }
}

/** Bytes; far above any list of groups or reports, and any exported file. */
const largestAnswer = 32 * 1024 * 1024

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // The caller decides: an error answer may lack JSON, a successful one may not.
    return undefined
  }
}

/**
 * Entra answers `{error: code, error_description}`, Power BI `{error: {code, message}}`, its
 * gateway `{Message}` or only a header with the reason.
 */
const refusalOf = (response: Response, json: unknown, hide: string[]): ProviderRefusal => {
  const { error, error_description, Message } = (json ?? {}) as Record<string, unknown>
  const { code, message } =
    typeof error === 'string'
      ? { code: error, message: error_description }
      : ((error ?? {}) as { code?: unknown; message?: unknown })
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const shown = (text: string) =>
    hide.reduce((kept, secret) => (secret ? kept.replaceAll(secret, '***') : kept), text)
  const reason = textOf(code) || (response.headers.get('x-powerbi-error-info') ?? '')
  const description = textOf(message) || textOf(Message)
  return new ProviderRefusal(response.status, shown(reason), shown(description), retryAfter)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

import type { ProblemCode } from '@bi-manager/contract'
import { outgoingHeaders } from '@bi-manager/telemetry/call-context'
import { type ProviderCall, providerCalls } from '@bi-manager/telemetry/events'
import type { z } from 'zod'
import { limitedBytes } from '../limited-text.ts'
import { Problem } from '../problem.ts'

/** An error answer of the provider, before anybody has decided what it means for the person who asked. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
  readonly status: number
  /** `error.code` of Power BI, `error` of Entra; empty where the answer had none. */
  readonly code: string
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, description: string, retryAfter: number | undefined) {
    super(`the provider answered ${status} ${code}: ${description}`.slice(0, 500))
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** No answer came at all: nobody there, a broken connection, a redirect, or too late. */
export class ProviderSilence extends Error {
  override readonly name = 'ProviderSilence'
  readonly origin: string
  /** Whole seconds that were waited, at least 1. */
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
  /** What is called, for metrics and traces. */
  call: ProviderCall
  url: string
  init: CallInit
  timeoutMs: number
  /** Ends the call earlier than its own limit, where several calls have one limit together. */
  deadline?: AbortSignal | undefined
  /** Secrets that were sent: an answer that repeats one is kept without it. */
  hide: string[]
}

/**
 * One call to the provider: limited in time, never redirected, its answer checked.
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

/** The same for a file, which the caller judges. */
export const fetchFromProvider = (request: ProviderRequest): Promise<Buffer> => receive(request)

/** The problem that a refusal of a report's call is for the person who opens it. */
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

/** Microsoft's `CapacityNotActive`, which comes with 400, 404 or 503, and its kin. */
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
  // One object a call: a request that is sent again is another call.
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
    const cause = new ProviderSilence(url, performance.now() - started, error)
    throw new Problem(timedOut ? 'bi_sem_resposta' : 'bi_indisponivel', { cause })
  }
}

/** Bytes: far above any list of groups or reports, and any page as a file. */
const largestAnswer = 32 * 1024 * 1024

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // Judged by the caller: an error answer may well have no JSON, a good one may not.
    return undefined
  }
}

/**
 * Entra answers `{error: code, error_description}`, Power BI `{error: {code, message}}`, its gateway `{Message}` or nothing
 * but a header that names the reason.
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

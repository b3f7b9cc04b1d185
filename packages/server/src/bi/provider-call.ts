import type { ProblemCode } from '@bi-manager/contract'
import type { z } from 'zod'
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

interface ProviderRequest<S extends z.ZodType> {
  url: string
  init: RequestInit
  answer: S
  timeoutMs: number
}

/**
 * One call to the provider: limited in time, never redirected, its answer checked.
 * @throws ProviderRefusal for an error answer
 * @throws Problem `bi_sem_resposta`, `bi_indisponivel` or `bi_resposta_invalida`
 */
export const callProvider = async <S extends z.ZodType>({
  url,
  init,
  answer,
  timeoutMs,
}: ProviderRequest<S>): Promise<z.output<S>> => {
  const { response, text } = await send(url, init, timeoutMs)
  const json = jsonOf(text)
  if (!response.ok) throw refusalOf(response, json)
  const parsed = answer.safeParse(json)
  if (!parsed.success) throw new Problem('bi_resposta_invalida', { cause: parsed.error })
  return parsed.data
}

/** The problem that a refusal of a report's call is for the person who opens it. */
export const problemOfRefusal = ({ status, code, retryAfter, message }: ProviderRefusal): Problem => {
  const cause = message
  if (status === 429) return new Problem('bi_sobrecarregado', { retryAfter: retryAfter ?? 30, cause })
  if (/identity/i.test(`${code} ${message}`) && status < 500)
    return new Problem('bi_identidade_necessaria', { cause })
  if (/capacity|paused/i.test(`${code} ${message}`)) return new Problem('bi_indisponivel', { cause })
  return new Problem(byStatus[status] ?? (status >= 500 ? 'bi_indisponivel' : 'bi_resposta_invalida'), {
    cause,
  })
}

const byStatus: Record<number, ProblemCode> = {
  401: 'bi_sem_acesso',
  403: 'bi_sem_acesso',
  404: 'bi_relatorio_inexistente',
}

const send = async (url: string, init: RequestInit, timeoutMs: number) => {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return { response, text: await response.text() }
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError'
    throw new Problem(timedOut ? 'bi_sem_resposta' : 'bi_indisponivel', { cause })
  }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Judged by the caller: an error answer may well have no JSON, a good one may not.
    return undefined
  }
}

const refusalOf = (response: Response, json: unknown): ProviderRefusal => {
  const { error, error_description } = (json ?? {}) as { error?: unknown; error_description?: string }
  const { code = '', message = '' } =
    typeof error === 'string'
      ? { code: error, message: error_description }
      : ((error ?? {}) as { code?: string; message?: string })
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  return new ProviderRefusal(response.status, code, message, retryAfter)
}

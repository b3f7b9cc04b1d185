import { Problem } from '../lib/problem.ts'
import type { Connection } from './connection.ts'
import { type Asked, adviceTable } from './provider-advice-table.ts'
import { ProviderRefusal, ProviderUnreachable } from './provider-call.ts'

/**
 * Returns the sentence for an administrator: what is wrong at the provider, and what to do. Never
 * the provider's own text, which may be long and repeat the request; only its code.
 */
export const adviceFor = (
  problem: Problem,
  asked: Asked,
  { provider, credential }: Pick<Connection, 'provider' | 'credential'>,
): string => {
  const said = textOf(problem.cause)
  const row = adviceTable.find(
    (candidate) =>
      (!candidate.codigo || candidate.codigo === problem.codigo) &&
      (!candidate.says || candidate.says.test(said)) &&
      (!candidate.asked || candidate.asked.includes(asked)) &&
      (!candidate.credential || candidate.credential === credential.kind),
  )
  const sentence = row?.[provider] ?? problem.message
  const filled = sentence.replace(/\{(\w+)\}/g, (_, name: string) => valuesOf(problem)[name] ?? '')
  const code = provider === 'microsoft' ? codeOf(problem.cause) : undefined
  return code ? `${filled} (Código: ${code}.)` : filled
}

/** Returns the same problem with the sentence for administrators instead of viewers. */
export const withAdminAdvice = (error: unknown, asked: Asked, connection: Connection): unknown => {
  if (!(error instanceof Problem)) return error
  const { codigo, retryAfter, cause } = error
  const detail = adviceFor(error, asked, connection)
  return new Problem(codigo, { detail, cause, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

const textOf = (cause: unknown): string =>
  cause instanceof ProviderRefusal || cause instanceof ProviderUnreachable ? cause.message : ''

const valuesOf = ({ cause, retryAfter }: Problem): Record<string, string> => ({
  espera: inSeconds(retryAfter ?? 30),
  ...(cause instanceof ProviderUnreachable ? { origem: cause.origin, tempo: inSeconds(cause.seconds) } : {}),
  ...(cause instanceof ProviderRefusal ? { status: String(cause.status) } : {}),
})

const inSeconds = (seconds: number): string => (seconds === 1 ? '1 segundo' : `${seconds} segundos`)

const codeOf = (cause: unknown): string | undefined => {
  if (!(cause instanceof ProviderRefusal)) return undefined
  const [entra] = /AADSTS\d{3,10}/.exec(cause.message) ?? []
  // Letters only, as in Power BI's codes; nothing else is repeated.
  return entra ?? /^[A-Za-z]{3,60}$/.exec(cause.code)?.[0]
}

import { connectionFault, faultSentence } from '../../platform/lib/connection-fault.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { Connection } from './connection.ts'
import { adviceTable } from './provider-advice-table.ts'
import { ProviderRefusal, ProviderUnreachable } from './provider-call.ts'
import { ForeignRedirect } from './provider-redirects.ts'

/**
 * Returns the sentence for an administrator: what is wrong at the provider, and what to do. Never
 * the provider's own text, which may be long and repeat the request; only its code.
 */
export const adviceFor = (
  problem: Problem,
  { provider, credential, profileId }: Pick<Connection, 'provider' | 'credential' | 'profileId'>,
): string => {
  if (problem.cause instanceof ProviderUnreachable) {
    const fault = connectionFault(problem.cause)
    if (fault) return `${faultSentence(fault, `de ${problem.cause.origin}`)}.`
  }
  const said = textOf(problem.cause)
  const operation = operationOf(problem.cause)
  const row = adviceTable.find(
    (candidate) =>
      (!candidate.codigo || candidate.codigo === problem.codigo) &&
      (!candidate.says || candidate.says.test(said)) &&
      (!candidate.operations || candidate.operations.includes(operation)) &&
      (!candidate.credential || candidate.credential === credential.kind) &&
      (!candidate.profile || profileId !== undefined),
  )
  const sentence = row?.[provider] ?? problem.message
  const filled = sentence.replace(/\{(\w+)\}/g, (_, name: string) => valuesOf(problem)[name] ?? '')
  const code = provider === 'microsoft' ? codeOf(problem.cause) : undefined
  return code ? `${filled} (Código: ${code}.)` : filled
}

/** Returns the same problem with the sentence for administrators instead of viewers. */
export const withAdminAdvice = (error: unknown, connection: Connection): unknown => {
  if (!(error instanceof Problem)) return error
  const { codigo, retryAfter, cause } = error
  const detail = adviceFor(error, connection)
  return new Problem(codigo, { detail, cause, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

const textOf = (cause: unknown): string =>
  cause instanceof ProviderRefusal || cause instanceof ProviderUnreachable || cause instanceof ForeignRedirect
    ? cause.message
    : ''

const operationOf = (cause: unknown): string => (cause instanceof ProviderRefusal ? cause.operation : '')

/** The scopes that Microsoft's description requires for each call of a user. */
const permissionOf: Record<string, string> = {
  listGroups: 'Workspace.Read.All',
  listReports: 'Report.Read.All',
  getReport: 'Report.Read.All',
  getDataset: 'Dataset.Read.All',
  listDatasets: 'Dataset.Read.All',
  listRefreshes: 'Dataset.Read.All',
  getRefreshSchedule: 'Dataset.Read.All',
  startRefresh: 'Dataset.ReadWrite.All',
  generateToken: 'Report.Read.All e Dataset.Read.All',
}

const valuesOf = ({ cause, retryAfter }: Problem): Record<string, string> => ({
  espera: inWords(retryAfter ?? 30),
  permissao: permissionOf[operationOf(cause)] ?? 'Report.Read.All',
  ...(cause instanceof ProviderUnreachable ? { origem: cause.origin, tempo: inWords(cause.seconds) } : {}),
  ...(cause instanceof ForeignRedirect ? { origem: cause.from, destino: cause.to } : {}),
  ...(cause instanceof ProviderRefusal ? { status: String(cause.status) } : {}),
})

const inWords = (seconds: number): string => {
  if (seconds < 120) return seconds === 1 ? '1 segundo' : `${seconds} segundos`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutos` : `${Math.ceil(minutes / 60)} horas`
}

const codeOf = (cause: unknown): string | undefined => {
  if (!(cause instanceof ProviderRefusal)) return undefined
  const [entra] = /AADSTS\d{3,10}/.exec(cause.message) ?? []
  // Letters only, as in Power BI's codes; nothing else is repeated.
  return entra ?? /^[A-Za-z]{3,60}$/.exec(cause.code)?.[0]
}

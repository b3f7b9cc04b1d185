import type { SecretReading } from '@bi-manager/contract'
import { z } from 'zod'
import { connectionFault } from '../../platform/lib/connection-fault.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { CallLimits, Connection } from '../power-bi/connection.ts'
import { createEntraTokens } from '../power-bi/entra-tokens.ts'
import { adviceFor } from '../power-bi/provider-advice.ts'
import { callProvider, ProviderRefusal } from '../power-bi/provider-call.ts'

/**
 * `expiresAt` is known exactly when the date was read ('lida'). `fault` says to administrators
 * which certificate or proxy stopped the call.
 */
export type SecretExpiry =
  | { reading: 'lida'; expiresAt: Date }
  | { reading: Exclude<SecretReading, 'lida'>; expiresAt: null; fault?: string }

/** Microsoft Graph's passwordCredential; `hint` has the secret's first three characters. */
const Credential = z.object({
  hint: z.string().nullish(),
  startDateTime: z.iso.datetime({ offset: true }).nullish(),
  endDateTime: z.iso.datetime({ offset: true }).nullish(),
})
const Application = z.object({ passwordCredentials: z.array(Credential) })

type ReadOptions = CallLimits & { now: () => Date }

/** Returns whether Microsoft Graph may know when the secret expires. */
export const hasReadableExpiry = ({ provider, credential }: Connection): boolean =>
  provider === 'microsoft' && credential.kind === 'service_principal'

/**
 * Asks Microsoft Graph when a service principal's secret expires, as the service principal itself.
 * Requires the application permission Application.Read.All.
 * https://learn.microsoft.com/graph/api/application-get
 */
export const readSecretExpiry = async (
  connection: Connection,
  { now, ...limits }: ReadOptions,
): Promise<SecretExpiry> => {
  const { graph } = limits.addresses[connection.provider]
  if (!graph) return withoutDate('nao_encontrada')
  try {
    const tokens = createEntraTokens({ ...limits, now, scope: `${graph}/.default` })
    const token = await tokens.tokenFor(connection)
    const appId = encodeURIComponent(connection.applicationId.replaceAll("'", "''"))
    const { passwordCredentials } = await callProvider({
      call: { provider: connection.provider, operation: 'readSecretExpiry' },
      url: `${graph}/v1.0/applications(appId='${appId}')?$select=passwordCredentials`,
      init: { headers: { authorization: `Bearer ${token}` } },
      answer: Application,
      timeoutMs: limits.timeoutMs,
      deadline: limits.deadline,
      hide: [token],
    })
    const expiresAt = expiryOf(passwordCredentials, connection.secret(), now())
    return expiresAt ? { reading: 'lida', expiresAt } : withoutDate('nao_encontrada')
  } catch (error) {
    if (error instanceof ProviderRefusal) return withoutDate(readingOfRefusal(error))
    if (!(error instanceof Problem)) throw error
    const isFault = connectionFault(error.cause) !== undefined
    return { ...withoutDate('falhou'), ...(isFault ? { fault: adviceFor(error, connection) } : {}) }
  }
}

const withoutDate = (reading: Exclude<SecretReading, 'lida'>): SecretExpiry => ({ reading, expiresAt: null })

/** Graph answers 404 when the application is registered in another tenant. */
const readingOfRefusal = ({ status }: ProviderRefusal): Exclude<SecretReading, 'lida'> =>
  status === 401 || status === 403 ? 'sem_permissao' : status === 404 ? 'nao_encontrada' : 'falhou'

/**
 * Returns the expiry of the secret in use. Entra has just accepted it, so it is among the valid
 * ones; of several with the same hint, the earliest expiry counts. Old secrets have no hint.
 */
const expiryOf = (all: z.output<typeof Credential>[], secret: string, now: Date): Date | undefined => {
  const valid = all.flatMap(({ hint, startDateTime, endDateTime }) => {
    const end = new Date(endDateTime ?? Number.NaN)
    const hasBegun = !startDateTime || new Date(startDateTime) <= now
    return hasBegun && end > now ? [{ hint, end }] : []
  })
  const hinted = valid.filter(({ hint }) => hint === secret.slice(0, 3))
  const candidates = hinted.length > 0 ? hinted : valid.filter(({ hint }) => !hint)
  return candidates.map(({ end }) => end).sort((a, b) => a.getTime() - b.getTime())[0]
}

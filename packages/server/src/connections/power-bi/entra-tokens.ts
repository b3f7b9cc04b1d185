import { cacheLookups } from '@bi-manager/telemetry/events'
import { z } from 'zod'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { CallLimits, Connection } from './connection.ts'
import { callProvider, ProviderRefusal, problemOfRefusal } from './provider-call.ts'

const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() })

interface EntraToken {
  value: string
  renewAfter: number
  expiresAt: number
}

interface Kept {
  current?: EntraToken
  renewing?: Promise<EntraToken> | undefined
}

export type EntraTokens = ReturnType<typeof createEntraTokens>

/**
 * Returns a cache of Entra tokens, one per connection; concurrent callers share one request.
 * Renewed at half its life: an embed token lives no longer than the Entra token behind it, so late
 * renewal would shorten embed tokens.
 */
export const createEntraTokens = ({
  addresses,
  timeoutMs,
  deadline,
  now,
  scope,
}: CallLimits & { now: () => Date; scope?: string }) => {
  const kept = createBoundedCache<Kept>(1_000)

  const request = async (connection: Connection): Promise<EntraToken> => {
    const asked = now().getTime()
    const { authority, scope: powerBi } = addresses[connection.provider]
    const grant = grantOf(connection, scope ?? powerBi)
    const answer = await callProvider({
      call: { provider: connection.provider, operation: 'token' },
      url: `${authority}/${encodeURIComponent(connection.tenantId)}/oauth2/v2.0/token`,
      init: { method: 'POST', body: new URLSearchParams(grant) },
      answer: TokenAnswer,
      timeoutMs,
      deadline,
      hide: [grant.client_secret ?? '', grant.password ?? ''],
    })
    const life = answer.expires_in * 1000
    return { value: answer.access_token, renewAfter: asked + life / 2, expiresAt: asked + life }
  }

  const renew = (entry: Kept, connection: Connection): Promise<EntraToken> => {
    entry.renewing ??= request(connection)
      .then((token) => {
        entry.current = token
        return token
      })
      .catch((error: unknown) => {
        throw credentialProblem(error)
      })
      .finally(() => {
        entry.renewing = undefined
      })
    return entry.renewing
  }

  /** Returns a bearer token for the connection, other than the `refused` one. */
  const tokenFor = async (connection: Connection, refused?: string): Promise<string> => {
    const key = `${connection.id}.${connection.version}`
    const entry = kept.get(key) ?? {}
    kept.set(key, entry)
    const time = now().getTime()
    const { current } = entry
    const isUsable = current !== undefined && current.value !== refused && time < current.expiresAt
    const isFresh = isUsable && time < current.renewAfter
    cacheLookups.publish({ cache: 'entra_token', isHit: isFresh })
    if (isFresh) return current.value
    try {
      return (await renew(entry, connection)).value
    } catch (error) {
      if (!isUsable) throw error
      // The next attempt waits, so that no caller waits for Entra while the token is valid.
      current.renewAfter = Math.min(now().getTime() + retryMs, current.expiresAt)
      return current.value
    }
  }
  return { tokenFor }
}

const retryMs = 30_000

const grantOf = ({ applicationId, credential, secret }: Connection, scope: string): Record<string, string> =>
  credential.kind === 'service_principal'
    ? {
        grant_type: 'client_credentials',
        client_id: applicationId,
        client_secret: secret(),
        scope,
      }
    : {
        grant_type: 'password',
        client_id: applicationId,
        username: credential.username,
        password: secret(),
        scope: `${scope} openid`,
      }

const credentialProblem = (error: unknown): unknown => {
  if (!(error instanceof ProviderRefusal)) return error
  if (error.status === 429 || error.status >= 500) return problemOfRefusal(error)
  return new Problem('bi_credencial_recusada', { cause: error })
}

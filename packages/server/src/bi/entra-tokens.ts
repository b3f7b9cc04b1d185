import { z } from 'zod'
import type { ProviderAddresses } from '../config.ts'
import { Problem } from '../problem.ts'
import type { Connection } from './connection.ts'
import { callProvider, ProviderRefusal, problemOfRefusal } from './provider-call.ts'

const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() })

interface EntraToken {
  value: string
  renewAfter: number
  expiresAt: number
}

export interface EntraTokens {
  /** A bearer token for the connection. `fresh` asks anew, for when the provider refused the one at hand. */
  tokenFor: (connection: Connection, options?: { fresh?: boolean }) => Promise<string>
}

interface Options {
  addresses: Record<Connection['provider'], ProviderAddresses>
  timeoutMs: number
  now: () => Date
}

/**
 * Entra tokens, one a connection, asked once however many wait. They are renewed at half their life: an embed token lives
 * only as long as what remains of the Entra token behind it, so a late renewal would make embeds grow shorter and shorter.
 */
export const createEntraTokens = ({ addresses, timeoutMs, now }: Options): EntraTokens => {
  const tokens = new Map<string, Promise<EntraToken>>()

  const request = async (connection: Connection): Promise<EntraToken> => {
    const asked = now().getTime()
    const answer = await callProvider({
      url: `${addresses[connection.provider].authority}/${encodeURIComponent(connection.tenantId)}/oauth2/v2.0/token`,
      init: { method: 'POST', body: new URLSearchParams(grantOf(connection)) },
      answer: TokenAnswer,
      timeoutMs,
    })
    const life = answer.expires_in * 1000
    return { value: answer.access_token, renewAfter: asked + life / 2, expiresAt: asked + life }
  }

  const tokenFor: EntraTokens['tokenFor'] = async (connection, { fresh = false } = {}) => {
    const key = `${connection.id}.${connection.version}`
    const current = await tokens.get(key)?.catch(() => undefined)
    const time = now().getTime()
    if (current && !fresh && time < current.renewAfter) return current.value
    const renewal = tokens.get(key)
    // Somebody else's renewal may have begun while this one waited.
    const latest = renewal && (await renewal.catch(() => undefined))
    if (latest && latest !== current) return latest.value
    const requested = request(connection)
    tokens.set(key, requested)
    try {
      return (await requested).value
    } catch (error) {
      if (current && !fresh && time < current.expiresAt) tokens.set(key, Promise.resolve(current))
      else tokens.delete(key)
      if (current && !fresh && time < current.expiresAt) return current.value
      throw credentialProblem(error)
    }
  }
  return { tokenFor }
}

const powerBiScope = 'https://analysis.windows.net/powerbi/api/.default'

const grantOf = ({ applicationId, credential, secret }: Connection): Record<string, string> =>
  credential.kind === 'service_principal'
    ? {
        grant_type: 'client_credentials',
        client_id: applicationId,
        client_secret: secret(),
        scope: powerBiScope,
      }
    : {
        grant_type: 'password',
        client_id: applicationId,
        username: credential.username,
        password: secret(),
        scope: `${powerBiScope} openid`,
      }

const credentialProblem = (error: unknown): unknown => {
  if (!(error instanceof ProviderRefusal)) return error
  if (error.status === 429 || error.status >= 500) return problemOfRefusal(error)
  return new Problem('bi_credencial_recusada', { cause: error.message })
}

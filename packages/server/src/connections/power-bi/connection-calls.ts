import type { z } from 'zod'
import type { CallLimits, Connection } from './connection.ts'
import type { EntraTokens } from './entra-tokens.ts'
import { callProvider, ProviderRefusal, problemOfRefusal, type sendToProvider } from './provider-call.ts'

/** The request of one call. */
export interface Sent {
  /** A fixed name, for metrics and traces. */
  operation: string
  path: string
  body?: object | undefined
  /** A file as the body. */
  file?: Uint8Array<ArrayBuffer> | undefined
  headers?: Record<string, string> | undefined
  /** The answer or the file may take longer than other calls. */
  slow?: boolean
  /** Milliseconds in place of the limit that the settings give to each call. */
  timeoutMs?: number
  /** Ends the call before its own limit, when several calls share one limit. */
  until?: AbortSignal
}

/** Factor of the time limit of slow calls; of a received file it applies to each wait for more bytes. */
const slowTimes = 4

/** Returns functions that call a provider below `/v1.0/myorg` as a connection. */
export const createConnectionCalls = ({
  addresses,
  timeoutMs,
  deadline,
  tokens,
}: CallLimits & { tokens: EntraTokens }) => {
  /** Makes a call with the connection's Entra token; repeats it with a new one if refused. */
  const asConnection = async <T>(
    connection: Connection,
    { operation, path, body, file, slow = false, timeoutMs: most, headers = {}, until }: Sent,
    send: (request: Parameters<typeof sendToProvider>[0]) => Promise<T>,
    refused: (refusal: ProviderRefusal) => unknown = problemOfRefusal,
  ): Promise<T> => {
    const attempt = (token: string) =>
      send({
        call: { provider: connection.provider, operation },
        url: `${addresses[connection.provider].api}/v1.0/myorg${path}`,
        init: {
          method: body || file ? 'POST' : 'GET',
          headers: {
            authorization: `Bearer ${token}`,
            ...(connection.profileId ? { 'x-powerbi-profile-id': connection.profileId } : {}),
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...(file ? { 'content-type': 'application/octet-stream' } : {}),
            ...headers,
          },
          body: file ?? (body ? JSON.stringify(body) : null),
        },
        clusters: addresses[connection.provider].clusters,
        timeoutMs: most ?? (slow ? timeoutMs * slowTimes : timeoutMs),
        deadline: until && deadline ? AbortSignal.any([until, deadline]) : (until ?? deadline),
        hide: [token],
      })
    try {
      const token = await tokens.tokenFor(connection)
      return await attempt(token).catch(async (error: unknown) => {
        if (!isTokenRefused(error)) throw error
        return attempt(await tokens.tokenFor(connection, token))
      })
    } catch (error) {
      throw error instanceof ProviderRefusal ? refused(error) : error
    }
  }

  const call = <S extends z.ZodType>(
    connection: Connection,
    sent: Sent,
    answer: S,
    refused?: (refusal: ProviderRefusal) => unknown,
  ) => asConnection(connection, sent, (request) => callProvider({ ...request, answer }), refused)

  return { asConnection, call }
}

/** The Entra token was refused; a new one may help once. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof ProviderRefusal &&
  (error.status === 401 || (error.status === 403 && error.code === 'TokenExpired'))

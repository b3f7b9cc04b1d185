import { z } from 'zod'
import type { ProviderAddresses } from '../config.ts'
import type { Connection } from './connection.ts'
import type { EntraTokens } from './entra-tokens.ts'
import { callProvider, ProviderRefusal, problemOfRefusal } from './provider-call.ts'

/* The calls of Power BI's REST API that the portal makes, the same to Microsoft and to the local service. */

const Report = z.object({
  id: z.string(),
  name: z.string(),
  embedUrl: z.url(),
  datasetId: z.string().optional(),
  datasetWorkspaceId: z.string().optional(),
})
/** Paginated reports have no dataset and are listed all the same. */
const ListedReport = z.object({
  id: z.string(),
  name: z.string().optional(),
  datasetId: z.string().optional(),
})
const Reports = z.object({ value: z.array(ListedReport) })
const Groups = z.object({ value: z.array(z.object({ id: z.string(), name: z.string().optional() })) })
const flag = z.boolean().default(false)
/** Microsoft's description writes these with a capital, its documentation without: neither may be missed. */
const Dataset = z
  .object({
    id: z.string(),
    isEffectiveIdentityRequired: flag,
    IsEffectiveIdentityRequired: flag,
    isEffectiveIdentityRolesRequired: flag,
    IsEffectiveIdentityRolesRequired: flag,
  })
  .transform(({ id, ...flags }) => ({ id, requiresIdentity: Object.values(flags).includes(true) }))
const EmbedToken = z.object({
  token: z.string().min(1),
  tokenId: z.string(),
  expiration: z.iso.datetime({ offset: true }),
})

/** Who the provider shall take the viewer for (row-level security). */
export interface EffectiveIdentity {
  username: string
  roles: string[]
  customData?: string
}

interface Options {
  addresses: Record<Connection['provider'], ProviderAddresses>
  timeoutMs: number
  /** Limits all calls together, besides each of them. */
  deadline?: AbortSignal
  tokens: EntraTokens
}

export type PowerBiApi = ReturnType<typeof createPowerBiApi>

export const createPowerBiApi = ({ addresses, timeoutMs, deadline, tokens }: Options) => {
  const call = async <S extends z.ZodType>(
    connection: Connection,
    path: string,
    answer: S,
    body?: object,
  ) => {
    const attempt = (token: string) =>
      callProvider({
        url: `${addresses[connection.provider].api}/v1.0/myorg${path}`,
        init: {
          method: body ? 'POST' : 'GET',
          headers: {
            authorization: `Bearer ${token}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          body: body ? JSON.stringify(body) : null,
        },
        answer,
        timeoutMs,
        deadline,
        hide: [token],
      })
    try {
      const token = await tokens.tokenFor(connection)
      return await attempt(token).catch(async (error: unknown) => {
        if (!isTokenRefused(error)) throw error
        return attempt(await tokens.tokenFor(connection, token))
      })
    } catch (error) {
      throw error instanceof ProviderRefusal ? problemOfRefusal(error) : error
    }
  }

  return {
    /** The workspaces that the connection sees; Microsoft answers at most 5,000 at once. */
    listGroups: async (connection: Connection) => named(await call(connection, '/groups?$top=5000', Groups)),

    listReports: async (connection: Connection, groupId: string) =>
      named(await call(connection, `/groups/${encodeURIComponent(groupId)}/reports`, Reports)),

    getReport: (connection: Connection, groupId: string, reportId: string) =>
      call(
        connection,
        `/groups/${encodeURIComponent(groupId)}/reports/${encodeURIComponent(reportId)}`,
        Report,
      ),

    getDataset: (connection: Connection, groupId: string, datasetId: string) =>
      call(
        connection,
        `/groups/${encodeURIComponent(groupId)}/datasets/${encodeURIComponent(datasetId)}`,
        Dataset,
      ),

    /** A view-only token for one report (GenerateToken v2). */
    generateToken: (
      connection: Connection,
      {
        reportId,
        datasetId,
        identity,
      }: { reportId: string; datasetId: string; identity: EffectiveIdentity | undefined },
    ) =>
      call(connection, '/GenerateToken', EmbedToken, {
        reports: [{ id: reportId, allowEdit: false }],
        datasets: [{ id: datasetId }],
        ...(identity ? { identities: [{ ...identity, datasets: [datasetId] }] } : {}),
      }),
  }
}

const named = <T extends { id: string; name?: string | undefined }>({ value }: { value: T[] }) =>
  value.map((item) => ({ ...item, name: item.name || item.id }))

/** The provider did not take the Entra token itself; asking for a new one may help, once. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof ProviderRefusal &&
  (error.status === 401 || (error.status === 403 && error.code === 'TokenExpired'))

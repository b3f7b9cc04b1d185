import { z } from 'zod'
import type { ProviderAddresses } from '../config.ts'
import type { Connection } from './connection.ts'
import type { EntraTokens } from './entra-tokens.ts'
import { problemOfExportRefusal, problemOfMissingExport } from './export-refusal.ts'
import { callProvider, fetchFromProvider, ProviderRefusal, problemOfRefusal } from './provider-call.ts'

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
    /** Of the local service alone: the dataset has roles, even where it does not require them. */
    '@biManager.hasRoles': flag,
  })
  .transform(({ id, '@biManager.hasRoles': hasRoles, ...flags }) => {
    const requiresIdentity = Object.values(flags).includes(true)
    return { id, requiresIdentity, hasRoles: hasRoles || requiresIdentity }
  })
const EmbedToken = z.object({
  token: z.string().min(1),
  tokenId: z.string(),
  expiration: z.iso.datetime({ offset: true }),
})
/** Microsoft leaves `percentComplete` out of the first answer. */
const ExportJob = z.object({
  id: z.string().regex(/^[\w+/=-]{1,1000}$/),
  status: z.enum(['Undefined', 'NotStarted', 'Running', 'Succeeded', 'Failed']),
  percentComplete: z.number().min(0).max(100).default(0),
  /** Of a failed one; undocumented at Microsoft's, whose messages are no words for our readers. */
  error: z
    .object({ code: z.string().regex(/^[\w.-]{1,80}$/) })
    .optional()
    .catch(undefined),
})

/** Who the provider shall take the viewer for (row-level security). */
export interface EffectiveIdentity {
  username: string
  roles: string[]
  customData?: string
}

interface ReportAddress {
  groupId: string
  reportId: string
}

/** What of a report is drawn into a file, and for whom. */
export interface ExportOrder {
  format: 'PDF' | 'PNG'
  /** One page; undefined for all. */
  pageName: string | undefined
  /** The state of a bookmark. */
  bookmark: string | undefined
  /** A filter expression; Microsoft takes one. */
  filter: string | undefined
  datasetId: string
  identity: EffectiveIdentity | undefined
  /** A digest of who asked: the local service lets the exports of different people alternate. */
  requestedFor: string
}

/** What one call sends. */
interface Sent {
  /** A fixed name, for metrics and traces. */
  operation: string
  path: string
  body?: object | undefined
  headers?: Record<string, string> | undefined
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
  /** One call under the connection's Entra token; once more under a new one where the provider refuses that. */
  const asConnection = async <T>(
    connection: Connection,
    { operation, path, body, slow = false, headers = {} }: Sent & { slow?: boolean },
    send: (request: Parameters<typeof fetchFromProvider>[0]) => Promise<T>,
    refused: (refusal: ProviderRefusal) => unknown = problemOfRefusal,
  ): Promise<T> => {
    const attempt = (token: string) =>
      send({
        call: { provider: connection.provider, operation },
        url: `${addresses[connection.provider].api}/v1.0/myorg${path}`,
        init: {
          method: body ? 'POST' : 'GET',
          headers: {
            authorization: `Bearer ${token}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...headers,
          },
          body: body ? JSON.stringify(body) : null,
        },
        timeoutMs: slow ? timeoutMs * fileTimes : timeoutMs,
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
      throw error instanceof ProviderRefusal ? refused(error) : error
    }
  }

  const call = <S extends z.ZodType>(
    connection: Connection,
    sent: Sent,
    answer: S,
    refused?: (refusal: ProviderRefusal) => unknown,
  ) => asConnection(connection, sent, (request) => callProvider({ ...request, answer }), refused)

  return {
    /** The workspaces that the connection sees; Microsoft answers at most 5,000 at once. */
    listGroups: async (connection: Connection) =>
      named(await call(connection, { operation: 'listGroups', path: '/groups?$top=5000' }, Groups)),

    listReports: async (connection: Connection, groupId: string) =>
      named(
        await call(
          connection,
          { operation: 'listReports', path: `/groups/${encodeURIComponent(groupId)}/reports` },
          Reports,
        ),
      ),

    getReport: (connection: Connection, groupId: string, reportId: string) =>
      call(connection, { operation: 'getReport', path: pathOf({ groupId, reportId }) }, Report),

    getDataset: (connection: Connection, groupId: string, datasetId: string) =>
      call(
        connection,
        {
          operation: 'getDataset',
          path: `/groups/${encodeURIComponent(groupId)}/datasets/${encodeURIComponent(datasetId)}`,
        },
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
      call(
        connection,
        {
          operation: 'generateToken',
          path: '/GenerateToken',
          body: {
            reports: [{ id: reportId, allowEdit: false }],
            datasets: [{ id: datasetId }],
            ...identitiesOf(identity, datasetId),
          },
        },
        EmbedToken,
      ),

    /** Asks for a file (ExportTo); what is answered is a job, to be looked after. */
    startExport: (connection: Connection, report: ReportAddress, order: ExportOrder) =>
      call(
        connection,
        {
          operation: 'startExport',
          path: `${pathOf(report)}/ExportTo`,
          body: exportBody(order),
          // Microsoft has no such header, and nothing of our people goes there without need.
          headers: connection.provider === 'local' ? { 'x-requested-for': order.requestedFor } : undefined,
        },
        ExportJob,
        problemOfExportRefusal,
      ),

    getExport: (connection: Connection, report: ReportAddress, exportId: string) =>
      call(
        connection,
        { operation: 'getExport', path: exportPath(report, exportId) },
        ExportJob,
        problemOfMissingExport,
      ),

    /** The file of a job that succeeded. */
    exportedFile: (connection: Connection, report: ReportAddress, exportId: string) =>
      asConnection(
        connection,
        { operation: 'exportedFile', path: `${exportPath(report, exportId)}/file`, slow: true },
        fetchFromProvider,
        problemOfMissingExport,
      ),
  }
}

/** A file may take so many times as long as another call. */
const fileTimes = 4

const pathOf = ({ groupId, reportId }: ReportAddress): string =>
  `/groups/${encodeURIComponent(groupId)}/reports/${encodeURIComponent(reportId)}`

const exportPath = (report: ReportAddress, exportId: string): string =>
  `${pathOf(report)}/exports/${encodeURIComponent(exportId)}`

const identitiesOf = (identity: EffectiveIdentity | undefined, datasetId: string) =>
  identity ? { identities: [{ ...identity, datasets: [datasetId] }] } : {}

const exportBody = ({ format, pageName, bookmark, filter, datasetId, identity }: ExportOrder) => {
  const state = bookmark ? { state: bookmark } : undefined
  return {
    format,
    powerBIReportConfiguration: {
      settings: { locale: 'pt-BR' },
      ...(pageName ? { pages: [{ pageName, ...(state ? { bookmark: state } : {}) }] } : {}),
      ...(state && !pageName ? { defaultBookmark: state } : {}),
      ...(filter ? { reportLevelFilters: [{ filter }] } : {}),
      ...identitiesOf(identity, datasetId),
    },
  }
}

const named = <T extends { id: string; name?: string | undefined }>({ value }: { value: T[] }) =>
  value.map((item) => ({ ...item, name: item.name || item.id }))

/** The provider did not take the Entra token itself; asking for a new one may help, once. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof ProviderRefusal &&
  (error.status === 401 || (error.status === 403 && error.code === 'TokenExpired'))

import { z } from 'zod'
import type { ProviderAddresses } from '../config/config.ts'
import type { Connection } from './connection.ts'
import type { EntraTokens } from './entra-tokens.ts'
import { problemOfExportRefusal, problemOfMissingExport } from './export-refusal.ts'
import { callProvider, fetchFromProvider, ProviderRefusal, problemOfRefusal } from './provider-call.ts'

/* The portal's calls of Power BI's REST API, equal for Microsoft and the local service. */

const Report = z.object({
  id: z.string(),
  name: z.string(),
  embedUrl: z.url(),
  datasetId: z.string().optional(),
  datasetWorkspaceId: z.string().optional(),
})
/** Paginated reports are listed without a dataset. */
const ListedReport = z.object({
  id: z.string(),
  name: z.string().optional(),
  datasetId: z.string().optional(),
})
const Reports = z.object({ value: z.array(ListedReport) })
const Groups = z.object({ value: z.array(z.object({ id: z.string(), name: z.string().optional() })) })
const flag = z.boolean().default(false)
/** Microsoft's description capitalises these names, its documentation does not; read both. */
const Dataset = z
  .object({
    id: z.string(),
    isEffectiveIdentityRequired: flag,
    IsEffectiveIdentityRequired: flag,
    isEffectiveIdentityRolesRequired: flag,
    IsEffectiveIdentityRolesRequired: flag,
    /** Only from the local service: the dataset has roles, even if it does not require them. */
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
/** Microsoft omits `percentComplete` in the first answer. */
const ExportJob = z.object({
  id: z.string().regex(/^[\w+/=-]{1,1000}$/),
  status: z.enum(['Undefined', 'NotStarted', 'Running', 'Succeeded', 'Failed']),
  percentComplete: z.number().min(0).max(100).default(0),
  /** Of a failed job; undocumented by Microsoft, whose messages are not shown to users. */
  error: z
    .object({ code: z.string().regex(/^[\w.-]{1,80}$/) })
    .optional()
    .catch(undefined),
})

/** The identity that the provider applies row-level security to. */
export interface EffectiveIdentity {
  username: string
  roles: string[]
  customData?: string
}

interface ReportAddress {
  groupId: string
  reportId: string
}

/** What to export, and for which identity. */
export interface ExportOrder {
  format: 'PDF' | 'PNG'
  /** One page; undefined for all. */
  pageName: string | undefined
  /** The state of a bookmark. */
  bookmark: string | undefined
  /** A filter expression; Microsoft accepts one. */
  filter: string | undefined
  datasetId: string
  identity: EffectiveIdentity | undefined
  /** A digest of the user: the local service alternates the exports of different users. */
  requestedFor: string
}

/** The request of one call. */
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
  /** Limits all calls together, in addition to the limit of each. */
  deadline?: AbortSignal
  tokens: EntraTokens
}

export type PowerBiApi = ReturnType<typeof createPowerBiApi>

export const createPowerBiApi = ({ addresses, timeoutMs, deadline, tokens }: Options) => {
  /** Makes a call with the connection's Entra token; repeats it with a new one if refused. */
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
    /** Returns the workspaces that the connection can read; Microsoft returns at most 5,000. */
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

    /** Returns a view-only token for one report (GenerateToken v2). */
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

    /** Starts an export (ExportTo) and returns its job, to be polled. */
    startExport: (connection: Connection, report: ReportAddress, order: ExportOrder) =>
      call(
        connection,
        {
          operation: 'startExport',
          path: `${pathOf(report)}/ExportTo`,
          body: exportBody(order),
          // Microsoft has no such header, and user data is not sent there without need.
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

    /** Returns the file of a job that succeeded. */
    exportedFile: (connection: Connection, report: ReportAddress, exportId: string) =>
      asConnection(
        connection,
        { operation: 'exportedFile', path: `${exportPath(report, exportId)}/file`, slow: true },
        fetchFromProvider,
        problemOfMissingExport,
      ),
  }
}

/** Factor by which the time limit of a file download is longer. */
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

/** The Entra token was refused; a new one may help once. */
const isTokenRefused = (error: unknown): boolean =>
  error instanceof ProviderRefusal &&
  (error.status === 401 || (error.status === 403 && error.code === 'TokenExpired'))

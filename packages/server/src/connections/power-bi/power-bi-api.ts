import { z } from 'zod'
import type { CallLimits, Connection } from './connection.ts'
import { createConnectionCalls } from './connection-calls.ts'
import { problemOfRefreshRefusal, RefreshRow, refreshesAtMost } from './dataset-refresh.ts'
import type { DatasetIdentity } from './effective-identity.ts'
import type { EntraTokens } from './entra-tokens.ts'
import {
  ExportJob,
  type ExportOrder,
  exportBody,
  localExportFields,
  problemOfExportRefusal,
  problemOfMissingExport,
} from './export-calls.ts'
import { createExportFormats } from './export-formats-api.ts'
import { followProvider, sendToProvider, streamFromProvider } from './provider-call.ts'
import { problemOfQueryRefusal, QueryResult } from './query-calls.ts'
import { RefreshScheduleAnswer } from './refresh-schedule.ts'
import { ReportPanel } from './report-panel.ts'

/* The portal's calls of Power BI's REST API, equal for Microsoft and the local service. */

/* Microsoft's answers may contain unknown fields, and null for what is left out elsewhere. */

const text = z
  .string()
  .nullish()
  .transform((value) => value || undefined)
const id = z.string().min(1)
const Report = z.object({
  id,
  embedUrl: text,
  datasetId: text,
  datasetWorkspaceId: text,
  reportType: text,
  /** Only from the local service: see `ReportPanel`. */
  '@biManager.panel': ReportPanel,
})
/** Paginated reports are listed without a dataset. */
const ReportRow = z.object({
  id,
  name: text,
  datasetId: text,
  reportType: text,
  /** Null: the report has no page; undefined: the list does not say. */
  embedUrl: z.string().nullish(),
})
const GroupRow = z.object({ id, name: text, isOnDedicatedCapacity: z.boolean().nullish() })
const DatasetRow = z.object({ id, name: text, isRefreshable: z.boolean().nullish() })

/** A list whose unreadable rows, such as one without an id, are left out of `rows`. */
const listOf = <S extends z.ZodType>(row: S) =>
  z.object({ value: z.array(z.unknown()).nullable() }).transform(({ value }) => ({
    rows: (value ?? []).flatMap((item) => {
      const { success, data } = row.safeParse(item)
      return success ? [data] : []
    }),
    count: value?.length ?? 0,
  }))
const Reports = listOf(ReportRow)
const Groups = listOf(GroupRow)
const Dashboards = listOf(z.object({ id, displayName: text }))
const Datasets = listOf(DatasetRow)
const Pages = listOf(z.object({ name: id, displayName: text }))
const Refreshes = listOf(RefreshRow)
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true)
/** Microsoft's description capitalises these names, its documentation does not; read both. */
const Dataset = z
  .object({
    id,
    isEffectiveIdentityRequired: flag,
    IsEffectiveIdentityRequired: flag,
    isEffectiveIdentityRolesRequired: flag,
    IsEffectiveIdentityRolesRequired: flag,
    /** Only from the local service: the dataset has roles, even if it does not require them. */
    '@biManager.hasRoles': flag,
  })
  .transform(({ id, '@biManager.hasRoles': hasRoles, ...flags }) => {
    const requiresIdentity = Object.values(flags).includes(true)
    const requiresRoles = flags.isEffectiveIdentityRolesRequired || flags.IsEffectiveIdentityRolesRequired
    return { id, requiresIdentity, requiresRoles, hasRoles: hasRoles || requiresRoles }
  })
const EmbedToken = z.object({
  token: z.string().min(1),
  tokenId: text,
  expiration: z.iso.datetime({ offset: true }),
})
interface ReportAddress {
  groupId: string
  reportId: string
}

/** A dataset at the provider; its workspace may be another one than the report's. */
export interface DatasetAddress {
  groupId: string
  datasetId: string
}

interface ReadReport {
  embedUrl: string | undefined
  isPaginated: boolean
  panel: ReportPanel
  dataset: DatasetAddress | undefined
}

export type ListedReport = z.output<typeof ReportRow> & { name: string }

export type PowerBiApi = ReturnType<typeof createPowerBiApi>

export const createPowerBiApi = ({
  addresses,
  timeoutMs,
  deadline,
  tokens,
}: CallLimits & { tokens: EntraTokens }) => {
  const { asConnection, call } = createConnectionCalls({ addresses, timeoutMs, deadline, tokens })

  const groupsPage = (connection: Connection, skip: number, until: AbortSignal) => {
    const path = `/groups?$top=${pageOfGroups}${skip === 0 ? '' : `&$skip=${skip}`}`
    return call(connection, { operation: 'listGroups', path, until }, Groups)
  }

  return {
    /** Returns the workspaces that the connection can read, page by page up to `groupsAtMost`. */
    listGroups: async (connection: Connection) => {
      const found = new Map<string, z.output<typeof GroupRow>>()
      const until = AbortSignal.timeout(timeoutMs * pagesTimes)
      for (let skip = 0; skip < groupsAtMost; skip += pageOfGroups) {
        const { rows, count } = await groupsPage(connection, skip, until)
        const known = found.size
        for (const group of rows) found.set(group.id, group)
        // A service that ignores $skip repeats the first page.
        if (count < pageOfGroups || found.size === known) break
      }
      return named([...found.values()])
    },

    listReports: async (connection: Connection, groupId: string): Promise<ListedReport[]> => {
      const path = `/groups/${encodeURIComponent(groupId)}/reports`
      return named((await call(connection, { operation: 'listReports', path }, Reports)).rows)
    },

    /** Returns the dashboards of a workspace, which the portal cannot embed. */
    listDashboards: async (connection: Connection, groupId: string) => {
      const path = `/groups/${encodeURIComponent(groupId)}/dashboards`
      const { rows } = await call(connection, { operation: 'listDashboards', path }, Dashboards)
      return named(rows.map(({ id, displayName }) => ({ id, name: displayName })))
    },

    /** Returns the report's page and its own dataset, which a paginated report does not have. */
    getReport: async (connection: Connection, groupId: string, reportId: string): Promise<ReadReport> => {
      const sent = { operation: 'getReport', path: pathOf({ groupId, reportId }) } as const
      const read = await call(connection, sent, Report)
      const { embedUrl, datasetId, datasetWorkspaceId, reportType, '@biManager.panel': panel } = read
      const isPaginated = isPaginatedReport({ reportType })
      return {
        embedUrl,
        isPaginated,
        panel,
        dataset:
          datasetId && !isPaginated ? { groupId: datasetWorkspaceId ?? groupId, datasetId } : undefined,
      }
    },

    exportFormats: createExportFormats({ call }),

    /** Returns the pages of a report, in its order; a paginated report has none. */
    listPages: async (connection: Connection, report: ReportAddress) => {
      const path = `${pathOf(report)}/pages`
      const { rows } = await call(connection, { operation: 'listPages', path }, Pages)
      return rows.map(({ name, displayName }) => ({ nome: name, titulo: displayName ?? name }))
    },

    getDataset: (connection: Connection, groupId: string, datasetId: string) =>
      call(connection, { operation: 'getDataset', path: datasetPath(groupId, datasetId) }, Dataset),

    listDatasets: async (connection: Connection, groupId: string) => {
      const path = `/groups/${encodeURIComponent(groupId)}/datasets`
      return named((await call(connection, { operation: 'listDatasets', path }, Datasets)).rows)
    },

    /** Returns the latest refreshes of a dataset, newest first. */
    listRefreshes: async (connection: Connection, groupId: string, datasetId: string) => {
      const path = `${datasetPath(groupId, datasetId)}/refreshes?$top=${refreshesAtMost}`
      return (await call(connection, { operation: 'listRefreshes', path }, Refreshes)).rows
    },

    /** Starts a refresh; the answer has no body, and the history shows the progress. */
    startRefresh: async (connection: Connection, groupId: string, datasetId: string): Promise<void> => {
      const path = `${datasetPath(groupId, datasetId)}/refreshes`
      const body = { notifyOption: 'NoNotification' }
      await asConnection(
        connection,
        { operation: 'startRefresh', path, body },
        sendToProvider,
        problemOfRefreshRefusal,
      )
    },

    getRefreshSchedule: (connection: Connection, groupId: string, datasetId: string) => {
      const path = `${datasetPath(groupId, datasetId)}/refreshSchedule`
      return call(connection, { operation: 'getRefreshSchedule', path }, RefreshScheduleAnswer)
    },

    /**
     * Returns a view-only token for one report and its datasets (GenerateToken v2). It names no
     * `targetWorkspaces`, even if a dataset is in another workspace: with them, the holder of the
     * token could create reports there.
     */
    generateToken: (
      connection: Connection,
      {
        reportId,
        datasetIds,
        identities,
        isPaginated = false,
        reader,
        lifetimeMinutes,
      }: {
        reportId: string
        datasetIds: string[]
        identities: DatasetIdentity[]
        isPaginated?: boolean
        /** For the local report service only. */
        reader?: string | undefined
        /** A shorter life than the provider's own. */
        lifetimeMinutes?: number | undefined
      },
    ) =>
      call(
        connection,
        {
          operation: 'generateToken',
          path: '/GenerateToken',
          body: {
            reports: [{ id: reportId, allowEdit: false }],
            ...datasetsOf(datasetIds, isPaginated),
            ...(identities.length > 0 ? { identities } : {}),
            ...(reader === undefined ? {} : { '@biManager.reader': reader }),
            ...(lifetimeMinutes === undefined ? {} : { lifetimeInMinutes: lifetimeMinutes }),
          },
        },
        EmbedToken,
      ),

    /** Runs a DAX query (executeQueries) and returns the rows of its result, column by column. */
    runQuery: async (
      connection: Connection,
      { groupId, datasetId }: DatasetAddress,
      { query, user }: { query: string; user: string | undefined },
    ) => {
      const path = `${datasetPath(groupId, datasetId)}/executeQueries`
      const body = {
        queries: [{ query }],
        serializerSettings: { includeNulls: true },
        ...(user === undefined ? {} : { impersonatedUserName: user }),
      }
      const sent = { operation: 'runQuery', path, body, slow: true }
      return call(connection, sent, QueryResult, problemOfQueryRefusal)
    },

    /** Starts an export (ExportTo) and returns its job, to be polled. */
    startExport: (connection: Connection, report: ReportAddress, order: ExportOrder) => {
      const isLocal = connection.provider === 'local'
      return call(
        connection,
        {
          operation: 'startExport',
          path: `${pathOf(report)}/ExportTo`,
          body: { ...exportBody(order), ...(isLocal && localExportFields(order)) },
          // Microsoft has no such header, and user data is not sent there without need.
          headers: isLocal ? { 'x-requested-for': order.requestedFor } : undefined,
        },
        ExportJob,
        problemOfExportRefusal,
      )
    },

    /** Returns the state of a job, and how many seconds the provider asks to wait for the next. */
    getExport: (connection: Connection, report: ReportAddress, exportId: string) =>
      asConnection(
        connection,
        { operation: 'getExport', path: exportPath(report, exportId) },
        (request) => followProvider({ ...request, answer: ExportJob }),
        problemOfMissingExport,
      ),

    /** Opens the file of a job that succeeded. */
    exportedFile: (connection: Connection, report: ReportAddress, exportId: string) =>
      asConnection(
        connection,
        { operation: 'exportedFile', path: `${exportPath(report, exportId)}/file`, slow: true },
        streamFromProvider,
        problemOfMissingExport,
      ),
  }
}

/**
 * Returns whether the provider describes a paginated report. Its `datasetId` means nothing: it may
 * read none or several.
 */
export const isPaginatedReport = ({ reportType }: { reportType?: string | undefined }): boolean =>
  reportType === 'PaginatedReport'

/** Factor of the time limit of all pages together. */
const pagesTimes = 3

/** Microsoft's maximum. */
const pageOfGroups = 5_000
const groupsAtMost = 100_000

const pathOf = ({ groupId, reportId }: ReportAddress): string =>
  `/groups/${encodeURIComponent(groupId)}/reports/${encodeURIComponent(reportId)}`

const datasetPath = (groupId: string, datasetId: string): string =>
  `/groups/${encodeURIComponent(groupId)}/datasets/${encodeURIComponent(datasetId)}`

const exportPath = (report: ReportAddress, exportId: string): string =>
  `${pathOf(report)}/exports/${encodeURIComponent(exportId)}`

/**
 * Several datasets query each other through their XMLA endpoints, and so does a paginated report,
 * which may have none (learn.microsoft.com/power-bi/paginated-reports/paginated-reports-embed).
 */
const datasetsOf = (ids: string[], isPaginated: boolean) => {
  if (isPaginated && ids.length === 0) return {}
  const isByXmla = isPaginated || ids.length > 1
  return { datasets: ids.map((id) => (isByXmla ? { id, xmlaPermissions: 'ReadOnly' } : { id })) }
}

const named = <T extends { id: string; name?: string | undefined }>(items: T[]) =>
  items.map((item) => ({ ...item, name: item.name || item.id }))

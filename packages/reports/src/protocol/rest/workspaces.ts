import { ownValue } from '@bi-manager/contract/own-value'
import type { FastifyInstance } from 'fastify'
import {
  type Catalog,
  type Dataset,
  datasetsOf,
  type Report,
  type Workspace,
} from '../../engine/data/catalog.ts'
import { invalidRequest, notFound } from '../../http/power-bi-error.ts'
import { capacityId } from './capacities.ts'
import { parseFilter } from './odata-filter.ts'
import {
  type InDataset,
  type InGroup,
  type InPlace,
  type InReport,
  PLACES,
  type RestOptions,
} from './rest-options.ts'

type Listing = { Querystring: Record<string, string | undefined> }

/** Routes of the read calls: groups, reports, pages, datasets. */
export const workspaceRoutes = async (
  app: FastifyInstance,
  { catalog, reportsUrl, tenantId }: Pick<RestOptions, 'catalog' | 'reportsUrl' | 'tenantId'>,
) => {
  const context = (entity: string) => ({ '@odata.context': `${reportsUrl}/v1.0/myorg/$metadata#${entity}` })
  const list = (entity: string, value: object[]) => ({ ...context(entity), value })
  const one = (entity: string, value: object) => ({ ...context(`${entity}/$entity`), ...value })
  const capacity = capacityId(tenantId)

  app.get<Listing>('/groups', async ({ query }) => {
    const matches = query.$filter ? parseFilter(String(query.$filter), groupFields) : () => true
    const found = [...catalog().workspaces.values()]
      .map((workspace) => describeWorkspace(workspace, capacity))
      .filter(matches)
    const skip = count(query.$skip, 0)
    const value = found.slice(skip, skip + count(query.$top, 5000))
    return { ...context('groups'), '@odata.count': value.length, value }
  })
  app.get<InGroup>('/groups/:groupId', async ({ params }) =>
    one('groups', describeWorkspace(findWorkspace(catalog(), params.groupId), capacity)),
  )
  for (const place of PLACES) {
    app.get<InPlace>(`${place}/reports`, async ({ params }) => {
      const reports = workspacesOf(catalog(), params).flatMap((workspace) => workspace.reports)
      return list(
        'reports',
        reports.map((report) => describeReport(report, reportsUrl)),
      )
    })
    app.get<InReport>(`${place}/reports/:reportId`, async ({ params }) =>
      one('reports', describeOne(findReport(catalog(), params), reportsUrl)),
    )
    app.get<InReport>(`${place}/reports/:reportId/pages`, async ({ params }) => {
      const { pages } = findReport(catalog(), params)
      const value = pages.map(({ definition: { name, displayName } }, order) => ({
        name,
        displayName,
        order,
      }))
      return list('pages', value)
    })
    app.get<InPlace>(`${place}/datasets`, async ({ params }) => {
      const found = new Map<string, object>()
      for (const workspace of workspacesOf(catalog(), params)) {
        for (const dataset of datasetsOf(workspace)) {
          if (!found.has(dataset.id)) found.set(dataset.id, describeDataset(dataset, workspace, reportsUrl))
        }
      }
      return list('datasets', [...found.values()])
    })
    app.get<InDataset>(`${place}/datasets/:datasetId`, async ({ params }) => {
      const { workspace, dataset } = findDataset(catalog(), params)
      return one('datasets', describeDataset(dataset, workspace, reportsUrl))
    })
  }
}

/** Returns the workspace that a call names, or all. @throws PowerBiError 404 */
const workspacesOf = (catalog: Catalog, { groupId }: InPlace['Params']): Workspace[] =>
  groupId === undefined ? [...catalog.workspaces.values()] : [findWorkspace(catalog, groupId)]

export const findWorkspace = ({ workspaces }: Catalog, id: string): Workspace => {
  const workspace = workspaces.get(id.toLowerCase())
  if (!workspace) throw notFound('The workspace')
  return workspace
}

/** Returns a report, which must be in the workspace that the call names. @throws PowerBiError 404 */
export const findReport = (catalog: Catalog, params: InReport['Params']): Report => {
  const workspaces = workspacesOf(catalog, params)
  const report = catalog.reports.get(params.reportId.toLowerCase())
  if (report && workspaces.some(({ id }) => id === report.workspaceId)) return report
  throw notFound('The report')
}

/** Returns a dataset that a report of the call's workspace uses. @throws PowerBiError 404 */
export const findDataset = (catalog: Catalog, params: InDataset['Params']) => {
  const id = params.datasetId.toLowerCase()
  for (const workspace of workspacesOf(catalog, params)) {
    const dataset = datasetsOf(workspace).find((known) => known.id === id)
    if (dataset) return { workspace, dataset }
  }
  throw notFound('The dataset')
}

const groupFields = {
  id: 'text',
  name: 'text',
  type: 'text',
  isReadOnly: 'condition',
  isOnDedicatedCapacity: 'condition',
  capacityId: 'text',
} as const

const describeWorkspace = ({ id, name }: Workspace, capacity: string) => {
  return {
    id,
    isReadOnly: true,
    isOnDedicatedCapacity: true,
    capacityId: capacity,
    type: 'Workspace',
    name,
  } satisfies Record<keyof typeof groupFields, string | boolean>
}

const describeReport = ({ id, definition, workspaceId, dataset }: Report, reportsUrl: string) => {
  const config = Buffer.from(JSON.stringify({ clusterUrl: reportsUrl })).toString('base64')
  const query = new URLSearchParams({ reportId: id, groupId: workspaceId, w: '2', config })
  return {
    id,
    reportType: 'PowerBIReport',
    name: definition.name,
    webUrl: `${reportsUrl}/groups/${workspaceId}/reports/${id}`,
    embedUrl: `${reportsUrl}/reportEmbed?${query}`,
    isOwnedByMe: true,
    datasetId: dataset.id,
    datasetWorkspaceId: workspaceId,
    users: [],
    subscriptions: [],
  }
}

/**
 * Describes one report with the selects of the portal's panel: those that its definition declares,
 * or else the columns that the portal's own filters can name. Microsoft has no field for it.
 */
const describeOne = (report: Report, reportsUrl: string) => {
  const { panelFilters, values: shown } = report.definition
  const panel = panelFilters
    ? {
        filters: panelFilters.map(({ target, label, values, default: preset }) => ({
          ...target,
          label,
          values: values.map((value) => ({ value, label: ownValue(shown, String(value))?.label ?? '' })),
          default: preset ?? null,
        })),
      }
    : { columns: visibleColumns(report.dataset) }
  return { ...describeReport(report, reportsUrl), '@biManager.panel': panel }
}

const visibleColumns = ({ tables }: Dataset) =>
  [...tables.values()]
    .filter(({ hidden }) => !hidden)
    .flatMap(({ name, columns }) =>
      [...columns.values()].map((column) => ({ table: name, column: column.name })),
    )

const describeDataset = ({ id, definition, roles }: Dataset, workspace: Workspace, reportsUrl: string) => {
  return {
    id,
    name: definition.name,
    addRowsAPIEnabled: false,
    isRefreshable: true,
    isEffectiveIdentityRequired: definition.requiresIdentity,
    isEffectiveIdentityRolesRequired: definition.requiresIdentity && roles.length > 0,
    // Microsoft has no field for optional roles; OData allows annotations.
    '@biManager.hasRoles': roles.length > 0,
    isOnPremGatewayRequired: false,
    isInPlaceSharingEnabled: false,
    targetStorageMode: 'Abf',
    webUrl: `${reportsUrl}/groups/${workspace.id}/datasets/${id}`,
    users: [],
    upstreamDatasets: [],
  }
}

/** Parses `$top` or `$skip`. */
const count = (text: string | undefined, fallback: number) => {
  if (text === undefined) return fallback
  if (!/^\d{1,6}$/.test(text)) throw invalidRequest('$top and $skip must be whole numbers')
  return Number(text)
}

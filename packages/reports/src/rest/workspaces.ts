import type { FastifyInstance } from 'fastify'
import {
  type Catalog,
  type Dataset,
  datasetsOf,
  type Report,
  type Workspace,
} from '../engine/data/catalog.ts'
import { invalidRequest, notFound } from '../http/power-bi-error.ts'

type Options = { catalog: () => Catalog; reportsUrl: string }
type InGroup = { Params: { groupId: string } }
type InReport = { Params: { groupId: string; reportId: string } }
type InDataset = { Params: { groupId: string; datasetId: string } }
type Listing = { Querystring: Record<string, string | undefined> }

/** Routes of the read calls: groups, reports, pages, datasets. */
export async function workspaceRoutes(app: FastifyInstance, { catalog, reportsUrl }: Options) {
  const context = (entity: string) => ({ '@odata.context': `${reportsUrl}/v1.0/myorg/$metadata#${entity}` })
  const list = (entity: string, value: object[]) => ({ ...context(entity), value })
  const one = (entity: string, value: object) => ({ ...context(`${entity}/$entity`), ...value })
  const describe = (report: Report) => describeReport(report, reportsUrl)

  app.get<Listing>('/groups', async ({ query }) => {
    const found = [...catalog().workspaces.values()].filter(workspaceFilter(query.$filter))
    const skip = count(query.$skip, 0)
    const value = found.slice(skip, skip + count(query.$top, 5000)).map(describeWorkspace)
    return { ...context('groups'), '@odata.count': value.length, value }
  })
  app.get<InGroup>('/groups/:groupId', async ({ params }) =>
    one('groups', describeWorkspace(findWorkspace(catalog(), params.groupId))),
  )
  app.get<InGroup>('/groups/:groupId/reports', async ({ params }) =>
    list('reports', findWorkspace(catalog(), params.groupId).reports.map(describe)),
  )
  app.get<InReport>('/groups/:groupId/reports/:reportId', async ({ params }) =>
    one('reports', describe(findReportInGroup(catalog(), params))),
  )
  app.get<InReport>('/groups/:groupId/reports/:reportId/pages', async ({ params }) => {
    const { pages } = findReportInGroup(catalog(), params)
    const describePage = ({ definition: { name, displayName } }: (typeof pages)[number], order: number) => ({
      name,
      displayName,
      order,
    })
    return list('pages', pages.map(describePage))
  })
  app.get<InGroup>('/groups/:groupId/datasets', async ({ params }) => {
    const workspace = findWorkspace(catalog(), params.groupId)
    return list(
      'datasets',
      datasetsOf(workspace).map((dataset) => describeDataset(dataset, workspace, reportsUrl)),
    )
  })
  app.get<InDataset>('/groups/:groupId/datasets/:datasetId', async ({ params }) => {
    const { workspace, dataset } = findDatasetInGroup(catalog(), params)
    return one('datasets', describeDataset(dataset, workspace, reportsUrl))
  })
}

export function findWorkspace({ workspaces }: Catalog, id: string): Workspace {
  const workspace = workspaces.get(id.toLowerCase())
  if (!workspace) throw notFound('The workspace')
  return workspace
}

/** Returns a report, which must be in the given workspace. @throws PowerBiError 404 */
export function findReportInGroup(catalog: Catalog, params: { groupId: string; reportId: string }): Report {
  const workspace = findWorkspace(catalog, params.groupId)
  const report = workspace.reports.find(({ id }) => id === params.reportId.toLowerCase())
  if (!report) throw notFound('The report')
  return report
}

/** Returns a dataset that a report of the given workspace uses. @throws PowerBiError 404 */
export function findDatasetInGroup(catalog: Catalog, params: { groupId: string; datasetId: string }) {
  const workspace = findWorkspace(catalog, params.groupId)
  const dataset = datasetsOf(workspace).find(({ id }) => id === params.datasetId.toLowerCase())
  if (!dataset) throw notFound('The dataset')
  return { workspace, dataset }
}

function describeWorkspace({ id, name }: Workspace) {
  return { id, isReadOnly: true, isOnDedicatedCapacity: true, type: 'Workspace', name }
}

function describeReport({ id, definition, workspaceId, dataset }: Report, reportsUrl: string) {
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

function describeDataset({ id, definition, roles }: Dataset, workspace: Workspace, reportsUrl: string) {
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
function count(text: string | undefined, fallback: number) {
  if (text === undefined) return fallback
  if (!/^\d{1,6}$/.test(text)) throw invalidRequest('$top and $skip must be whole numbers')
  return Number(text)
}

/** Supports the `$filter` forms that clients use: by id, by name, by a part of the name. */
function workspaceFilter(filter: string | undefined): (workspace: Workspace) => boolean {
  if (!filter) return () => true
  const [, field, value] = /^\s*(id|name)\s+eq\s+'((?:[^']|'')*)'\s*$/.exec(filter) ?? []
  const [, part] = /^\s*contains\(\s*name\s*,\s*'((?:[^']|'')*)'\s*\)\s*$/.exec(filter) ?? []
  const plain = (text: string) => text.replaceAll("''", "'").toLowerCase()
  if (part !== undefined) return ({ name }) => name.toLowerCase().includes(plain(part))
  if (value === undefined) throw invalidRequest('This $filter is not supported')
  return (workspace) => (field === 'id' ? workspace.id : workspace.name).toLowerCase() === plain(value)
}

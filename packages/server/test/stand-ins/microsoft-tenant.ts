import { isRunning, type SimulatedAzureCapacity, simulateAzure } from './azure-capacities.ts'
import { entraTokenFor } from './microsoft-clouds.ts'
import { answerAboutRefreshes, type SimulatedRefreshes } from './microsoft-refreshes.ts'
import { paginatedPage } from './paginated-page.ts'
import type { SeenRequest } from './provider-requests.ts'
import type { Provider, ScriptedAnswer } from './provider-stand-in.ts'

/* A tenant of Microsoft's Power BI, played by the provider stand-in. */

interface SimulatedReport {
  id: string
  name: string | null
  datasetId?: string | null
  /** Default: 'PowerBIReport'. */
  reportType?: string | null
  /** Default: an address of the stand-in. */
  embedUrl?: string | null
  /** Fields that the portal does not know. */
  [unknown: string]: unknown
}

export interface SimulatedWorkspace {
  id: string
  name: string | null
  /** The answer to each call about the workspace's content. */
  refusal?: ScriptedAnswer
  capacityId?: string
  /** The only service principal profile that is a member; default: the principal itself alone. */
  profile?: string
  reports?: SimulatedReport[]
  /** Fields of its row that replace the usual ones, such as null or unknown ones. */
  row?: object
  dashboards?: { id: string; displayName: string }[]
}

/** How the next exports go. */
export interface SimulatedExports {
  /** The answer to each new export, such as `refusals.throttled`. */
  refusal?: ScriptedAnswer
  /** Polls that find the export running, before its end; default: none. */
  runningFor?: number
  /** Default: it succeeds. */
  failure?: { code: string }
}

interface SimulatedCapacity {
  id: string
  displayName: string
  sku: string
  state: 'Active' | 'Suspended'
}

/** Changes of the object take effect with the next call. */
export interface SimulatedTenant {
  /** The only scope for which the cloud's Entra issues tokens; default: any. */
  scope?: string
  workspaces: SimulatedWorkspace[]
  capacities?: SimulatedCapacity[]
  /** The capacities' resources in Azure. */
  azure?: SimulatedAzureCapacity[]
  /** Ids of the service principal profiles of the calling application. */
  profiles?: string[]
  /** By id; a report's dataset that is not listed has no row-level security. */
  datasets?: Record<string, SimulatedDataset>
  exports?: SimulatedExports
}

export interface SimulatedDataset {
  isEffectiveIdentityRequired?: boolean
  isEffectiveIdentityRolesRequired?: boolean
  /** Default: the dataset was never refreshed. */
  refreshes?: SimulatedRefreshes | 'not imported'
  /** Fields of its row that replace the usual ones, such as null or unknown ones. */
  row?: object
  /** The only workspace that has it; default: any. */
  workspaceId?: string
  /** Azure Analysis Services: the object id of the caller, the only user that it accepts. */
  onlyUser?: string
  /** The datasets that this one, a composite model, queries. */
  upstream?: string[]
}

interface AskedToken {
  reports: { id: string }[]
  datasets?: { id: string; xmlaPermissions?: string }[]
  targetWorkspaces?: object[]
  identities?: { username: string; roles?: string[]; datasets?: string[]; reports?: string[] }[]
}

/** Microsoft's error answers. */
export const refusals = {
  notMember: { status: 403, body: { error: { code: 'PowerBINotAuthorizedException' } } },
  missing: { status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } },
  paused: {
    status: 400,
    body: { error: { code: 'CapacityNotActive', message: 'Capacity is not active' } },
  },
  otherCloud: {
    status: 400,
    body: {
      error: 'invalid_resource',
      error_description: 'AADSTS500011: The resource principal was not found in the tenant.',
    },
  },
  /** Only a connection that may create reports can name target workspaces. */
  mayNotCreate: { status: 403, body: { error: { code: 'PowerBINotAuthorizedException' } } },
  throttled: { status: 429, headers: { 'retry-after': '17' }, body: '' },
} satisfies Record<string, ScriptedAnswer>

/** Microsoft's refusal of a token whose identities do not fit a dataset. */
const unfit = (id: string, message: string): ScriptedAnswer => ({
  status: 400,
  body: {
    error: { code: 'InvalidRequest', message: `Creating embed token for accessing dataset ${id} ${message}` },
  },
})

/**
 * Makes the stand-in answer as this tenant until its `restore`.
 * @returns what a page that shows a report with a token finds out
 */
export const simulateTenant = (provider: Provider, tenant: SimulatedTenant) => {
  const issued = new Map<string, AskedToken>()
  const datasetOf = (id: string): SimulatedDataset => tenant.datasets?.[id] ?? {}
  const identityFault = ({ datasets = [], identities = [] }: AskedToken): ScriptedAnswer | undefined => {
    for (const { id } of datasets) {
      const dataset = datasetOf(id)
      const identity = identities.find((one) => one.datasets?.includes(id))
      if (!identity && dataset.isEffectiveIdentityRequired)
        return unfit(id, 'requires effective identity to be provided')
      if (identity && !dataset.isEffectiveIdentityRequired)
        return unfit(id, "shouldn't have effective identity")
      if (dataset.onlyUser && identity?.username !== dataset.onlyUser) return refusals.notMember
      if (identity && !identity.roles?.length && dataset.isEffectiveIdentityRolesRequired)
        return unfit(id, 'requires roles to be included in provided effective identity')
    }
    return undefined
  }
  const workspaceOf = ({ path }: SeenRequest) =>
    tenant.workspaces.find(({ id }) => id === /\/groups\/([^/?]+)/.exec(path)?.[1])
  const isPaused = ({ capacityId }: SimulatedWorkspace) =>
    tenant.capacities?.some(({ id, state }) => id === capacityId && state !== 'Active') ||
    tenant.azure?.some((one) => one.capacityId === capacityId && !isRunning(one))
  const within =
    (answer: (workspace: SimulatedWorkspace, request: SeenRequest) => ScriptedAnswer) =>
    (request: SeenRequest): ScriptedAnswer => {
      const workspace = workspaceOf(request)
      if (!workspace) return refusals.missing
      if (workspace.profile !== request.profile) return refusals.notMember
      return workspace.refusal ?? (isPaused(workspace) ? refusals.paused : answer(workspace, request))
    }
  const described = (report: SimulatedReport) => ({
    reportType: 'PowerBIReport',
    embedUrl: `${provider.origin}/${isPaginated(report) ? 'rdlEmbed' : 'reportEmbed'}?reportId=${report.id}`,
    ...report,
  })
  const exports = simulateExports(tenant)

  const { scope } = tenant
  if (scope !== undefined)
    provider.answer('token', ({ body }) => {
      const asked = new URLSearchParams(body).get('scope')?.split(' ') ?? []
      return asked.includes(scope)
        ? { body: { token_type: 'Bearer', expires_in: 3599, access_token: entraTokenFor(scope) } }
        : refusals.otherCloud
    })
  provider.answer('groups', ({ path, profile }) => {
    const known = tenant.workspaces.filter((workspace) => workspace.profile === profile)
    if (profile && !tenant.profiles?.includes(profile)) return refusals.notMember
    const query = new URL(path, provider.origin).searchParams
    const skip = Number(query.get('$skip') ?? 0)
    // Microsoft's pages have at most 5,000 rows.
    const top = Math.min(Number(query.get('$top') ?? 5000), 5000)
    const value = known.slice(skip, skip + top).map(({ id, name, capacityId, row }) => ({
      id,
      name,
      type: 'Workspace',
      isReadOnly: false,
      isOnDedicatedCapacity: capacityId !== undefined,
      ...(capacityId ? { capacityId } : {}),
      ...row,
    }))
    return { body: { '@odata.context': `${provider.origin}/v1.0/myorg/$metadata#groups`, value } }
  })
  if (tenant.azure) simulateAzure(provider, tenant.azure)
  provider.answer('capacities', () => ({ body: { value: tenant.capacities ?? [] } }))
  provider.answer(
    'groupReports',
    within(({ reports = [] }) => ({ body: { value: reports.map(described) } })),
  )
  provider.answer(
    'dashboards',
    within(({ dashboards = [] }) => ({ body: { value: dashboards } })),
  )
  provider.answer('exportTo', within(exports.start))
  provider.answer('exportState', within(exports.state))
  provider.answer('embedPage', () => ({
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: paginatedPage,
  }))
  provider.answer(
    'report',
    within(({ reports = [] }, { path }) => {
      const report = reports.find(({ id }) => id === path.split('/').at(-1))
      return report ? { body: described(report) } : refusals.missing
    }),
  )
  provider.answer(
    'dataset',
    within((workspace, { path }) => {
      const id = path.split('/').at(-1) ?? ''
      const { workspaceId = workspace.id, upstream, onlyUser, refreshes, row, ...flags } = datasetOf(id)
      if (workspaceId !== workspace.id) return refusals.missing
      const isRefreshable = refreshes !== 'not imported'
      return { body: { id, isRefreshable, isEffectiveIdentityRequired: false, ...flags, ...row } }
    }),
  )
  for (const kind of ['refreshes', 'startRefresh', 'refreshSchedule'] as const)
    provider.answer(
      kind,
      within((workspace, request) => {
        const { workspaceId = workspace.id, refreshes } = datasetOf(request.path.split('/').at(-2) ?? '')
        if (workspaceId !== workspace.id) return refusals.missing
        return answerAboutRefreshes(kind, request, refreshes)
      }),
    )
  provider.answer(
    'groupDatasets',
    within(({ reports = [] }) => ({
      body: {
        value: reports.flatMap(({ datasetId, name }) =>
          datasetId ? [{ id: datasetId, name, isRefreshable: true }] : [],
        ),
      },
    })),
  )
  provider.answer('generateToken', ({ body, profile }) => {
    const asked: AskedToken = JSON.parse(body)
    const workspace = tenant.workspaces.find(({ reports = [] }) =>
      reports.some(({ id }) => id === asked.reports[0]?.id),
    )
    if (!workspace) return refusals.missing
    if (workspace.profile !== profile) return refusals.notMember
    if (workspace.refusal || isPaused(workspace)) return workspace.refusal ?? refusals.paused
    if (asked.targetWorkspaces) return refusals.mayNotCreate
    const fault = paginatedFault(asked, workspace.reports) ?? identityFault(asked)
    if (fault) return fault
    const token = `embed-${crypto.randomUUID()}`
    issued.set(token, asked)
    return {
      body: {
        '@odata.context': null,
        token,
        tokenId: crypto.randomUUID(),
        expiration: new Date(Date.now() + 3_600_000).toISOString(),
      },
    }
  })
  return {
    /** The datasets that the report queries and the token does not open, or not by XMLA. */
    missingDatasets: (token: string): string[] => {
      const asked = issued.get(token)
      const shown = tenant.workspaces
        .flatMap(({ reports = [] }) => reports)
        .find(({ id }) => id === asked?.reports[0]?.id)
      const chainOf = (id: string): string[] => [id, ...(datasetOf(id).upstream ?? []).flatMap(chainOf)]
      const chain = chainOf(shown?.datasetId ?? '')
      const isOpen = (id: string) =>
        asked?.datasets?.some(
          (one) => one.id === id && (chain.length === 1 || one.xmlaPermissions === 'ReadOnly'),
        )
      return chain.filter((id) => !isOpen(id))
    },
  }
}

const isPaginated = ({ reportType }: SimulatedReport): boolean => reportType === 'PaginatedReport'

/** Identities that name reports are for paginated ones, whose datasets are read by XMLA. */
const paginatedFault = (
  { reports: [asked], datasets = [], identities = [] }: AskedToken,
  reports: SimulatedReport[] = [],
): ScriptedAnswer | undefined => {
  const report = reports.find(({ id }) => id === asked?.id)
  const isOfPaginated = report !== undefined && isPaginated(report)
  const named = identities.flatMap((identity) => identity.reports ?? [])
  if (named.length > 0 && !isOfPaginated) return unfit(asked?.id ?? '', 'is not a paginated report')
  if (!isOfPaginated) return datasets.length > 0 ? undefined : unfit(asked?.id ?? '', 'has no datasets')
  const closed = datasets.find(({ xmlaPermissions }) => xmlaPermissions !== 'ReadOnly')
  return closed && unfit(closed.id, 'requires XmlaPermissions ReadOnly')
}

/** Plays ExportTo, which checks that the configuration fits the type of the report. */
const simulateExports = (tenant: SimulatedTenant) => {
  const polls = new Map<string, number>()
  return {
    start: ({ reports = [] }: SimulatedWorkspace, { path, body }: SeenRequest): ScriptedAnswer => {
      const { refusal } = tenant.exports ?? {}
      if (refusal) return refusal
      const report = reports.find(({ id }) => path.includes(`/reports/${id}/`))
      if (!report) return refusals.missing
      const { format, paginatedReportConfiguration, powerBIReportConfiguration } = JSON.parse(body)
      const isFitting = isPaginated(report)
        ? paginatedReportConfiguration && !powerBIReportConfiguration && format !== 'PNG'
        : powerBIReportConfiguration && !paginatedReportConfiguration && ['PDF', 'PNG'].includes(format)
      if (!isFitting) return { status: 400, body: { error: { code: 'InvalidRequest' } } }
      const id = `${format}-${crypto.randomUUID()}`
      polls.set(id, 0)
      return { status: 202, body: { id, status: 'NotStarted', percentComplete: 0 } }
    },
    state: (_: SimulatedWorkspace, { path }: SeenRequest): ScriptedAnswer => {
      const id = path.split('/').at(-1) ?? ''
      const count = polls.get(id)
      if (count === undefined) return refusals.missing
      polls.set(id, count + 1)
      const { runningFor = 0, failure } = tenant.exports ?? {}
      if (count < runningFor) {
        const percentComplete = Math.floor((100 * count) / runningFor)
        return {
          status: 202,
          headers: { 'retry-after': '2' },
          body: { id, status: 'Running', percentComplete },
        }
      }
      if (failure) return { body: { id, status: 'Failed', percentComplete: 0, error: failure } }
      return { body: { id, status: 'Succeeded', percentComplete: 100 } }
    },
  }
}

/** Returns workspaces with the names 'Workspace 00001', 'Workspace 00002' … */
export const manyWorkspaces = (count: number): SimulatedWorkspace[] =>
  Array.from({ length: count }, (_, index) => ({
    id: crypto.randomUUID(),
    name: `Workspace ${String(index + 1).padStart(5, '0')}`,
  }))

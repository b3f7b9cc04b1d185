import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Catalog, Dataset, Report } from '../engine/data/catalog.ts'
import { parseBody } from '../http/parse-body.ts'
import { invalidRequest, notFound } from '../http/power-bi-error.ts'
import type { EntraClaims, Tokens } from '../http/tokens.ts'
import { checkIdentities, EffectiveIdentity } from './effective-identity.ts'
import { findReportInGroup, findWorkspace } from './workspaces.ts'

type Options = {
  catalog: () => Catalog
  tokens: Tokens
  reportsUrl: string
  /** Returns the claims of the request's Entra token. */
  callerOf: (request: object) => EntraClaims
}
type InReport = { Params: { groupId: string; reportId: string } }

/** Routes of GenerateToken: one report (v1), several items (v2). Tokens allow viewing only. */
export async function generateTokenRoutes(app: FastifyInstance, options: Options) {
  const { catalog, callerOf } = options

  app.post<InReport>('/groups/:groupId/reports/:reportId/GenerateToken', async (request) => {
    const report = findReportInGroup(catalog(), request.params)
    const body = parseBody(RequestV1, request.body)
    return issue(options, callerOf(request), { ...body, reports: [report], datasets: [report.dataset] })
  })

  app.post('/GenerateToken', async (request) => {
    const body = parseBody(RequestV2, request.body)
    const reports = body.reports?.map(({ id }) => findById(catalog().reports, id, 'The report')) ?? []
    const named = body.datasets?.map(({ id }) => findById(catalog().datasets, id, 'The dataset')) ?? []
    for (const { id } of body.targetWorkspaces ?? []) findWorkspace(catalog(), id)
    if (reports.length + named.length === 0)
      throw invalidRequest('At least one report or dataset is required')
    const datasets = [...new Set([...named, ...reports.map(({ dataset }) => dataset)])]
    return issue(options, callerOf(request), { ...body, reports, datasets })
  })
}

type Grant = {
  reports: Report[]
  datasets: Dataset[]
  identities?: z.infer<typeof EffectiveIdentity>[] | null | undefined
  lifetimeInMinutes?: number | null | undefined
}

const DEFAULT_MINUTES = 60
/** The token is sent in a request header, and Node accepts 16 KB of headers. */
const LONGEST_TOKEN = 12_000

function issue({ tokens, reportsUrl }: Options, entra: EntraClaims, grant: Grant) {
  const embedded = tokens.signEmbed(entra, {
    reports: grant.reports.map(({ id }) => id),
    identities: checkIdentities(grant.identities ?? [], grant.datasets),
    // 0 and null mean the default; a longer lifetime is reduced, as Microsoft does.
    lifeSeconds: Math.min(grant.lifetimeInMinutes || DEFAULT_MINUTES, DEFAULT_MINUTES) * 60,
  })
  if (embedded.token.length > LONGEST_TOKEN) throw invalidRequest('The effective identities are too large')
  const type = 'Microsoft.PowerBI.ServiceContracts.Api.V1.GenerateTokenResponse'
  return { '@odata.context': `${reportsUrl}/v1.0/myorg/$metadata#${type}`, ...embedded }
}

const Lifetime = z.int().min(0).nullish()
const Identities = z.array(EffectiveIdentity).max(50).nullish()

const RequestV1 = z.object({
  accessLevel: z.literal('View').nullish(),
  allowSaveAs: z.literal(false).nullish(),
  datasetId: z.null().optional(),
  identities: Identities,
  lifetimeInMinutes: Lifetime,
})

const RequestV2 = z.object({
  datasets: z
    .array(z.object({ id: z.string(), xmlaPermissions: z.literal('Off').nullish() }))
    .max(50)
    .nullish(),
  reports: z
    .array(z.object({ id: z.string(), allowEdit: z.literal(false).nullish() }))
    .max(50)
    .nullish(),
  targetWorkspaces: z
    .array(z.object({ id: z.string() }))
    .max(50)
    .nullish(),
  identities: Identities,
  lifetimeInMinutes: Lifetime,
  datasourceIdentities: z.array(z.never()).nullish(),
})

function findById<T>(known: Map<string, T>, id: string, what: string): T {
  const found = known.get(id.toLowerCase())
  if (!found) throw notFound(what)
  return found
}

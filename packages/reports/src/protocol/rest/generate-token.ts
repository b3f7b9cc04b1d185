import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Dataset, Report } from '../../engine/data/catalog.ts'
import { parseBody } from '../../http/parse-body.ts'
import { invalidRequest, notFound } from '../../http/power-bi-error.ts'
import type { EntraClaims } from '../../http/tokens.ts'
import { checkIdentities, EffectiveIdentity } from './effective-identity.ts'
import { type InReport, PLACES, type RestOptions } from './rest-options.ts'
import { findReport, findWorkspace } from './workspaces.ts'

type Options = Pick<RestOptions, 'catalog' | 'tokens' | 'reportsUrl' | 'entraClaimsOf'>

/** Routes of GenerateToken: one report (v1), several items (v2). Tokens allow viewing only. */
export const generateTokenRoutes = async (app: FastifyInstance, options: Options) => {
  const { catalog, entraClaimsOf } = options

  for (const place of PLACES)
    app.post<InReport>(`${place}/reports/:reportId/GenerateToken`, async (request) => {
      const report = findReport(catalog(), request.params)
      const body = parseBody(RequestV1, request.body)
      const { dataset } = report
      if (body.datasetId && body.datasetId.toLowerCase() !== dataset.id)
        throw invalidRequest('A report is shown with its own dataset only')
      return issue(options, entraClaimsOf(request), { ...body, reports: [report], datasets: [dataset] })
    })

  app.post('/GenerateToken', async (request) => {
    const body = parseBody(RequestV2, request.body)
    const reports = findEach(catalog().reports, body.reports, 'The report')
    const named = findEach(catalog().datasets, body.datasets, 'The dataset')
    for (const { id } of body.targetWorkspaces ?? []) findWorkspace(catalog(), id)
    if (reports.length + named.length === 0)
      throw invalidRequest('At least one report or dataset is required')
    const datasets = [...new Set([...named, ...reports.map(({ dataset }) => dataset)])]
    return issue(options, entraClaimsOf(request), { ...body, reports, datasets })
  })
}

type Grant = Pick<z.infer<typeof RequestV1>, 'identities' | 'lifetimeInMinutes' | '@biManager.reader'> & {
  reports: Report[]
  datasets: Dataset[]
}

const DEFAULT_MINUTES = 60
/** The token is sent in a request header, and Node accepts 16 KB of headers. */
const LONGEST_TOKEN = 12_000

const issue = ({ tokens, reportsUrl }: Options, entra: EntraClaims, grant: Grant) => {
  const embedded = tokens.signEmbed(entra, {
    reports: grant.reports.map(({ id }) => id),
    identities: checkIdentities(grant.identities ?? [], grant.datasets),
    reader: grant['@biManager.reader'],
    // 0 and null mean the default; a longer lifetime is reduced, as Microsoft does.
    lifeSeconds: Math.min(grant.lifetimeInMinutes || DEFAULT_MINUTES, DEFAULT_MINUTES) * 60,
  })
  if (embedded.token.length > LONGEST_TOKEN) throw invalidRequest('The effective identities are too large')
  const type = 'Microsoft.PowerBI.ServiceContracts.Api.V1.GenerateTokenResponse'
  return { '@odata.context': `${reportsUrl}/v1.0/myorg/$metadata#${type}`, ...embedded }
}

const Lifetime = z.int().min(0).nullish()
const Identities = z.array(EffectiveIdentity).max(50).nullish()

/** Of this service alone: a mark of the reader, so that readers share the queries fairly. */
const Reader = z.string().min(1).max(64).nullish()

const RequestV1 = z.object({
  accessLevel: z.literal('View').nullish(),
  allowSaveAs: z.literal(false).nullish(),
  datasetId: z.string().nullish(),
  identities: Identities,
  '@biManager.reader': Reader,
  lifetimeInMinutes: Lifetime,
})

const RequestV2 = z.object({
  datasets: z
    // There is no XMLA endpoint, so that both permissions open the same.
    .array(z.object({ id: z.string(), xmlaPermissions: z.enum(['Off', 'ReadOnly']).nullish() }))
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
  '@biManager.reader': Reader,
  lifetimeInMinutes: Lifetime,
  datasourceIdentities: z.array(z.never()).nullish(),
})

/** Returns each named item once. @throws PowerBiError 404 */
const findEach = <T>(
  known: Map<string, T>,
  names: { id: string }[] | null | undefined,
  what: string,
): T[] => {
  const found = (names ?? []).map(({ id }) => {
    const item = known.get(id.toLowerCase())
    if (!item) throw notFound(what)
    return item
  })
  return [...new Set(found)]
}

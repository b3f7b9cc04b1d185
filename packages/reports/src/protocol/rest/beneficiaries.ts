import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Report } from '../../engine/data/catalog.ts'
import { checkFilters, queryBeneficiaries } from '../../engine/queries/query.ts'
import { resolveFilter } from '../../engine/queries/resolved-filters.ts'
import { parseBody } from '../../http/parse-body.ts'
import { invalidRequest, notFound } from '../../http/power-bi-error.ts'
import { MAX_BENEFICIARIES, Point } from '../../wire/point-contract.ts'
import { scheduledQuery } from '../embed-api/page-answer.ts'
import { asPowerBi, disconnectSignal } from '../embed-api/query-call.ts'
import { checkIdentities, EffectiveIdentity } from './effective-identity.ts'
import { type InReport, PLACES, type RestOptions } from './rest-options.ts'
import { findReport } from './workspaces.ts'

type Options = Pick<RestOptions, 'readCatalog' | 'scheduler' | 'now'>

const Request = z.strictObject({ point: Point, identities: z.array(EffectiveIdentity).max(50).nullish() })

/**
 * The ids of the beneficiaries behind a data point. Microsoft has no such call. Only an application
 * asks, with the identity of the reader: an embed token, which is in the browser, is not enough.
 */
export const beneficiaryRoutes = async (app: FastifyInstance, { readCatalog, scheduler, now }: Options) => {
  for (const place of PLACES)
    app.post<InReport>(`${place}/reports/:reportId/beneficiaries`, (request, reply) =>
      readCatalog(async (catalog) => {
        const report = findReport(catalog, request.params)
        const { dataset } = report
        const { point: asked, identities } = parseBody(Request, request.body)
        const [identity] = checkIdentities(identities ?? [], [dataset])
        const { visual, query, column } = findRows(report, asked)
        const { ignoresSelection } = visual.definition
        const isNarrowed = asked.selection && asked.selection.visual !== asked.visual && !ignoresSelection
        const given = [
          ...asked.filters,
          ...asked.point,
          ...(isNarrowed ? (asked.selection?.filters ?? []) : []),
        ]
        const owner = JSON.stringify([identity?.username, identity?.customData, identity?.roles])
        return asPowerBi(request, () => {
          const filters = given.map((filter) => resolveFilter(dataset, filter, now()))
          checkFilters(dataset, filters)
          return scheduler.request(owner, disconnectSignal(reply), (run) =>
            queryBeneficiaries(
              scheduledQuery(run, report, { part: visual, owner }),
              dataset,
              { query, column },
              identity,
              {
                filters,
                drillPath: asked.drill,
                most: MAX_BENEFICIARIES,
              },
            ),
          )
        })
      }),
    )
}

/** @throws PowerBiError 404, or 400 when the visual's rows have no id of a beneficiary */
const findRows = ({ pages }: Report, { page, visual: name, drill }: Point) => {
  const visual = pages
    .find(({ definition }) => definition.name === page)
    ?.visuals.find(({ definition }) => definition.name === name)
  if (!visual) throw notFound('The visual')
  const query = visual.beneficiaries?.queries[drill.length]
  if (!visual.beneficiaries || !query)
    throw invalidRequest(`The rows of ${name} have no declared column with the id of a beneficiary`)
  return { visual, query, column: visual.beneficiaries.column }
}

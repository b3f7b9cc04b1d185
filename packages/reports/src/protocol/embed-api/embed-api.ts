import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Previews } from '../../authoring/drafts/draft-previews.ts'
import type { VisualDefinition } from '../../definitions/definition.ts'
import {
  type Catalog,
  type Dataset,
  findColumn,
  type Report,
  type Visual,
} from '../../engine/data/catalog.ts'
import { kindOf } from '../../engine/data/columns/column-kind.ts'
import type { createAnswerCache } from '../../engine/queries/answer-cache.ts'
import { dependsOnTime } from '../../engine/queries/depends-on-time.ts'
import { findEmptyReasons } from '../../engine/queries/empty-reasons.ts'
import { checkFilters, queryValues } from '../../engine/queries/query.ts'
import type { QueryScheduler } from '../../engine/queries/query-scheduler.ts'
import { assertForReaders, columnsOf, isForReaders } from '../../engine/queries/reader-columns.ts'
import { resolveFilter } from '../../engine/queries/resolved-filters.ts'
import { rowsKey } from '../../engine/queries/row-security.ts'
import { parseBody } from '../../http/parse-body.ts'
import { notAuthorized, notFound, PowerBiError } from '../../http/power-bi-error.ts'
import type { CountPublicCall } from '../../http/public-calls.ts'
import { guardByToken } from '../../http/token-guard.ts'
import type { EmbedClaims, Identity, Tokens } from '../../http/tokens.ts'
import {
  ColumnValuesRequest,
  type EmbeddedReport,
  type EmbeddedVisual,
  type EmptyReasons,
  EmptyVisualsRequest,
  PageDataRequest,
} from '../../wire/embed-contract.ts'
import { answerPage, type DataRequester, scheduledQuery } from './page-answer.ts'
import { asPowerBi, disconnectSignal } from './query-call.ts'

type Options = {
  /** Runs the work on the current catalog, which stays open until the work has ended. */
  readCatalog: <T>(work: (catalog: Catalog) => Promise<T>) => Promise<T>
  /** Reads reports that are not published yet. */
  previews: Pick<Previews, 'read'>
  scheduler: QueryScheduler
  tokens: Tokens
  countPublicCall: CountPublicCall
  cached: ReturnType<typeof createAnswerCache>
  /** Returns when the data was last refreshed (ISO). */
  dataTimeOf: (dataset: Dataset) => string
  /** Milliseconds since the epoch, for relative filters. */
  now: () => number
}
type InReport = { Params: { id: string } }

/** Routes of the embed page: a report's definition, the data of a page, the values of a column. */
export const embedApiRoutes = async (app: FastifyInstance, options: Options) => {
  const { readCatalog, previews, scheduler, tokens, countPublicCall, cached, dataTimeOf, now } = options
  const claimsOf = guardByToken(app, 'EmbedToken', countPublicCall, (token, { params }) => {
    const claims = tokens.verifyEmbed(token)
    const { id } = params as InReport['Params']
    if (!claims.reports.includes(id.toLowerCase())) throw notAuthorized()
    return claims
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!(await app.takeAnswerSlot(slotOwnerOf(claimsOf(request), request.ip), reply)))
      throw new PowerBiError(429, 'TooManyUnreadAnswers', TOO_MANY_UNREAD)
  })

  /** Returns the report and the token's identity for its rows. */
  const open = (request: FastifyRequest<InReport>, report: Report | undefined) => {
    if (!report) throw notFound('The report')
    const claims = claimsOf(request)
    const identity = claims.identities.find(({ datasets }) => datasets.includes(report.dataset.id))
    if (!identity && report.dataset.definition.requiresIdentity) throw notAuthorized()
    return { report, identity, claims }
  }

  /** Runs the work on the requested report, whose data stays open until the work has ended. */
  const read = <T>(
    request: FastifyRequest<InReport>,
    work: (opened: ReturnType<typeof open>) => Promise<T>,
  ): Promise<T> => {
    const id = request.params.id.toLowerCase()
    // Not by where the id is found: what is published later may have the id of a preview.
    if (claimsOf(request).preview) return previews.read(id, async (report) => work(open(request, report)))
    return readCatalog(async (catalog) => work(open(request, catalog.reports.get(id))))
  }

  /** Serves a call whose answer is a text; the data is closed before the text is sent. */
  const answerText = (
    path: string,
    answer: (request: FastifyRequest<InReport>, asking: DataRequester) => Promise<string>,
  ) =>
    app.post<InReport>(path, { config: { isTimed: true } }, async (request, reply) => {
      const text = await read(request, ({ report, identity, claims }) => {
        const owner = ownerOf(identity, claims)
        return answer(request, { report, identity, owner, callerLeft: disconnectSignal(reply) })
      })
      return reply.type('application/json; charset=utf-8').send(text)
    })

  app.get<InReport>('/reports/:id', (request) =>
    read(request, async ({ report, claims }) => describe(report, claims.exp * 1000)),
  )
  answerText('/reports/:id/data', async (request, asking) => {
    const question = parseBody(PageDataRequest, request.body)
    const page = asking.report.pages.find(({ definition }) => definition.name === question.page)
    if (!page) throw notFound('The page')
    const dataTime = dataTimeOf(asking.report.dataset)
    const answering = { scheduler, cached, log: request.log, dataTime, now }
    return asPowerBi(request, () => answerPage(answering, asking, page, question))
  })
  answerText('/reports/:id/empty', async (request, { report, identity, owner, callerLeft }) => {
    const question = parseBody(EmptyVisualsRequest, request.body)
    const page = report.pages.find(({ definition }) => definition.name === question.page)
    if (!page) throw notFound('The page')
    const { dataset } = report
    const visuals = page.visuals.filter(({ definition }) => question.visuals.includes(definition.name))
    const reasons = await asPowerBi(request, () => {
      const filters = question.filters.map((filter) => resolveFilter(dataset, filter, now()))
      checkFilters(dataset, filters)
      assertForReaders(report, filters.flatMap(columnsOf))
      return scheduler.request(owner, callerLeft, (run) =>
        findEmptyReasons(scheduledQuery(run, report, { part: page, owner }), dataset, visuals, identity, {
          filters,
          drill: question.drill,
        }),
      )
    })
    return JSON.stringify({ reasons } satisfies EmptyReasons)
  })
  answerText('/reports/:id/values', async (request, { report, identity, owner, callerLeft }) => {
    const question = parseBody(ColumnValuesRequest, request.body)
    const { dataset, version } = report
    const found = findColumn(dataset, question.target)
    return asPowerBi(request, async () => {
      assertForReaders(report, [question.target])
      const rows = rowsKey(dataset, identity, found ? [found.table] : [])
      const key = JSON.stringify([version, 'values', rows, question])
      // An unknown column concerns the dataset: queryValues refuses it.
      const compute = (allCallersLeft: AbortSignal, findKept: () => string | undefined) =>
        scheduler.request(owner, allCallersLeft, async (run) => {
          const query = scheduledQuery(run, report, { part: found?.column ?? dataset, owner })
          return (
            findKept() ??
            JSON.stringify(await queryValues(query, dataset, identity, question, report.definition.values))
          )
        })
      return cached(key, {
        owner,
        callerLeft,
        dependsOnTime: dependsOnTime(dataset, []),
        compute,
      })
    })
  })
}

const TOO_MANY_UNREAD =
  'Há respostas demais de relatórios ainda a caminho. Feche outras janelas, ou tente de novo em instantes.'

/** Without a named reader, an identity may be many people's: the address distinguishes them. */
const slotOwnerOf = ({ jti, reader, identities }: EmbedClaims, address: string): string =>
  JSON.stringify(reader ? ['reader', reader] : [address, identities.length ? identities : jti])

/**
 * Returns the owner for the query scheduler: the reader whom the application named. Without one, the
 * identity, or else the token.
 */
const ownerOf = (identity: Identity | undefined, { jti, reader }: EmbedClaims): string => {
  return JSON.stringify(
    reader ? ['reader', reader] : identity ? [identity.username, identity.customData, identity.roles] : [jti],
  )
}

const describe = (described: Report, expiresAt: number): EmbeddedReport => {
  const { definition, pages, dataset } = described
  const { dataset: _id, pages: _pages, ...report } = definition
  const visible = [...dataset.tables.values()].flatMap(({ name: table, hidden, columns }) => {
    const readable = [...columns.values()].filter(({ name: column }) =>
      isForReaders(described, { table, column }),
    )
    return hidden ? [] : [{ table, readable }]
  })
  return {
    ...report,
    pages: pages.map(({ definition: { visuals, ...page }, visuals: loadedVisuals }) => ({
      ...page,
      visuals: visuals.map((visual) => {
        const loaded = loadedVisuals.find((one) => one.definition === visual)
        return {
          ...withoutSql(visual, loaded),
          columns: loaded?.columns.map(({ name }) => name) ?? [],
          ...(loaded?.beneficiaries && { hasBeneficiaries: true as const }),
          ...(visual.type === 'table' && loaded?.queries[0].isStored && { hasStoredValues: true as const }),
        }
      }),
    })),
    columns: Object.fromEntries(
      visible.map(({ table, readable }) => [table, readable.map(({ name }) => name)]),
    ),
    columnKinds: Object.fromEntries(
      visible.map(({ table, readable }) => [table, readable.map(({ kind }) => kind)]),
    ),
    timeZone: dataset.definition.timeZone,
    expiresAt,
  }
}

/** Removes the author's SQL: the page only gets the names of the result columns. */
const withoutSql = (
  { query: _query, summary: _summary, totals: _totals, drill, matrix, ...visual }: VisualDefinition,
  loaded: Visual | undefined,
): Omit<EmbeddedVisual, 'columns'> => {
  const levels = drill?.levels.map((level, index) => {
    const [column] = loaded?.queries[index]?.columns ?? []
    return { ...level, ...(column && { kind: kindOf(column.type) }) }
  })
  return {
    ...visual,
    ...(drill && levels && { drill: { levels, values: Object.keys(drill.values) } }),
    ...(matrix && { matrix: { ...matrix, values: Object.keys(matrix.values) } }),
  }
}

import { createHash } from 'node:crypto'
import { ownValue } from '@bi-manager/contract/own-value'
import { type ReportQuery, reportQueries } from '@bi-manager/telemetry/events'
import type { FastifyBaseLogger } from 'fastify'
import type { CheckedQuery, Page, Report, Visual } from '../../engine/data/catalog.ts'
import {
  AnswerTooLarge,
  kindOfError,
  type Origin,
  QueryTimeout,
} from '../../engine/data/database/database.ts'
import { QueryRefused } from '../../engine/data/database/database-process.ts'
import type { createAnswerCache } from '../../engine/queries/answer-cache.ts'
import { dependsOnTime } from '../../engine/queries/depends-on-time.ts'
import { FilterError, type ResolvedFilter, tableOf } from '../../engine/queries/filters.ts'
import {
  checkFilters,
  queryUnderlying,
  queryVisual,
  type RunStatement,
  type VisualQuestion,
} from '../../engine/queries/query.ts'
import {
  CallerLeft,
  type QueryScheduler,
  type Run,
  ServiceBusy,
} from '../../engine/queries/query-scheduler.ts'
import { assertForReaders, columnsOf } from '../../engine/queries/reader-columns.ts'
import { resolveFilter } from '../../engine/queries/resolved-filters.ts'
import { IdentityError, rowsKey } from '../../engine/queries/row-security.ts'
import { runShared } from '../../engine/queries/shared-statements.ts'
import { invalidRequest, notAuthorized, PowerBiError } from '../../http/power-bi-error.ts'
import type { Identity } from '../../http/tokens.ts'
import type { PageData, PageDataQuery } from '../../wire/embed-contract.ts'

/** Runs a reader's query and records it in metrics and traces. */
const reportQuery = <T>(run: () => Promise<T>): Promise<T> => {
  const query: ReportQuery = {}
  return reportQueries.trace(query, async () => {
    try {
      const rows = await run()
      query.outcome = 'ok'
      return rows
    } catch (error) {
      query.outcome = outcomeOf(error)
      throw error
    }
  })
}

const outcomeOf = (error: unknown): ReportQuery['outcome'] => {
  if (error instanceof QueryTimeout) return 'timeout'
  return error instanceof CallerLeft ? 'abandoned' : 'error'
}

type AnswerContext = {
  scheduler: QueryScheduler
  cached: ReturnType<typeof createAnswerCache>
  log: FastifyBaseLogger
  /** When the data was last refreshed (ISO). */
  dataTime: string
  now: () => number
}
/**
 * Who requests data of which report: `identity` restricts the rows, `owner` is whose turns the
 * queries take, and `callerLeft` aborts when the caller disconnects.
 */
export type DataRequester = {
  report: Report
  identity: Identity | undefined
  owner: string
  callerLeft: AbortSignal
}

/** Bytes of the answers of one page's visuals together. */
const MAX_PAGE_BYTES = 64_000_000

/**
 * Returns `PageData` as JSON: the rows of the requested visuals. Each visual is cached, shared and
 * cancelled separately, keyed by all that its rows depend on, so that only changes are computed. A
 * visual's own failure is reported in `failures`.
 */
export const answerPage = async (
  { scheduler, cached, log, dataTime, now }: AnswerContext,
  { report, identity, owner, callerLeft }: DataRequester,
  page: Page,
  given: PageDataQuery,
): Promise<string> => {
  const { dataset } = report
  const { underlying } = given
  if (underlying !== undefined && !report.definition.underlyingData) throw notAuthorized()
  const visuals = visualsAsked(page, given)
  // One time for all visuals, in whole seconds, so that equal questions share an answer.
  const time = Math.floor(now() / 1000) * 1000
  const question = resolveQuestion(given, (filter) => resolveFilter(dataset, filter, time))
  const asked = [...question.filters, ...(question.selection?.filters ?? [])]
  checkFilters(dataset, asked)
  assertForReaders(report, asked.flatMap(columnsOf))
  // Each filter once: it may have thousands of values and is part of each visual's key.
  const digests = new Map(asked.map((filter) => [filter, digestOf(filter)]))
  // What is too large is dropped when it arrives, so that it is not kept until the page is complete.
  const assertFits = createSizeCheck(MAX_PAGE_BYTES)
  // Aborts the remaining queries when the whole answer fails.
  const failed = new AbortController()
  const answers = visuals.map(async (visual) => {
    const own = questionOf(visual, question)
    const behind = underlying === undefined ? undefined : underlyingOf(visual, own)
    const queries = behind ? [behind] : [...visual.queries, ...(visual.totals ? [visual.totals] : [])]
    const tables = [...new Set(queries.flatMap(({ reads }) => reads))]
    const matter = own.filters.filter((filter) => {
      const table = tableOf(dataset, filter)
      return table !== undefined && tables.includes(table)
    })
    const key = JSON.stringify([
      report.version,
      page.definition.name,
      visual.definition.name,
      rowsKey(dataset, identity, tables),
      matter.map((filter) => digests.get(filter)).sort(),
      own.drillPath,
      own.sort,
    ])
    const asked = { ...own, filters: matter }
    const answer = (run: RunStatement) =>
      behind && underlying !== undefined
        ? queryUnderlying(run, dataset, behind, identity, { ...asked, most: underlying })
        : queryVisual(run, dataset, visual, identity, asked)
    const compute = (allCallersLeft: AbortSignal, findKept: () => string | undefined = nothingKept) =>
      scheduler.request(
        owner,
        allCallersLeft,
        async (run) =>
          findKept() ?? JSON.stringify(await answer(scheduledQuery(run, report, { part: visual, owner }))),
      )
    const signal = AbortSignal.any([callerLeft, failed.signal])
    // Underlying rows are many, and exported once: they would displace the answers of visuals.
    const answering = behind
      ? compute(signal)
      : cached(key, {
          owner,
          callerLeft: signal,
          dependsOnTime: dependsOnTime(dataset, queries),
          compute,
        })
    try {
      return { name: visual.definition.name, text: assertFits(await answering) }
    } catch (error) {
      if (failsAlone(error)) return { name: visual.definition.name, error }
      throw error
    }
  })
  const outcomes = await Promise.all(answers).catch((error: unknown) => {
    failed.abort()
    throw error
  })
  const failures: [string, PageData['failures'][string]][] = []
  const rows: string[] = []
  for (const { name, text, error } of outcomes) {
    if (text !== undefined) rows.push(`${JSON.stringify(name)}:${text}`)
    else failures.push([name, failureOf(error)])
    if (error && !(error instanceof QueryTimeout))
      log.warn(
        { reason: classOf(error), report: report.id, page: page.definition.name, visual: name },
        'a visual failed',
      )
  }
  // A timeout of every visual is a timeout of the request.
  if (
    rows.length === 0 &&
    outcomes.length > 0 &&
    outcomes.every(({ error }) => error instanceof QueryTimeout)
  )
    throw new QueryTimeout()
  return `{"visuals":{${rows.join()}},"failures":${JSON.stringify(Object.fromEntries(failures))},"dataTime":"${dataTime}"}`
}

/** Returns a function that returns its text, and throws once all texts together are too large. */
const createSizeCheck = (maxBytes: number) => {
  let size = 0
  return (text: string): string => {
    const bytes = Buffer.byteLength(text)
    if (bytes > maxBytes) throw new AnswerTooLarge()
    if (size + bytes > maxBytes) throw new PageTooLarge()
    size += bytes
    return text
  }
}

/** The visuals of one page together have too many bytes. */
class PageTooLarge extends Error {}

const nothingKept = () => undefined

/** Returns a function that runs statements on the report's data when the scheduler allows it. */
export const scheduledQuery =
  (run: Run, { dataset: { database } }: Report, origin: Origin): RunStatement =>
  (write) =>
    runShared(run, database, write, ({ text, values }, signal) =>
      reportQuery(() => database.query(text, values, signal, origin)),
    )

/** Returns the requested visuals, without those that a new publication has removed. */
const visualsAsked = (page: Page, { visuals, drill }: PageDataQuery): Visual[] => {
  for (const { definition } of page.visuals) {
    const depth = ownValue(drill, definition.name)?.length ?? 0
    if (depth > 0 && depth >= (definition.drill?.levels.length ?? 1))
      throw invalidRequest(`drill.${definition.name}: a hierarquia não tem tantos níveis`)
  }
  return visuals ? page.visuals.filter(({ definition }) => visuals.includes(definition.name)) : page.visuals
}

type ResolvedQuestion = Pick<PageDataQuery, 'drill' | 'sort'> & {
  filters: ResolvedFilter[]
  selection: { visual: string; filters: ResolvedFilter[] } | undefined
}

const resolveQuestion = (
  { filters, selection, drill, sort }: PageDataQuery,
  resolve: (filter: PageDataQuery['filters'][number]) => ResolvedFilter,
): ResolvedQuestion => ({
  drill,
  sort,
  filters: filters.map(resolve),
  selection: selection && { visual: selection.visual, filters: selection.filters.map(resolve) },
})

const questionOf = (
  { definition: { name, ignoresSelection } }: Visual,
  { filters, selection, drill, sort }: ResolvedQuestion,
): VisualQuestion => {
  const isNarrowed = selection && selection.visual !== name && !ignoresSelection
  return {
    filters: isNarrowed ? [...filters, ...selection.filters] : filters,
    drillPath: ownValue(drill, name) ?? [],
    sort: ownValue(sort, name),
  }
}

const underlyingOf = ({ definition, underlying }: Visual, { drillPath }: VisualQuestion): CheckedQuery => {
  const query = underlying?.[drillPath.length]
  if (!query) throw invalidRequest(`${definition.name}: não há linhas por trás deste visual`)
  return query
}

/** Display settings do not affect rows. */
const digestOf = ({ displaySettings: _, ...asked }: ResolvedFilter) =>
  createHash('sha256').update(JSON.stringify(asked)).digest('base64')

/** Errors of the caller or the service fail the whole answer; others are the visual's own. */
const failsAlone = (error: unknown) =>
  ![FilterError, IdentityError, ServiceBusy, CallerLeft, PowerBiError].some((kind) => error instanceof kind)

const failureOf = (error: unknown) => {
  if (error instanceof QueryTimeout) return { code: 'QueryTimeout', message: TOO_LONG }
  if (error instanceof QueryRefused) return { code: 'QueryFailed', message: REFUSED }
  if (error instanceof AnswerTooLarge) return { code: 'QueryFailed', message: TOO_LARGE }
  if (error instanceof PageTooLarge) return { code: 'QueryFailed', message: PAGE_TOO_LARGE }
  const isMemory = error instanceof Error && error.message.startsWith('Out of Memory')
  return {
    code: 'QueryFailed',
    message: isMemory
      ? 'A consulta deste visual precisa de mais memória do que o serviço lhe dá.'
      : 'A consulta deste visual falhou.',
  }
}

const TOO_LARGE =
  'O resultado deste visual é grande demais: mostre menos linhas, menos colunas ou textos mais curtos.'
const PAGE_TOO_LARGE = `Os visuais desta página têm juntos mais de ${MAX_PAGE_BYTES / 1_000_000} MB. Use filtros que reduzam os dados, ou tente de novo para carregar só este visual.`
/** Shown in a visual, and in the list of values of a filter. */
export const REFUSED =
  'Esta consulta foi suspensa, porque parou o banco de dados duas vezes. Ela volta quando o relatório ou os seus dados forem publicados de novo.'
export const TOO_LONG = 'A consulta demorou demais.'

const classOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${kindOfError(error)}` : String(error)

import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { keepClientAddresses, plainForwardedAddresses } from '@bi-manager/telemetry/client-addresses'
import { closeConnectionsInTime } from '@bi-manager/telemetry/closing-connections'
import { logOptions } from '@bi-manager/telemetry/logging'
import {
  logBrokenRequest,
  logUnreadableAddress,
  requestIds,
  requestLog,
} from '@bi-manager/telemetry/request-log'
import { unreadAnswers } from '@bi-manager/telemetry/unread-answers'
import formbody from '@fastify/formbody'
import jwt from '@fastify/jwt'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { archiveRoutes } from './archive/archive-routes.ts'
import { createPreviews } from './authoring/drafts/draft-previews.ts'
import { createCatalogVersions } from './authoring/publish/catalog-versions.ts'
import type { Config } from './config.ts'
import type { Catalog } from './engine/data/catalog.ts'
import { CONNECTIONS } from './engine/data/database/database.ts'
import { createDatabaseProcess, type ProcessEnd } from './engine/data/database/database-process.ts'
import { createAnswerCache } from './engine/queries/answer-cache.ts'
import { createQueryScheduler } from './engine/queries/query-scheduler.ts'
import { createExports } from './exports/exports.ts'
import { answerClientError, answerError, PowerBiError } from './http/power-bi-error.ts'
import { createPublicCallCount } from './http/public-calls.ts'
import { securityHeaders } from './http/security-headers.ts'
import { createTokens } from './http/tokens.ts'
import type { Measured } from './metrics.ts'
import { embedApiRoutes } from './protocol/embed-api/embed-api.ts'
import { embedPageRoutes } from './protocol/embed-api/embed-page.ts'
import { loggedPath } from './protocol/rest/entra-discovery.ts'
import { oauthRoutes } from './protocol/rest/oauth.ts'
import { createRefreshHistory } from './protocol/rest/refresh-history.ts'
import { createRefreshCount } from './protocol/rest/refreshes.ts'
import { restRoutes } from './protocol/rest/rest.ts'
import { archiveClientIdOf, ensureServiceFile, type ServiceFile } from './protocol/rest/service-file.ts'

interface HealthOptions {
  catalog: () => Catalog | undefined
  draining: { isOn: boolean }
}

/**
 * `/healthz`: the process answers. `/readyz`: the data is loaded; 503 from the moment the process
 * drains. The number of warnings is public; their texts name files and tables and are only logged.
 */
const healthRoutes = async (app: FastifyInstance, { catalog, draining }: HealthOptions) => {
  app.get('/healthz', async () => ({ situacao: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (draining.isOn) return reply.code(503).send({ situacao: 'encerrando' })
    const known = catalog()
    if (!known) return reply.code(503).send({ situacao: 'carregando' })
    return { situacao: 'pronto', relatorios: known.reports.size, avisos: known.warnings.length }
  })
}

type Options = {
  /** Milliseconds since the epoch; tests use their own clock. */
  now?: () => number
  /** The destination of the log; standard output by default. */
  logTo?: Writable
  /** The folder of the built embed page. */
  embedDir?: string
  /** Milliseconds that a request may take, including its wait. */
  queryTimeoutMs?: number
  /** Milliseconds between checks for a new publication. */
  watchMs?: number
  /** Called when the database process has ended; it is started again. */
  onDatabaseEnded?: (end: ProcessEnd) => void
  /** Called with the credentials when the first start creates them. */
  onFirstStart?: (credentials: ServiceFile) => void
}

/** Megabytes for a process that reads, checks or shows drafts, besides the service's own. */
const MAX_DRAFT_MEGABYTES = 512

const EMBED_DIR = fileURLToPath(new URL('../dist/embed', import.meta.url))

/**
 * Builds the whole service. It answers at once and loads its data in the background: `loaded`
 * settles when that ends, and until then calls that need data return 503.
 */
export const buildApp = async (config: Config, options: Options = {}) => {
  const {
    now = Date.now,
    logTo,
    embedDir = EMBED_DIR,
    queryTimeoutMs = 10_000,
    watchMs = 1000,
    onFirstStart,
    onDatabaseEnded,
  } = options
  const headers = securityHeaders(config.reportsUrl)
  const app = Fastify({
    logger: logOptions({
      service: 'relatorios',
      level: config.logLevel,
      format: config.logFormat,
      stream: logTo,
    }),
    ...requestIds(),
    // Without the proxy's addresses, all readers without an identity would share one queue.
    trustProxy: config.trustProxy,
    ...plainForwardedAddresses(),
    // Start-up may be slow on a busy machine; do not fail on it.
    pluginTimeout: 60_000,
    // Microsoft's addresses ignore case and a slash at the end; parameters keep their case.
    routerOptions: { maxParamLength: 200, caseSensitive: false, ignoreTrailingSlash: true },
    // Milliseconds: limits clients that send head or body very slowly.
    requestTimeout: 30_000,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    // Hooks do not run for these two.
    frameworkErrors: (error, request, reply) => {
      logUnreadableAddress(request)
      void answerError(error, request, reply.headers({ ...headers, 'x-request-id': request.id }))
    },
    clientErrorHandler: (error, socket) => {
      logBrokenRequest(app.log, error, socket)
      answerClientError(error, socket, headers)
    },
  })
  closeConnectionsInTime(app)
  keepClientAddresses(app)
  await app.register(requestLog, { pathOf: loggedPath })
  await app.register(unreadAnswers)
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  const credentials = await ensureServiceFile(config.dataDir, onFirstStart)
  const databaseProcess = createDatabaseProcess({
    memoryMegabytes: config.memoryMegabytes,
    onEnded: (end) => {
      app.log.error(end, 'the database process ended, and is started again')
      onDatabaseEnded?.(end)
    },
  })
  const versions = createCatalogVersions({
    dataDir: config.dataDir,
    databaseProcess,
    memoryMegabytes: config.memoryMegabytes,
    queryTimeoutMs,
    watchMs,
    onLoaded: ({ reports, datasets, warnings }) => {
      for (const warning of warnings) app.log.warn(warning)
      app.log.info({ reports: reports.size, datasets: datasets.size }, 'data loaded')
    },
    onFailed: (error) => app.log.error({ err: error }, 'the data could not be reloaded'),
  })
  const loadedOr503 = (catalog: Catalog | undefined) => {
    if (!catalog) throw new PowerBiError(503, 'ServiceUnavailable', 'The data is being loaded')
    return catalog
  }
  const catalog = () => loadedOr503(versions.current())
  const readCatalog = <T>(work: (catalog: Catalog) => Promise<T>) =>
    versions.read(async (held) => work(loadedOr503(held)))
  const loaded = versions.start()

  const draining = { isOn: false }
  loaded.catch((error: unknown) => {
    if (!draining.isOn) app.log.fatal({ err: error }, 'the data could not be loaded')
  })

  await app.register(formbody)
  await app.register(jwt, { secret: credentials.signingKey })
  const tokens = createTokens(app.jwt, credentials.signingKey, now)

  app.setErrorHandler(answerError)
  const countPublicCall = await createPublicCallCount(app, config.callsPerMinute)
  app.setNotFoundHandler({ preHandler: countPublicCall }, (_request, reply) =>
    reply.code(404).send({ error: { code: 'NotFound', message: 'There is nothing at this address' } }),
  )
  app.addHook('preClose', async () => {
    draining.isOn = true
  })
  app.addHook('onSend', async (_request, reply) => {
    // A keep-alive connection would delay the shutdown by more than a minute.
    if (draining.isOn) reply.header('connection', 'close')
  })
  const draftMegabytes = Math.min(config.memoryMegabytes, MAX_DRAFT_MEGABYTES)
  const { dataDir } = config
  const previews = createPreviews({ dataDir, memoryMegabytes: draftMegabytes, queryTimeoutMs, now })
  app.addHook('onClose', async () => {
    await Promise.all([versions.close(), databaseProcess.close(), previews.close()])
  })

  const { reportsUrl, tokenSeconds, allowedParents } = config
  const clientIds = credentials.applications.map(({ clientId }) => clientId.toLowerCase())
  app.register(healthRoutes, { catalog: versions.current, draining })
  app.register(oauthRoutes, {
    credentials,
    tokens,
    tokenSeconds,
    countPublicCall,
    now,
    reportsUrl,
    dataDir: config.dataDir,
  })
  const exports = createExports(app, { config, tokens, now })
  const refreshes = createRefreshCount(versions.refresh, now)
  const refreshHistory = createRefreshHistory(now)
  const scheduler = createQueryScheduler({ slots: CONNECTIONS, budgetMs: queryTimeoutMs })
  app.register(restRoutes, {
    prefix: '/v1.0/myorg',
    catalog,
    readCatalog,
    refresh: refreshes.refresh,
    refreshHistory,
    tokens,
    reportsUrl,
    tenantId: credentials.tenantId,
    clientIds,
    exports,
    scheduler,
    dataDir: config.dataDir,
    draftMegabytes,
    previews,
    countPublicCall,
    now,
  })
  app.register(archiveRoutes, {
    prefix: '/v1.0/myorg',
    dataDir,
    tokens,
    archiveClientId: archiveClientIdOf(credentials),
    countPublicCall,
    now,
  })
  app.register(embedPageRoutes, { embedDir, allowedParents, countPublicCall })
  app.register(embedApiRoutes, {
    prefix: '/embed-api',
    readCatalog,
    previews,
    scheduler,
    tokens,
    countPublicCall,
    cached: createAnswerCache(now),
    dataTimeOf: refreshHistory.dataTimeOf,
    now,
  })

  const measured: Measured = {
    queries: scheduler.load,
    exports: exports.jobs.queue,
    refreshes: refreshes.queue,
    reports: () => versions.current()?.reports.size,
  }
  return { app, loaded, versions, databaseProcess, measured, draining }
}

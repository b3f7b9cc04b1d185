import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { closeConnectionsInTime } from '@bi-manager/telemetry/closing-connections'
import { logOptions } from '@bi-manager/telemetry/logging'
import {
  logBrokenRequest,
  logUnreadableAddress,
  requestIds,
  requestLog,
} from '@bi-manager/telemetry/request-log'
import formbody from '@fastify/formbody'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import type { Config } from './config.ts'
import { embedApiRoutes } from './embed-api/embed-api.ts'
import { embedPageRoutes } from './embed-api/embed-page.ts'
import { createAnswerCache } from './engine/answer-cache.ts'
import type { Catalog } from './engine/catalog.ts'
import { CONNECTIONS } from './engine/database.ts'
import { createTurns } from './engine/turns.ts'
import { createVersions } from './engine/versions.ts'
import { createExports } from './export/exports.ts'
import { healthRoutes } from './health.ts'
import type { Measured } from './metrics.ts'
import { createPublicCallCount } from './public-calls.ts'
import { oauthRoutes } from './rest/oauth.ts'
import { answerClientError, answerError, PowerBiError } from './rest/power-bi-error.ts'
import { createRefreshCount } from './rest/refreshes.ts'
import { restRoutes } from './rest/rest.ts'
import { securityHeaders } from './security-headers.ts'
import { ensureServiceFile, type ServiceFile } from './service-file.ts'
import { createTokens } from './tokens.ts'

type Options = {
  /** Milliseconds since the epoch; tests bring their own clock. */
  now?: () => number
  /** Where its log goes; undefined: to standard output. */
  logTo?: Writable
  /** Where Vite put the embed page. */
  embedDir?: string
  /** How long a request may take, waiting included. */
  queryTimeoutMs?: number
  /** How often a running service looks for what was published. */
  watchMs?: number
  /** Hears of the credentials at the first start, when they are made. */
  onFirstStart?: (credentials: ServiceFile) => void
}

const EMBED_DIR = fileURLToPath(new URL('../dist/embed', import.meta.url))

/**
 * The whole service. It answers at once and loads its data meanwhile: `loaded` settles when the data is there (or
 * cannot be), and until then every call that needs data answers 503.
 */
export async function buildApp(config: Config, options: Options = {}) {
  const {
    now = Date.now,
    logTo,
    embedDir = EMBED_DIR,
    queryTimeoutMs = 10_000,
    watchMs = 1000,
    onFirstStart,
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
    // Behind a proxy all readers without an identity would be one, and wait for each other.
    trustProxy: config.trustProxy,
    // A machine that does much else at the moment is no reason not to start.
    pluginTimeout: 60_000,
    routerOptions: { maxParamLength: 200 },
    // Milliseconds: who sends head or body drop by drop does not keep a connection for long.
    requestTimeout: 30_000,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    // No hook runs for these two.
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
  await app.register(requestLog)
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  const credentials = await ensureServiceFile(config.dataDir, onFirstStart)
  const versions = createVersions({
    dataDir: config.dataDir,
    memoryMegabytes: config.memoryMegabytes,
    queryTimeoutMs,
    watchMs,
    onLoaded: ({ reports, datasets, warnings }) => {
      for (const warning of warnings) app.log.warn(warning)
      app.log.info({ reports: reports.size, datasets: datasets.size }, 'data loaded')
    },
    onFailed: (error) => app.log.error({ err: error }, 'the data could not be loaded anew'),
  })
  const loadedOr503 = (catalog: Catalog | undefined) => {
    if (!catalog) throw new PowerBiError(503, 'ServiceUnavailable', 'The data is being loaded')
    return catalog
  }
  const catalog = () => loadedOr503(versions.current())
  const loaded = versions.start()

  let isClosing = false
  loaded.catch((error: unknown) => {
    if (!isClosing) app.log.fatal({ err: error }, 'the data could not be loaded')
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
    isClosing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    // A connection kept alive by its last answer would hold up the end for over a minute.
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onClose', async () => {
    await versions.close()
  })

  const { reportsUrl, tokenSeconds, allowedParents } = config
  const clientIds = credentials.applications.map(({ clientId }) => clientId.toLowerCase())
  app.register(healthRoutes, { catalog: versions.current })
  app.register(oauthRoutes, { credentials, tokens, tokenSeconds, countPublicCall, now })
  const exports = createExports(app, { config, tokens, now })
  const refreshes = createRefreshCount(versions.refresh, now)
  app.register(restRoutes, {
    prefix: '/v1.0/myorg',
    catalog,
    refresh: refreshes.refresh,
    tokens,
    reportsUrl,
    clientIds,
    exports,
    countPublicCall,
    now,
  })
  const turns = createTurns({ slots: CONNECTIONS, budgetMs: queryTimeoutMs })
  app.register(embedPageRoutes, { embedDir, allowedParents, countPublicCall })
  app.register(embedApiRoutes, {
    prefix: '/embed-api',
    catalog: (response) => loadedOr503(versions.hold(response)),
    turns,
    tokens,
    countPublicCall,
    cached: createAnswerCache(now),
  })

  const measured: Measured = {
    queries: turns.load,
    exports: exports.jobs.queue,
    refreshes: refreshes.queue,
    reports: () => versions.current()?.reports.size,
  }
  return { app, loaded, versions, measured }
}

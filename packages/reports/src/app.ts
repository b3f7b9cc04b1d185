import { fileURLToPath } from 'node:url'
import formbody from '@fastify/formbody'
import jwt from '@fastify/jwt'
import Fastify, { type FastifyServerOptions } from 'fastify'
import type { Config } from './config.ts'
import { embedApiRoutes } from './embed-api/embed-api.ts'
import { embedPageRoutes } from './embed-api/embed-page.ts'
import type { Catalog } from './engine/catalog.ts'
import { CONNECTIONS, openDatabase } from './engine/database.ts'
import { loadCatalog } from './engine/load-catalog.ts'
import { createPageCache } from './engine/page-cache.ts'
import { createTurns } from './engine/turns.ts'
import { healthRoutes } from './health.ts'
import { oauthRoutes } from './rest/oauth.ts'
import { answerClientError, answerError, PowerBiError } from './rest/power-bi-error.ts'
import { restRoutes } from './rest/rest.ts'
import { ensureServiceFile, type ServiceFile } from './service-file.ts'
import { createTokens } from './tokens.ts'

type Options = {
  /** Milliseconds since the epoch; tests bring their own clock. */
  now?: () => number
  logger?: FastifyServerOptions['logger']
  /** Where Vite put the embed page. */
  embedDir?: string
  /** How long a request may take, waiting included. */
  queryTimeoutMs?: number
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
    logger = { level: config.logLevel },
    embedDir = EMBED_DIR,
    queryTimeoutMs = 10_000,
    onFirstStart,
  } = options
  const app = Fastify({
    logger,
    routerOptions: { maxParamLength: 200 },
    // Milliseconds: who sends head or body drop by drop does not keep a connection for long.
    requestTimeout: 30_000,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerClientError,
  })
  const credentials = await ensureServiceFile(config.dataDir, onFirstStart)
  const database = await openDatabase({ memoryMegabytes: config.memoryMegabytes, timeoutMs: queryTimeoutMs })

  let known: Catalog | undefined
  const catalog = () => {
    if (!known) throw new PowerBiError(503, 'ServiceUnavailable', 'The data is being loaded')
    return known
  }
  const loaded = loadCatalog(database, config.dataDir).then((result) => {
    known = result
    for (const warning of result.warnings) app.log.warn(warning)
    app.log.info({ reports: result.reports.size, datasets: result.datasets.size }, 'data loaded')
    return result
  })

  loaded.catch((error: unknown) => app.log.fatal({ err: error }, 'the data could not be loaded'))

  await app.register(formbody)
  await app.register(jwt, { secret: credentials.signingKey })
  const tokens = createTokens(app.jwt, credentials.signingKey, now)

  app.setErrorHandler(answerError)
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: { code: 'NotFound', message: 'There is nothing at this address' } }),
  )
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    // A connection kept alive by its last answer would hold up the end for over a minute.
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onClose', async () => {
    await loaded.catch(() => undefined)
    await database.close()
  })

  const { reportsUrl, tokenSeconds, allowedParents } = config
  const clientIds = credentials.applications.map(({ clientId }) => clientId.toLowerCase())
  app.register(healthRoutes, { catalog: () => known })
  app.register(oauthRoutes, { credentials, tokens, tokenSeconds, now })
  app.register(restRoutes, { prefix: '/v1.0/myorg', catalog, tokens, reportsUrl, clientIds })
  app.register(embedPageRoutes, { embedDir, allowedParents })
  app.register(embedApiRoutes, {
    prefix: '/embed-api',
    catalog,
    database,
    turns: createTurns({ slots: CONNECTIONS, budgetMs: queryTimeoutMs }),
    tokens,
    cached: createPageCache(now),
  })

  return { app, loaded }
}

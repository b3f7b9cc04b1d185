import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { keepClientAddresses, plainForwardedAddresses } from '@bi-manager/telemetry/client-addresses'
import { closeConnectionsInTime } from '@bi-manager/telemetry/closing-connections'
import { logOptions } from '@bi-manager/telemetry/logging'
import { logBrokenRequest, requestIds, requestLog } from '@bi-manager/telemetry/request-log'
import { unreadAnswers } from '@bi-manager/telemetry/unread-answers'
import compress from '@fastify/compress'
import Fastify from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { createCallerFinder, createKeyCallerFinder, createKeyUseWriter } from './accounts/index.ts'
import type { AllServices } from './all-services.ts'
import { unreadableLog } from './clinical/index.ts'
import { createKioskFinder, createVisitFinder } from './distribution/index.ts'
import { healthRoutes } from './operations/health/health.routes.ts'
import { programVersion } from './platform/config/version.ts'
import { openApi, openApiPages } from './platform/http/api/open-api.ts'
import { bodyTime } from './platform/http/bodies/body-time.ts'
import { freeSpaceGuard } from './platform/http/bodies/free-space.ts'
import { callerTransactions } from './platform/http/caller-transaction.ts'
import {
  errorHandler,
  refuseBrokenRequest,
  sendFrameworkError,
} from './platform/http/errors/error-handler.ts'
import { reauthentication } from './platform/http/guard/reauthentication.ts'
import { sessionGuard } from './platform/http/guard/session-guard.ts'
import { createCallCounts } from './platform/http/guard/shared-call-counts.ts'
import { createRefusalWriter } from './platform/http/guard/write-refusal.ts'
import { loggedPath } from './platform/http/log/logged-path.ts'
import { addBuildHeader } from './platform/http/pages/page-build.ts'
import { portalPages } from './platform/http/pages/portal-pages.ts'
import { securityHeaders } from './platform/http/security-headers.ts'
import { mcpRoutes } from './reports/mcp/mcp.routes.ts'
import { apiRoutes } from './routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to stop: it still answers; load balancers send no more. */
    draining: { isOn: boolean }
  }
}

const portalRoot = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** Builds the server without listening. Logs to standard output unless `logTo` is given. */
export const buildApp = async (services: AllServices, { logTo }: { logTo?: Writable } = {}) => {
  const { config, db, secrets, now } = services
  const app = Fastify({
    logger: logOptions({
      service: 'portal',
      level: config.logLevel,
      format: config.logFormat,
      stream: logTo,
    }),
    trustProxy: config.trustProxy,
    ...plainForwardedAddresses(),
    // Start-up may be slow on a busy machine; do not fail on it.
    pluginTimeout: 60_000,
    bodyLimit: 256 * 1024,
    // 10 MB at 300 kbit/s; requests without files have 30 s (platform/http/bodies/body-time.ts).
    requestTimeout: 300_000,
    http: { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    ...requestIds(),
    routerOptions: { ignoreDuplicateSlashes: false, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: (error, socket) => {
      logBrokenRequest(app.log, error, socket)
      refuseBrokenRequest(error, socket)
    },
  })
  closeConnectionsInTime(app)
  keepClientAddresses(app)
  await app.register(requestLog, { pathOf: loggedPath })
  await app.register(unreadAnswers)
  const draining = { isOn: false }
  app.decorate('draining', draining)
  app.addHook('preClose', async () => {
    draining.isOn = true
  })
  app.addHook('onSend', async (_request, reply) => {
    // A kept-alive connection would prevent the server from stopping.
    if (draining.isOn) reply.header('connection', 'close')
  })
  // Many clients send the content type with every call: an empty body may count as none.
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' && needsNoBody(request.routeOptions.schema?.body)
      ? done(null, undefined)
      : parseJson(request, String(body), done),
  )
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  await app.register(unreadableLog)
  await app.register(bodyTime)
  await app.register(errorHandler, { onProblem: createRefusalWriter(services) })
  await app.register(securityHeaders, { https: config.publicUrl.startsWith('https:') })
  await app.register(compress, { threshold: 1024 })
  const { callsPerMinute, callsPerPerson } = config
  const countCalls = (limit: number) =>
    createCallCounts({
      db,
      now,
      digest: secrets.digest,
      shareEvery: Math.ceil(limit / 10),
      onError: (err) => app.log.warn({ err }, 'the count of calls could not be shared'),
    })
  await app.register(sessionGuard, {
    tokenKeys: secrets.tokenKeys,
    callsPerMinute,
    countCall: countCalls(callsPerMinute),
    callsPerPerson,
    countPersonCall: countCalls(callsPerPerson),
    signInNetworks: config.signInNetworks,
    findCaller: createCallerFinder(db, { idleSeconds: config.session.idleSeconds, now }),
    findKiosk: createKioskFinder({ db, secrets, config, now }),
    findVisit: createVisitFinder({ db, secrets, now }),
    findKeyCaller: createKeyCallerFinder({ db, secrets, now }),
    noteKeyUse: createKeyUseWriter({ db, now }),
  })
  await app.register(freeSpaceGuard, config)
  await app.register(callerTransactions, services)
  await app.register(reauthentication, services)
  await app.register(openApi, { version: programVersion })

  const hasPages = existsSync(portalRoot)
  await app.register(healthRoutes, services)
  await app.register(
    async (api) => {
      if (hasPages) await addBuildHeader(api, portalRoot)
      for (const routes of apiRoutes) await api.register(routes, services)
      await api.register(openApiPages)
    },
    { prefix: '/api' },
  )
  await app.register(mcpRoutes, services)
  if (hasPages) {
    await app.register(portalPages, {
      root: portalRoot,
      frameOrigins: frameOriginsOf(services),
      readBrand: services.readBrand,
    })
  }
  return app
}

const needsNoBody = (schema: unknown): boolean =>
  !(schema instanceof z.ZodType) || schema.safeParse(undefined).success

const frameOriginsOf = ({ config: { bi } }: AllServices): string[] => [
  bi.addresses.microsoft.embed,
  ...(bi.localEmbedOrigin ? [bi.localEmbedOrigin] : []),
]

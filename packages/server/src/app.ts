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
import type { AllServices } from './all-services.ts'
import { unreadableLog } from './clinical/unreadable.ts'
import { programVersion } from './config/version.ts'
import { accessRequestsRoutes } from './features/access-requests/access-requests.routes.ts'
import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import { alertsRoutes } from './features/alerts/alerts.routes.ts'
import { announcementsRoutes } from './features/announcements/announcements.routes.ts'
import { apiKeysRoutes } from './features/api-keys/api-keys.routes.ts'
import { appearanceRoutes } from './features/appearance/appearance.routes.ts'
import { attachmentsRoutes } from './features/attachments/attachments.routes.ts'
import { auditRoutes } from './features/audit/audit.routes.ts'
import { beneficiariesRoutes } from './features/beneficiaries/beneficiaries.routes.ts'
import { capacitiesRoutes } from './features/capacities/capacities.routes.ts'
import { commentsRoutes } from './features/comments/comments.routes.ts'
import { connectionsRoutes } from './features/connections/connections.routes.ts'
import { dataFreshnessRoutes } from './features/data-freshness/data-freshness.routes.ts'
import { dataProtectionRoutes } from './features/data-protection/data-protection.routes.ts'
import { dependantsRoutes } from './features/dependants/dependants.routes.ts'
import { embeddingRoutes } from './features/embedding/embedding.routes.ts'
import { guestEmbedRoutes } from './features/embedding/guest-embed.routes.ts'
import { kioskEmbedRoutes } from './features/embedding/kiosk-embed.routes.ts'
import { mcpRoutes } from './features/embedding/mcp/mcp.routes.ts'
import { viewAsRoutes } from './features/embedding/view-as.routes.ts'
import { environmentRoutes } from './features/environment/environment.routes.ts'
import { favoritesRoutes } from './features/favorites/favorites.routes.ts'
import { grantsRoutes } from './features/grants/grants.routes.ts'
import { guestVisitsRoutes } from './features/guests/guest-visits.routes.ts'
import { guestsRoutes } from './features/guests/guests.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { kioskScreenRoutes } from './features/kiosks/kiosk-screen.routes.ts'
import { kiosksRoutes } from './features/kiosks/kiosks.routes.ts'
import { liveRoutes } from './features/live/live.routes.ts'
import { medicalRecordsRoutes } from './features/medical-records/medical-records.routes.ts'
import { menusRoutes } from './features/menus/menus.routes.ts'
import { notificationsRoutes } from './features/notifications/notifications.routes.ts'
import { oidcRoutes } from './features/oidc/oidc.routes.ts'
import { ownAccountRoutes } from './features/own-account/own-account.routes.ts'
import { pdfPasswordRoutes } from './features/own-account/pdf-password.routes.ts'
import { pagesRoutes } from './features/pages/pages.routes.ts'
import { pointBeneficiariesRoutes } from './features/point-beneficiaries/point-beneficiaries.routes.ts'
import { portalRoutes } from './features/portal/portal.routes.ts'
import { profilesRoutes } from './features/profiles/profiles.routes.ts'
import { publishedReportsRoutes } from './features/publishing/published-reports.routes.ts'
import { publishingRoutes } from './features/publishing/publishing.routes.ts'
import { dataSchedulesRoutes } from './features/publishing/schedules.routes.ts'
import { reportExportsRoutes } from './features/report-exports/report-exports.routes.ts'
import { reportPerformanceRoutes } from './features/report-performance/report-performance.routes.ts'
import { reportRecordsRoutes } from './features/report-records/report-records.routes.ts'
import { reportRolesRoutes } from './features/report-roles/report-roles.routes.ts'
import { responsiblesRoutes } from './features/responsibles/responsibles.routes.ts'
import { savedViewsRoutes } from './features/saved-views/saved-views.routes.ts'
import { secondFactorRoutes } from './features/second-factor/second-factor.routes.ts'
import { securitySettingsRoutes } from './features/security-settings/security-settings.routes.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import { deliveryRoutes } from './features/subscriptions/delivery.routes.ts'
import { subscriptionSettingsRoutes } from './features/subscriptions/subscription-settings.routes.ts'
import { subscriptionsRoutes } from './features/subscriptions/subscriptions.routes.ts'
import { unsubscribeRoutes } from './features/subscriptions/unsubscribe.routes.ts'
import { setupRoutes } from './features/system-status/setup.routes.ts'
import { systemStatusRoutes } from './features/system-status/system-status.routes.ts'
import { usageRoutes } from './features/usage/usage.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { workspacesRoutes } from './features/workspaces/workspaces.routes.ts'
import { bodyTime } from './http/body-time.ts'
import { callerTransactions } from './http/caller-transaction.ts'
import { errorHandler, refuseBrokenRequest, sendFrameworkError } from './http/error-handler.ts'
import { freeSpaceGuard } from './http/free-space.ts'
import { loggedPath } from './http/logged-path.ts'
import { openApi, openApiPages } from './http/open-api.ts'
import { addBuildHeader } from './http/page-build.ts'
import { portalPages } from './http/portal-pages.ts'
import { reauthentication } from './http/reauthentication.ts'
import { createRefusalRecord } from './http/record-refusal.ts'
import { securityHeaders } from './http/security-headers.ts'
import { sessionGuard } from './http/session-guard.ts'
import { createCallCounts } from './http/shared-call-counts.ts'
import { createKeyCallerFinder, createKeyUseWriter } from './sessions/api-keys.ts'
import { createCallerFinder } from './sessions/callers.repository.ts'
import { createVisitFinder } from './sessions/guest-visits.ts'
import { createKioskFinder } from './sessions/kiosk-devices.ts'

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
    // 10 MB at 300 kbit/s; requests without files have 30 s (http/body-time.ts).
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
  await app.register(errorHandler, { onProblem: createRefusalRecord(services) })
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
      await api.register(portalRoutes, services)
      await api.register(signInRoutes, services)
      await api.register(oidcRoutes, services)
      await api.register(ownAccountRoutes, services)
      await api.register(pdfPasswordRoutes, services)
      await api.register(accountsRoutes, services)
      await api.register(activityRoutes, services)
      await api.register(menusRoutes, services)
      await api.register(embeddingRoutes, services)
      await api.register(viewAsRoutes, services)
      await api.register(kiosksRoutes, services)
      await api.register(kioskScreenRoutes, services)
      await api.register(kioskEmbedRoutes, services)
      await api.register(guestsRoutes, services)
      await api.register(guestVisitsRoutes, services)
      await api.register(guestEmbedRoutes, services)
      await api.register(favoritesRoutes, services)
      await api.register(savedViewsRoutes, services)
      await api.register(reportExportsRoutes, services)
      await api.register(pointBeneficiariesRoutes, services)
      await api.register(reportPerformanceRoutes, services)
      await api.register(dataFreshnessRoutes, services)
      await api.register(grantsRoutes, services)
      await api.register(profilesRoutes, services)
      await api.register(liveRoutes, services)
      await api.register(notificationsRoutes, services)
      await api.register(accessRequestsRoutes, services)
      await api.register(announcementsRoutes, services)
      await api.register(commentsRoutes, services)
      await api.register(connectionsRoutes, services)
      await api.register(dependantsRoutes, services)
      await api.register(capacitiesRoutes, services)
      await api.register(responsiblesRoutes, services)
      await api.register(workspacesRoutes, services)
      await api.register(usersRoutes, services)
      await api.register(reportRecordsRoutes, services)
      await api.register(reportRolesRoutes, services)
      await api.register(pagesRoutes, services)
      await api.register(secondFactorRoutes, services)
      await api.register(securitySettingsRoutes, services)
      await api.register(appearanceRoutes, services)
      await api.register(apiKeysRoutes, services)
      await api.register(subscriptionsRoutes, services)
      await api.register(deliveryRoutes, services)
      await api.register(unsubscribeRoutes, services)
      await api.register(subscriptionSettingsRoutes, services)
      await api.register(alertsRoutes, services)
      await api.register(systemStatusRoutes, services)
      await api.register(setupRoutes, services)
      await api.register(environmentRoutes, services)
      await api.register(auditRoutes, services)
      await api.register(publishingRoutes, services)
      await api.register(publishedReportsRoutes, services)
      await api.register(dataSchedulesRoutes, services)
      await api.register(usageRoutes, services)
      await api.register(attachmentsRoutes, services)
      await api.register(beneficiariesRoutes, services)
      await api.register(medicalRecordsRoutes, services)
      await api.register(dataProtectionRoutes, services)
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

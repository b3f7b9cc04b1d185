import type { FastifyInstance } from 'fastify'
import { viewAsRoutes } from './access/explainer/view-as.routes.ts'
import { grantsRoutes } from './access/grants/grants.routes.ts'
import { profilesRoutes } from './access/profiles/profiles.routes.ts'
import { accessRequestsRoutes } from './access/requests/access-requests.routes.ts'
import { apiKeysRoutes } from './accounts/api-keys/api-keys.routes.ts'
import { oidcRoutes } from './accounts/identity-provider/oidc.routes.ts'
import { accountsRoutes } from './accounts/links/accounts.routes.ts'
import { liveRoutes } from './accounts/live/live.routes.ts'
import { ownAccountRoutes } from './accounts/own-account/own-account.routes.ts'
import { pdfPasswordRoutes } from './accounts/own-account/pdf-password.routes.ts'
import { responsiblesRoutes } from './accounts/responsibles/responsibles.routes.ts'
import { secondFactorRoutes } from './accounts/second-factor/second-factor.routes.ts'
import { securitySettingsRoutes } from './accounts/security-settings/security-settings.routes.ts'
import { signInRoutes } from './accounts/sign-in/sign-in.routes.ts'
import { usersRoutes } from './accounts/users/users.routes.ts'
import type { AllServices } from './all-services.ts'
import { attachmentsRoutes } from './clinical/attachments/attachments.routes.ts'
import { beneficiariesRoutes } from './clinical/beneficiaries/beneficiaries.routes.ts'
import { dataProtectionRoutes } from './clinical/data-protection/data-protection.routes.ts'
import { medicalRecordsRoutes } from './clinical/medical-records/medical-records.routes.ts'
import { pointBeneficiariesRoutes } from './clinical/point-beneficiaries/point-beneficiaries.routes.ts'
import { capacitiesRoutes } from './connections/capacities/capacities.routes.ts'
import { connectionsRoutes } from './connections/connections/connections.routes.ts'
import { alertsRoutes } from './distribution/alerts/alerts.routes.ts'
import { announcementsRoutes } from './distribution/announcements/announcements.routes.ts'
import { guestEmbedRoutes } from './distribution/guests/guest-embed.routes.ts'
import { guestVisitsRoutes } from './distribution/guests/guest-visits.routes.ts'
import { guestsRoutes } from './distribution/guests/guests.routes.ts'
import { kioskEmbedRoutes } from './distribution/kiosks/kiosk-embed.routes.ts'
import { kioskScreenRoutes } from './distribution/kiosks/kiosk-screen.routes.ts'
import { kiosksRoutes } from './distribution/kiosks/kiosks.routes.ts'
import { notificationsRoutes } from './distribution/notifications/notifications.routes.ts'
import { runRoutes } from './distribution/subscriptions/runs.routes.ts'
import { subscriptionSettingsRoutes } from './distribution/subscriptions/subscription-settings.routes.ts'
import { subscriptionsRoutes } from './distribution/subscriptions/subscriptions.routes.ts'
import { unsubscribeRoutes } from './distribution/subscriptions/unsubscribe.routes.ts'
import { appearanceRoutes } from './operations/appearance/appearance.routes.ts'
import { auditRoutes } from './operations/audit/audit.routes.ts'
import { dependantsRoutes } from './operations/dependants/dependants.routes.ts'
import { environmentRoutes } from './operations/installation/environment.routes.ts'
import { portalRoutes } from './operations/installation/portal.routes.ts'
import { setupRoutes } from './operations/system-status/setup.routes.ts'
import { systemStatusRoutes } from './operations/system-status/system-status.routes.ts'
import { publishedReportsRoutes } from './publishing/published-reports.routes.ts'
import { publishingRoutes } from './publishing/publishing.routes.ts'
import { dataSchedulesRoutes } from './publishing/schedules.routes.ts'
import { activityRoutes } from './reports/activity/activity.routes.ts'
import { commentsRoutes } from './reports/comments/comments.routes.ts'
import { embeddingRoutes } from './reports/embedding/embedding.routes.ts'
import { reportExportsRoutes } from './reports/exports/report-exports.routes.ts'
import { favoritesRoutes } from './reports/favorites/favorites.routes.ts'
import { dataFreshnessRoutes } from './reports/freshness/data-freshness.routes.ts'
import { menusRoutes } from './reports/menu/menus.routes.ts'
import { pagesRoutes } from './reports/pages/pages.routes.ts'
import { reportRegistrationsRoutes } from './reports/registrations/report-registrations.routes.ts'
import { reportRolesRoutes } from './reports/registrations/report-roles.routes.ts'
import { savedViewsRoutes } from './reports/saved-views/saved-views.routes.ts'
import { reportPerformanceRoutes } from './reports/usage/report-performance.routes.ts'
import { usageRoutes } from './reports/usage/usage.routes.ts'
import { workspacesRoutes } from './reports/workspaces/workspaces.routes.ts'

/** The routes of a noun, below /api. */
type Routes = (api: FastifyInstance, services: AllServices) => Promise<void>

const accounts: Routes[] = [
  signInRoutes,
  oidcRoutes,
  ownAccountRoutes,
  pdfPasswordRoutes,
  accountsRoutes,
  liveRoutes,
  usersRoutes,
  responsiblesRoutes,
  secondFactorRoutes,
  securitySettingsRoutes,
  apiKeysRoutes,
]

const connections: Routes[] = [connectionsRoutes, capacitiesRoutes]

const reports: Routes[] = [
  menusRoutes,
  embeddingRoutes,
  favoritesRoutes,
  savedViewsRoutes,
  reportExportsRoutes,
  reportPerformanceRoutes,
  dataFreshnessRoutes,
  workspacesRoutes,
  reportRegistrationsRoutes,
  reportRolesRoutes,
  pagesRoutes,
  activityRoutes,
  commentsRoutes,
  usageRoutes,
]

const access: Routes[] = [viewAsRoutes, grantsRoutes, profilesRoutes, accessRequestsRoutes]

const publishing: Routes[] = [publishingRoutes, publishedReportsRoutes, dataSchedulesRoutes]

const distribution: Routes[] = [
  kiosksRoutes,
  kioskScreenRoutes,
  kioskEmbedRoutes,
  guestsRoutes,
  guestVisitsRoutes,
  guestEmbedRoutes,
  notificationsRoutes,
  announcementsRoutes,
  subscriptionsRoutes,
  runRoutes,
  unsubscribeRoutes,
  subscriptionSettingsRoutes,
  alertsRoutes,
]

const clinical: Routes[] = [
  pointBeneficiariesRoutes,
  attachmentsRoutes,
  beneficiariesRoutes,
  medicalRecordsRoutes,
  dataProtectionRoutes,
]

const operations: Routes[] = [
  portalRoutes,
  dependantsRoutes,
  appearanceRoutes,
  systemStatusRoutes,
  setupRoutes,
  environmentRoutes,
  auditRoutes,
]

/** Every route of the API, by area. */
export const apiRoutes: Routes[] = [
  ...accounts,
  ...connections,
  ...reports,
  ...access,
  ...publishing,
  ...distribution,
  ...clinical,
  ...operations,
]

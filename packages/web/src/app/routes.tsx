import type { Permission } from '@bi-manager/contract'
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { storeProviderResponse } from '../accounts/index.ts'
import { type DashboardRoute, dashboards } from '../lib/navigation/dashboards.ts'
import { reportRoutes } from '../lib/navigation/report-path.ts'
import { KioskError } from './errors/kiosk-error.tsx'
import { FrameError, PageError } from './errors/page-error.tsx'
import { PermissionOnly, SignedInOnly, SignedOutOnly, UnknownAddress } from './guards.tsx'
import type { PageHandle } from './layouts/page-handle.ts'
import { PublicFrame } from './layouts/public-frame.tsx'
import { Root } from './layouts/root.tsx'
import { Splash } from './splash.tsx'

/** Pages that only people with this permission open. */
const guarded = (permission: Permission, children: RouteObject[]): RouteObject => ({
  element: <PermissionOnly permission={permission} />,
  children,
})

type Load = () => Promise<ComponentType>

const page = (path: string, title: string, load: Load): RouteObject => ({
  path,
  caseSensitive: true,
  handle: { title } satisfies PageHandle,
  lazy: { Component: load },
})

const shell = () => import('./layouts/signed-in-frame.tsx').then((m) => m.SignedInFrame)
const home = () => import('./home-route.tsx').then((m) => m.HomeRoute)
const dashboard =
  (rota: DashboardRoute): Load =>
  () =>
    import('./dashboard-route.tsx').then((m) => m.dashboardRoute(rota))
const report = () => import('./embedded-report/report-route.tsx').then((m) => m.ReportRoute)
const workspaces = () => import('../reports/workspaces/workspaces-page.tsx').then((m) => m.WorkspacesPage)
const workspaceForm = () =>
  import('../reports/workspaces/workspace-form.tsx').then((m) => m.WorkspaceFormPage)
const reports = () => import('../reports/registrations/reports-page.tsx').then((m) => m.ReportsPage)
const reportForm = () => import('../reports/registrations/report-form.tsx').then((m) => m.ReportFormPage)
const accessExplainer = () => import('../access/explainer/explainer-page.tsx').then((m) => m.ExplainerPage)
const menuAs = () => import('../access/explainer/menu-as-page.tsx').then((m) => m.MenuAsPage)
const reportAs = () => import('./embedded-report/report-as-route.tsx').then((m) => m.ReportAsRoute)
const connections = () =>
  import('../connections/connections/connections-page.tsx').then((m) => m.ConnectionsPage)
const connectionForm = () =>
  import('../connections/connections/connection-form.tsx').then((m) => m.ConnectionFormPage)
const capacities = () => import('../connections/capacities/capacities-page.tsx').then((m) => m.CapacitiesPage)
const capacityForm = () =>
  import('../connections/capacities/capacity-form.tsx').then((m) => m.CapacityFormPage)
const kiosks = () => import('../distribution/kiosks/kiosks-page.tsx').then((m) => m.KiosksPage)
const kioskForm = () => import('../distribution/kiosks/kiosk-form.tsx').then((m) => m.KioskFormPage)
/** A screen on a wall: no person has signed in, and nothing of the portal is around it. */
const kioskScreen = () => import('../distribution/kiosks/screen/kiosk-page.tsx').then((m) => m.KioskPage)
const guests = () => import('../distribution/guests/guests-page.tsx').then((m) => m.GuestsPage)
const guestForm = () => import('../distribution/guests/guest-form.tsx').then((m) => m.GuestFormPage)
/** A guest's visit: no person has signed in, and nothing of the portal is around the report. */
const guestReport = () => import('../distribution/guests/visit/guest-page.tsx').then((m) => m.GuestPage)
const visitInvitation = () =>
  import('../distribution/guests/visit-invitation-page.tsx').then((m) => m.VisitInvitationPage)
const visitLink = () => import('../distribution/guests/visit-link-page.tsx').then((m) => m.VisitLinkPage)
const announcements = () =>
  import('../distribution/announcements/announcements-page.tsx').then((m) => m.AnnouncementsPage)
const announcementForm = () =>
  import('../distribution/announcements/announcement-form.tsx').then((m) => m.AnnouncementFormPage)
const announcement = () =>
  import('../distribution/notifications/announcement-page.tsx').then((m) => m.AnnouncementPage)
const comment = () => import('../reports/comments/comment-page.tsx').then((m) => m.CommentPage)
const publish = () => import('../publishing/publish-route.tsx').then((m) => m.PublishRoute)
const published = () => import('../publishing/published/published-page.tsx').then((m) => m.PublishedPage)
const users = () => import('../accounts/users/users-page.tsx').then((m) => m.UsersPage)
const userForm = () => import('../accounts/users/user-form.tsx').then((m) => m.UserFormPage)
const userGrants = () => import('../access/grants/user-grants-page.tsx').then((m) => m.UserGrantsPage)
const grantsSearch = () => import('../access/grants/grants-search-page.tsx').then((m) => m.GrantsSearchPage)
const accessRequests = () => import('../access/requests/requests-page.tsx').then((m) => m.RequestsPage)
const ownRequests = () => import('../access/requests/own-requests-page.tsx').then((m) => m.OwnRequestsPage)
const audit = () => import('../operations/audit/audit-page.tsx').then((m) => m.AuditPage)
const profiles = () => import('../access/profiles/profiles-page.tsx').then((m) => m.ProfilesPage)
const profileReports = () => import('../access/profiles/profile-page.tsx').then((m) => m.ProfileReportsPage)
const profileMembers = () => import('../access/profiles/profile-page.tsx').then((m) => m.ProfileMembersPage)
const signUp = () => import('../accounts/links/sign-up-page.tsx').then((m) => m.SignUpPage)
const recovery = () => import('../accounts/links/recovery-page.tsx').then((m) => m.RecoveryPage)
const invitation = () => import('../accounts/links/invitation-page.tsx').then((m) => m.InvitationPage)
const factorRemoval = () =>
  import('../accounts/links/factor-removal-page.tsx').then((m) => m.FactorRemovalPage)
const confirmEmail = () => import('../accounts/links/confirm-email-page.tsx').then((m) => m.ConfirmEmailPage)
const notifications = () =>
  import('../distribution/notifications/notifications-page.tsx').then((m) => m.NotificationsPage)
const providerReturn = () =>
  import('../accounts/sign-in/provider-return-page.tsx').then((m) => m.ProviderReturnPage)
const secondFactor = () =>
  import('../accounts/second-factor/second-factor-page.tsx').then((m) => m.SecondFactorPage)
const securitySettings = () =>
  import('../accounts/security-settings/security-settings-page.tsx').then((m) => m.SecuritySettingsPage)
const appearance = () => import('../operations/appearance/appearance-page.tsx').then((m) => m.AppearancePage)
const systemStatus = () =>
  import('../operations/system-status/system-status-page.tsx').then((m) => m.SystemStatusPage)
const changePassword = () =>
  import('../accounts/links/change-password-page.tsx').then((m) => m.ChangePasswordPage)
const ownSessions = () => import('../accounts/own-account/sessions-page.tsx').then((m) => m.SessionsPage)
const ownKeys = () => import('../accounts/api-keys/own-keys-page.tsx').then((m) => m.OwnKeysPage)
const apiKeys = () => import('../accounts/api-keys/api-keys-page.tsx').then((m) => m.ApiKeysPage)
const ownAccount = () => import('../accounts/own-account/own-account-page.tsx').then((m) => m.OwnAccountPage)
const dataProtection = () =>
  import('../clinical/data-protection/data-protection-page.tsx').then((m) => m.DataProtectionPage)
const incidentForm = () =>
  import('../clinical/data-protection/incident-form.tsx').then((m) => m.IncidentFormPage)
const privacy = () => import('../operations/privacy/privacy-page.tsx').then((m) => m.PrivacyPage)
const usage = () => import('../reports/usage/usage-page.tsx').then((m) => m.UsagePage)
const ownUsage = () => import('../reports/usage/own-usage-page.tsx').then((m) => m.OwnUsagePage)
const manual = () => import('../operations/manual/manual-page.tsx').then((m) => m.ManualRoute)
const unsubscribe = () =>
  import('../distribution/subscriptions/pages/unsubscribe-page.tsx').then((m) => m.UnsubscribePage)
const alerts = () => import('../distribution/alerts/alerts-page.tsx').then((m) => m.AlertsPage)
const alert = () => import('../distribution/alerts/alert-page.tsx').then((m) => m.AlertPage)
const allAlerts = () => import('../distribution/alerts/all-alerts-page.tsx').then((m) => m.AllAlertsPage)
const subscriptions = () =>
  import('../distribution/subscriptions/pages/subscriptions-page.tsx').then((m) => m.SubscriptionsPage)
const subscription = () =>
  import('../distribution/subscriptions/pages/subscription-page.tsx').then((m) => m.SubscriptionPage)
const allSubscriptions = () =>
  import('../distribution/subscriptions/pages/all-subscriptions-page.tsx').then((m) => m.AllSubscriptionsPage)
const subscriptionRules = () =>
  import('../distribution/subscriptions/pages/rules-page.tsx').then((m) => m.RulesPage)
const beneficiaries = () =>
  import('../clinical/beneficiaries/beneficiaries-page.tsx').then((m) => m.BeneficiariesPage)

/**
 * All routes of the portal; case-sensitive. Unknown addresses lead to the root. Each error boundary
 * is on its own route above the lazy ones: React Router renders nothing if a lazy route that failed
 * to load carries the boundary itself.
 */
export const routes: RouteObject[] = [
  { HydrateFallback: Splash, ErrorBoundary: KioskError, children: [page('/telao', 'Telão', kioskScreen)] },
  {
    Component: Root,
    HydrateFallback: Splash,
    ErrorBoundary: FrameError,
    children: [
      { path: '/', handle: { title: 'Entrar' } satisfies PageHandle, Component: SignedOutOnly },
      {
        Component: PublicFrame,
        children: [
          {
            ErrorBoundary: PageError,
            children: [
              page('/cadastro', 'Cadastrar conta', signUp),
              page('/recovery-password', 'Recuperar senha', recovery),
              page('/convite', 'Convite', invitation),
              page('/remover-segundo-fator', 'Retirar o segundo fator', factorRemoval),
              page('/confirmar-email', 'Confirmar e-mail', confirmEmail),
              page('/cancelar-assinatura', 'Cancelar assinatura', unsubscribe),
              page('/visita', 'Ver o relatório', visitInvitation),
              page('/visita/entrar', 'Abrir o relatório', visitLink),
              page('/privacidade', 'Aviso de privacidade', privacy),
              { ...page('/entrar/oidc', 'Entrar', providerReturn), loader: storeProviderResponse },
            ],
          },
        ],
      },
      { ErrorBoundary: FrameError, children: [page('/visita/relatorio', 'Relatório', guestReport)] },
      {
        Component: SignedInOnly,
        ErrorBoundary: FrameError,
        children: [
          { lazy: { Component: shell }, children: [{ ErrorBoundary: PageError, children: pagesInShell() }] },
        ],
      },
      { path: '*', Component: UnknownAddress },
    ],
  },
]

/** Addresses such as `/RegisterworkspaceRelatorios` and `/editrelatorio/:user` are specified. */
function pagesInShell(): RouteObject[] {
  return [
    page('/saidibi', 'Início', home),
    page('/segundo-fator', 'Segundo fator', secondFactor),
    page('/mudar-senha', 'Nova senha', changePassword),
    page('/meu-perfil', 'Meu perfil', ownAccount),
    page('/meus-acessos', 'Meus acessos', ownSessions),
    page('/meu-uso', 'Meu uso', ownUsage),
    page('/meus-pedidos-acesso', 'Meus pedidos de acesso', ownRequests),
    page('/assinaturas', 'Assinaturas', subscriptions),
    page('/assinaturas/:assinatura', 'Assinatura', subscription),
    page('/alertas', 'Alertas', alerts),
    page('/alertas/:alerta', 'Alerta', alert),
    page('/chaves', 'Chaves de API', ownKeys),
    page('/notificacoes', 'Notificações', notifications),
    page('/aviso/:aviso', 'Aviso', announcement),
    page('/comentario/:comentario', 'Comentário', comment),
    page('/ajuda/:pagina?', 'Ajuda', manual),
    ...dashboards.map(({ rota, path, title }) => page(path, title, dashboard(rota))),
    ...reportRoutes.map((path) => page(path, 'Relatório', report)),
    guarded('records:access', [page('/beneficiarios', 'Beneficiários', beneficiaries)]),
    guarded('data-protection:manage', [
      page('/protecao-de-dados', 'Proteção de dados', dataProtection),
      page('/protecao-de-dados/incidente/:incidente?', 'Incidente', incidentForm),
    ]),
    guarded('profiles:manage', [
      page('/permissao-relatorio', 'Permissões por perfil', profiles),
      page('/permissao-relatorio/:perfil', 'Permissões por perfil', profileReports),
      page('/permissao-relatorio/:perfil/membros', 'Permissões por perfil', profileMembers),
    ]),
    guarded('connections:manage', [
      page('/powerbi', 'Powerbis', connections),
      page('/Registerpowerbi/:item?', 'Cadastrar Powerbi', connectionForm),
      page('/capacidades', 'Capacidades', capacities),
      page('/cadastrar-capacidade/:item?', 'Cadastrar capacidade', capacityForm),
    ]),
    guarded('kiosks:manage', [
      page('/teloes', 'Telões', kiosks),
      page('/cadastrar-telao/:item?', 'Cadastrar telão', kioskForm),
    ]),
    guarded('guests:manage', [
      page('/convidados', 'Convidados', guests),
      page('/convidar/:item?', 'Convidar para um relatório', guestForm),
    ]),
    guarded('announcements:manage', [
      page('/avisos', 'Avisos', announcements),
      page('/cadastrar-aviso/:aviso?', 'Escrever aviso', announcementForm),
    ]),
    guarded('subscriptions:manage', [page('/assinaturas/todas', 'Assinaturas de todos', allSubscriptions)]),
    guarded('alerts:manage', [page('/alertas/todos', 'Alertas de todos', allAlerts)]),
    guarded('workspaces:manage', [
      page('/workspace', 'Workspace', workspaces),
      page('/Registerworkspace/:id?', 'Cadastrar Workspace', workspaceForm),
    ]),
    guarded('reports:manage', [
      page('/relatorio', 'Relatórios', reports),
      page('/RegisterworkspaceRelatorios/:report?', 'Cadastrar relatório', reportForm),
      page('/publicar', 'Publicar relatórios', publish),
      page('/publicados/:reportId?', 'Relatórios publicados', published),
    ]),
    guarded('users:manage', [
      page('/usuario', 'Usuários', users),
      page('/cadastrar-usuario/:user?', 'Usuários', userForm),
    ]),
    guarded('grants:manage', [
      page('/editrelatorio/:user', 'Usuário', userGrants),
      page('/searchRelatorio', 'Permissões por usuário', grantsSearch),
      page('/pedidos-acesso', 'Pedidos de acesso', accessRequests),
      page('/permissoes/porque', 'Por que este usuário vê este relatório?', accessExplainer),
      page('/permissoes/ver-como/:user', 'Ver como', menuAs),
      page('/permissoes/ver-como/:user/:groupId/:reportId', 'Ver como', reportAs),
    ]),
    guarded('audit:read', [page('/auditoria', 'Auditoria', audit)]),
    guarded('settings:manage', [
      page('/assinaturas/regras', 'Regras das assinaturas', subscriptionRules),
      page('/seguranca', 'Segurança', securitySettings),
      page('/aparencia', 'Aparência', appearance),
    ]),
    guarded('api-keys:manage', [page('/chaves-de-api', 'Chaves de API', apiKeys)]),
    guarded('system:read', [page('/situacao', 'Situação do sistema', systemStatus)]),
    guarded('usage:read', [page('/uso', 'Uso', usage)]),
  ]
}

/** Loads what is needed right after sign-in. */
export const prepareHome = (): void => {
  void Promise.allSettled([shell(), home()])
}

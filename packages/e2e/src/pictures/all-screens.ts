import { kiosksApi, usersApi, workspacesApi } from '@bi-manager/contract'
import type { Browser, Page } from 'playwright-core'
import { waitForRendered } from '../browser/report-frame.ts'
import { signInForm } from '../browser/sign-in.ts'
import { applyViewport, openBrowserProfile, type Visitor } from '../browser/visitor.ts'
import { goWithin } from '../browser/within-portal.ts'
import { clinicalPanel, openPanel } from '../pages/clinical-panel.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { awaitMail } from '../people/outbox.ts'
import { type Person, people } from '../people/people.ts'
import type { Demo } from '../services/demo.ts'
import { distributionScreens, GUEST, makeDistribution } from './distribution-screens.ts'
import { lengthenNames, longName } from './long-names.ts'
import { publishingScreens } from './publishing-screens.ts'
import { press, type Screen } from './screen.ts'
import { viewerScreens } from './viewer-screens.ts'

/* Every screen of the portal at every width that it is reviewed at, in both themes. */

const reviewedSizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const

/** The widths of a phone, of a small phone, and of a desktop at 400 % (WCAG 1.4.10). */
export const narrowSizes = [
  { width: 320, height: 640 },
  { width: 360, height: 740 },
  { width: 390, height: 844 },
] as const

type See = (page: Page, screen: string, at: string) => Promise<void>

interface Walk {
  /** The names of the screens. */
  only?: RegExp
  sizes?: readonly { width: number; height: number }[]
  hasLongNames?: boolean
}

/**
 * Opens each screen once and calls `see` at each size in each theme. Publishes one report.
 * @throws AggregateError after the last screen, with the failures of all
 */
export const walkScreens = async (
  browser: Browser,
  demo: Pick<Demo, 'portal' | 'dataDir'>,
  see: See,
  { only = /^/, sizes = reviewedSizes, hasLongNames = false }: Walk = {},
): Promise<void> => {
  const failures: unknown[] = []
  const { portal } = demo
  for (const [person, screens] of await screensOf(demo, hasLongNames)) {
    const chosen = screens.filter(({ name }) => only.test(name))
    if (chosen.length === 0) continue
    const visitor = await openBrowserProfile(browser, { portal })
    // The pages of refused reports, invalid links and unknown addresses log the answers that they got.
    visitor.expectComplaint(
      /40[134]|422|cancelamento\?token=x|ERR_INTERNET_DISCONNECTED|dynamically imported module|preload assets/,
    )
    if (person) await visitor.enter(person, '/saidibi')
    for (const screen of chosen) {
      await walk(visitor, screen, see, sizes).catch((cause) =>
        failures.push(new Error(`${screen.name}: ${cause.message}`, { cause })),
      )
      await visitor.page.unrouteAll()
      await visitor.page.context().setOffline(false)
    }
    await visitor.close()
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'))
}

const walk = async (
  visitor: Visitor,
  { name, path, act }: Screen,
  see: See,
  sizes: NonNullable<Walk['sizes']>,
) => {
  const { page } = visitor
  await page.setViewportSize({ width: 1440, height: 900 })
  await visitor.goto(path)
  await page.getByRole('heading').first().waitFor()
  await untilLoaded(page)
  await act?.(page)
  // The pictures show neither hover nor tooltips.
  await page.mouse.move(0, 0)
  for (const { width, height } of sizes)
    for (const colorScheme of ['light', 'dark'] as const) {
      await applyViewport(page, { width, height }, colorScheme)
      await untilLoaded(page)
      await see(page, name, `${width}-${colorScheme}`)
    }
}

/** Waits for skeletons to go, unless a report waits behind something else. */
const untilLoaded = (page: Page) =>
  page
    .waitForFunction(
      () => {
        const loading = '.mantine-Skeleton-root, [data-state="carregando"], [data-state="carregado"]'
        return ![...document.querySelectorAll(loading)].some((element) => element.checkVisibility())
      },
      undefined,
      { timeout: 8_000 },
    )
    .catch(() => undefined)

const screensOf = async (
  { portal, dataDir }: Pick<Demo, 'portal' | 'dataDir'>,
  hasLongNames: boolean,
): Promise<[Person | undefined, Screen[]][]> => {
  const admin = await signedInClient(portal, people.admin)
  const ofAdmin = reportsOf(await admin.menu())
  const anasClient = await signedInClient(portal, people.ana)
  const ofAna = reportsOf(await anasClient.menu())
  const ofHelena = reportsOf(await (await signedInClient(portal, people.helena)).menu())
  const [ana] = await admin.call(usersApi.list, { query: { busca: 'ana martins', pagina: 1 } })
  const [workspace] = await admin.call(workspacesApi.list, { query: { pagina: 1 } })
  const kiosk = await admin.call(kiosksApi.create, {
    body: {
      nome: 'Recepção',
      paginas: ofAna.slice(0, 2).map(({ idRelatorio }) => ({ idRelatorio, segundos: 3_600 })),
    },
  })
  const connectKiosk = async (page: Page) => {
    const codigo = (await page.getByText(/^[A-Z]{4}-[A-Z]{4}$/).textContent()) ?? ''
    await admin.call(kiosksApi.connect, { params: { id: kiosk.idTelao }, body: { codigo } })
    await page.locator('[data-shown="true"] iframe').waitFor({ timeout: 60_000 })
    await page.waitForTimeout(3_000)
  }
  const report = ofAdmin.find(({ name }) => name === 'Sinistralidade') ?? ofAdmin[0]
  if (!report) throw new Error('The demo has no report.')
  // 'reader-refused' shows how to ask for the first report of Helena.
  const seen = new Set([...ofAna, ...ofHelena.slice(0, 1)].map(({ idRelatorio }) => idRelatorio))
  const hidden = ofAdmin.filter(({ idRelatorio }) => !seen.has(idRelatorio))
  await makeDistribution(admin, anasClient, report, hidden)
  // The addresses above find the reports by their ids.
  if (hasLongNames) await lengthenNames(admin.call)
  const reader = `${ana?.idUsuario}`
  return [
    [
      undefined,
      [
        ...publicScreens,
        { name: 'kiosk-screen', path: '/telao', act: connectKiosk },
        { name: 'guest-report', path: '/visita?convite=x', act: (page) => visitAsGuest(page, dataDir) },
      ],
    ],
    [
      people.ana,
      [
        { name: 'reader-home', path: '/saidibi' },
        { name: 'reader-viewer', path: ofAna[0]?.path ?? '', act: waitForRendered },
        { name: 'reader-refused', path: ofHelena[0]?.path ?? '' },
        { name: 'reader-usage', path: '/meu-uso' },
        { name: 'reader-notifications', path: '/notificacoes' },
        { name: 'reader-requests', path: '/meus-pedidos-acesso' },
      ],
    ],
    [people.helena, clinicalScreens(ofHelena[0]?.path ?? '')],
    [
      people.admin,
      [
        ...viewerScreens(report.path),
        ...distributionScreens,
        ...adminScreens,
        { name: 'grants-of-user', path: `/editrelatorio/${reader}` },
        { name: 'grants-search', path: `/searchRelatorio?idUsuario=${reader}` },
        { name: 'user-edit', path: `/cadastrar-usuario/${reader}` },
        { name: 'workspace-edit', path: `/Registerworkspace/${workspace?.idGrupoRelatorio}` },
        { name: 'menu-as', path: `/permissoes/ver-como/${reader}` },
        { name: 'explainer', path: '/permissoes/porque' },
        { name: 'capacity-form', path: '/cadastrar-capacidade' },
        ...publishingScreens(hasLongNames ? longName(0) : undefined),
      ],
    ],
  ]
}

/** Follows the e-mails of a guest to the report. */
const visitAsGuest = async (page: Page, dataDir: string): Promise<void> => {
  const follow = async (place: number) => page.goto((await awaitMail(dataDir, GUEST, place)).link ?? '')
  await follow(1)
  await page.getByRole('button', { name: 'Enviar o link ao meu e-mail' }).click()
  await follow(2)
  await page.getByRole('button', { name: 'Abrir o relatório' }).click()
  await page.locator('[data-guest="renderizado"]').waitFor({ timeout: 60_000 })
}

const publicScreens: Screen[] = [
  { name: 'sign-in', path: '/', act: (page) => signInForm(page).submit.waitFor() },
  { name: 'sign-up', path: '/cadastro' },
  { name: 'recovery', path: '/recovery-password' },
  { name: 'privacy', path: '/privacidade' },
  { name: 'unsubscribe-invalid', path: '/cancelar-assinatura?token=x' },
  { name: 'visit-invitation', path: '/visita?convite=x' },
  { name: 'visit-link', path: '/visita/entrar?token=x' },
  { name: 'visit-over', path: '/visita/relatorio' },
  { name: 'unknown-address', path: '/nada-aqui' },
  {
    name: 'kiosk-code',
    path: '/telao',
    act: (page) => page.getByText(/^[A-Z]{4}-[A-Z]{4}$/).waitFor(),
  },
]

const clinicalScreens = (report: string): Screen[] => [
  { name: 'clinician-home', path: '/saidibi' },
  { name: 'beneficiaries', path: '/beneficiarios' },
  {
    name: 'records-purpose',
    path: report,
    act: async (page) => {
      await waitForRendered(page)
      await clinicalPanel(page).opener.click()
      await page.getByLabel('Atendimento').waitFor()
    },
  },
  {
    name: 'records-new',
    path: report,
    act: async (page) => {
      await waitForRendered(page)
      await openPanel(page)
      await clinicalPanel(page).hypothesis.waitFor()
    },
  },
  // The session has the purpose given for 'records-new'.
  {
    name: 'records-list',
    path: report,
    act: async (page) => {
      await waitForRendered(page)
      await clinicalPanel(page).opener.click()
      await page.getByRole('tab').nth(1).click()
    },
  },
]

const listed: [string, string][] = [
  ['home', '/saidibi'],
  ['users', '/usuario'],
  ['user-form', '/cadastrar-usuario'],
  ['reports', '/relatorio'],
  ['report-form', '/RegisterworkspaceRelatorios'],
  ['workspaces', '/workspace'],
  ['workspace-form', '/Registerworkspace'],
  ['connections', '/powerbi'],
  ['connection-form', '/Registerpowerbi'],
  ['profiles', '/permissao-relatorio'],
  ['capacities', '/capacidades'],
  ['kiosks', '/teloes'],
  ['kiosk-form', '/cadastrar-telao'],
  ['notifications', '/notificacoes'],
  ['audit', '/auditoria'],
  ['status', '/situacao'],
  ['security', '/seguranca'],
  ['appearance', '/aparencia'],
  ['usage', '/uso'],
  ['own-profile', '/meu-perfil'],
  ['own-sessions', '/meus-acessos'],
  ['second-factor', '/segundo-fator'],
  ['password', '/mudar-senha'],
  ['manual', '/ajuda'],
  ['manual-page', '/ajuda/usar'],
]

const adminScreens: Screen[] = [
  ...listed.map(([name, path]) => ({ name, path })),
  {
    name: 'manual-search',
    path: '/ajuda',
    act: async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('visões salvas')
      await page.getByRole('region', { name: 'Resultados' }).waitFor()
    },
  },
  {
    name: 'palette',
    path: '/usuario',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByLabel('Buscar relatório, tela, pessoa ou ação').fill('ana')
      await page.getByRole('dialog').getByRole('option').first().waitFor()
    },
  },
  { name: 'shortcuts', path: '/usuario', act: (page) => page.keyboard.press('Shift+?') },
  { name: 'account', path: '/usuario', act: (page) => press(page, 'Sua conta') },
  { name: 'settings', path: '/usuario', act: (page) => press(page, 'Configurações') },
  {
    name: 'offline',
    path: '/usuario',
    act: async (page) => {
      // Also what the browser keeps since another screen.
      await page.route('**/assets/*.js', (route) => route.abort('internetdisconnected'))
      await page.context().setOffline(true)
      await goWithin(page, '/situacao')
      await page.getByRole('heading', { name: 'Não foi possível mostrar esta página' }).waitFor()
    },
  },
  { name: 'user-import', path: '/usuario', act: (page) => press(page, 'Importar CSV') },
  { name: 'user-deletion', path: '/usuario', act: (page) => press(page, /^Excluir /) },
  { name: 'report-deletion', path: '/relatorio', act: (page) => press(page, /^Excluir /) },
  { name: 'workspace-deletion', path: '/workspace', act: (page) => press(page, /^Excluir /) },
]

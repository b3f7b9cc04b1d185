import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  accountsApi,
  type Call,
  connectionsApi,
  createClient,
  profilesApi,
  sessionsApi,
  usersApi,
} from '@bi-manager/contract'
import { launchBrowser } from './browser/browser.ts'
import { waitForRendered } from './browser/report-frame.ts'
import { signInForm } from './browser/sign-in.ts'
import { openBrowserProfile, type Size, sizes, type Visitor } from './browser/visitor.ts'
import { filterPanel } from './pages/viewer.ts'
import { reportsOf, signedInClient } from './people/api.ts'
import { people } from './people/people.ts'
import { walkScreens } from './pictures/all-screens.ts'
import { shootApiKeys } from './pictures/api-key-pictures.ts'
import { shootAttachments } from './pictures/attachment-pictures.ts'
import { shootCapacity } from './pictures/capacity-pictures.ts'
import { shootCommunication } from './pictures/communication-pictures.ts'
import { shootGallery } from './pictures/gallery-pictures.ts'
import { shootGuests } from './pictures/guest-pictures.ts'
import { shootOfficer } from './pictures/officer-pictures.ts'
import { shootPanel } from './pictures/panel-pictures.ts'
import { shootUsage } from './pictures/usage-pictures.ts'
import { shootViewer } from './pictures/viewer-pictures.ts'
import { startDemo } from './services/demo.ts'

/*
 * Takes the pictures of docs/images from a fresh demo: all sets, or the named ones (`npm run
 * screenshots -- gallery`); into another folder if one is named. `-- review FOLDER` takes every
 * screen at six widths in both themes; SCREENS, a regular expression, chooses among them. Check each
 * picture before committing. The portal uses the system font: install a common one such as Inter,
 * not a server's fallback.
 */

const sets = [
  'tour',
  'officer',
  'panel',
  'attachments',
  'viewer',
  'capacity',
  'usage',
  'guests',
  'communication',
  'api-keys',
  'gallery',
] as const
type PictureSet = (typeof sets)[number]
const asked = process.argv.slice(2)
const chosen = sets.filter((set) => asked.includes(set))
/** Every screen at six widths in both themes: for a review, not for docs/images. */
const isReview = asked.includes('review')
const shows = (set: PictureSet) => (chosen.length === 0 ? !isReview : chosen.includes(set))

const profileName = 'Diretoria clínica'
/** People who sign up before the first picture. */
const waiting = [
  { nome: 'Beatriz Nogueira', email: 'beatriz.nogueira@exemplo.com.br' },
  { nome: 'Caio Prado', email: 'caio.prado@exemplo.com.br' },
  { nome: 'Lia Fontes', email: 'lia.fontes@exemplo.com.br' },
] as const
const password = 'cavalos no telhado do moinho'

const otherFolder = asked.find((word) => word !== 'review' && !sets.some((set) => set === word))
if (isReview && !otherFolder) throw new Error('Name a folder for the pictures of the review.')
const folder = otherFolder
  ? `${otherFolder}/`
  : fileURLToPath(new URL('../../../docs/images/', import.meta.url))
const demo = await startDemo()
const browser = await launchBrowser()
await mkdir(folder, { recursive: true })
try {
  if (isReview)
    await walkScreens(
      browser,
      demo,
      async (page, screen, at) => {
        await page.waitForTimeout(250)
        const path = `${folder}${screen}-${at}.png`
        await page.screenshot({ path, animations: 'disabled', fullPage: true })
      },
      { only: new RegExp(process.env.SCREENS ?? '') },
    )
  if (shows('tour')) await shootTour()
  if (shows('officer')) await shootOfficer(browser, demo.portal, folder)
  if (shows('panel')) await shootPanel(browser, demo.portal, folder)
  if (shows('attachments')) await shootAttachments(browser, demo.portal, folder)
  if (shows('viewer')) await shootViewer(browser, demo.portal, folder)
  if (shows('capacity')) await shootCapacity(browser, folder)
  if (shows('api-keys')) await shootApiKeys(browser, demo.portal, folder)
  if (shows('communication')) await shootCommunication(browser, demo.portal, folder)
  if (shows('guests')) await shootGuests(browser, folder)
  if (shows('usage')) await shootUsage(browser, demo.portal, folder)
  if (shows('gallery')) await shootGallery(browser, demo.portal, folder)
} finally {
  await browser.close()
  await demo.stop()
}

async function shootTour() {
  const { call, menu } = await signedInClient(demo.portal, people.admin)
  await prepareAccounts(call)
  const report = reportsOf(await menu()).find(({ name }) => name === 'Sinistralidade')
  const [connection] = await call(connectionsApi.list, { query: { pagina: 1 } })
  const [ana] = await call(usersApi.list, { query: { busca: 'ana martins', pagina: 1 } })
  // Removes the API's session, which 'Meus acessos' would show.
  await call(sessionsApi.signOut)
  for (const size of sizes) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await openBrowserProfile(browser, { portal: demo.portal, size, colorScheme })
      const { page } = visitor
      const shoot = (name: string) =>
        page.screenshot({ path: `${folder}${name}-${size}-${colorScheme}.png`, animations: 'disabled' })
      const open = async (path: string) => {
        await visitor.goto(path)
        await page.getByRole('main').getByRole('heading').first().waitFor()
        await untilQuiet(visitor)
      }
      await visitor.goto('/')
      await signInForm(page).submit.waitFor()
      await shoot('sign-in')
      await visitor.signIn(people.admin)
      await page.getByText('BI Saúde').first().waitFor()
      await untilQuiet(visitor)
      await shoot('home')
      await openMenu(visitor, size)
      await shoot('menu')
      await visitor.goto(report?.path ?? '/')
      await waitForRendered(page)
      await shoot('viewer')
      await filterPanel(page).open()
      await page.waitForTimeout(400)
      await shoot('filters')

      await open('/usuario')
      await shoot('users')
      await open('/relatorio')
      await shoot('reports')
      await open('/Registerworkspace')
      await shoot('workspace-form')
      await open(`/Registerpowerbi/${connection?.idPowerBI}`)
      await shoot('connection-form')
      await page.getByRole('button', { name: 'Testar conexão' }).click()
      await page.getByRole('button', { name: 'Testar novamente' }).waitFor()
      await untilQuiet(visitor)
      await shoot('connection-test')
      await open(`/editrelatorio/${ana?.idUsuario}`)
      await shoot('grants-of-group')
      await open(`/searchRelatorio?idUsuario=${ana?.idUsuario}`)
      await shoot('grants')
      await open('/permissao-relatorio')
      await shoot('profiles')
      await open('/usuario?situacao=PENDENTE')
      await shoot('users-pending')
      await page.getByRole('button', { name: `Convidar ${waiting[0].nome}` }).click()
      await page.getByRole('combobox', { name: 'Perfis' }).fill(profileName)
      await page.getByRole('listbox').getByRole('option').first().click()
      await page.waitForTimeout(400)
      await shoot('approve')
      await open('/auditoria')
      await shoot('audit')
      await open('/auditoria?acao=user.updated')
      await page
        .getByRole('button', { name: /ver detalhes/ })
        .first()
        .click()
      await page.waitForTimeout(400)
      await shoot('audit-details')
      await open('/situacao')
      await page.getByRole('region', { name: 'Banco de dados' }).waitFor()
      await shoot('system-status')
      await open('/notificacoes')
      await shoot('notifications')
      await open('/meus-acessos')
      await shoot('sessions')
      await open('/segundo-fator')
      await page.getByRole('button', { name: 'Configurar segundo fator' }).click()
      await page.getByRole('img', { name: /^QR code/ }).waitFor()
      await shoot('second-factor')
      await visitor.close()
      await shootSignUp(size, colorScheme)
    }
  }
}

/** Creates pending accounts, a profile, and an audit entry with values before and after. */
async function prepareAccounts(call: Call) {
  const anybody = createClient({ baseUrl: `${demo.portal}/api` })
  for (const person of waiting) await anybody(accountsApi.signUp, { body: { ...person, password } })
  await call(profilesApi.create, { body: { nomePerfil: profileName } })
  const [ana] = await call(usersApi.list, { query: { busca: people.ana.name } })
  const params = { id: ana?.idUsuario ?? 0 }
  await call(usersApi.update, { params, body: { identidadeRls: 'unidade-sul' } })
  const elsewhere = await openBrowserProfile(browser, { portal: demo.portal })
  await elsewhere.goto('/')
  await elsewhere.signIn(people.admin)
  await elsewhere.close()
}

/** Fills the sign-up form without sending it. */
async function shootSignUp(size: Size, colorScheme: 'light' | 'dark') {
  const visitor = await openBrowserProfile(browser, { portal: demo.portal, size, colorScheme })
  const { page } = visitor
  await visitor.goto('/cadastro')
  await page.getByLabel('Nome Completo').fill('Otávio Reis')
  await page.getByLabel('E-mail').fill('otavio.reis@exemplo.com.br')
  await page.getByLabel('Senha', { exact: true }).fill(password)
  await page.getByLabel('Confirmar senha').fill(password)
  await page.getByText('Forte.').waitFor()
  await untilQuiet(visitor)
  await page.screenshot({
    path: `${folder}sign-up-${size}-${colorScheme}.png`,
    animations: 'disabled',
  })
  await visitor.close()
}

/** Waits for skeletons and animations; the live stream keeps the network from becoming idle. */
async function untilQuiet({ page }: Visitor) {
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(400)
}

/** On the desktop the menu is always visible, so the settings popup is opened instead. */
async function openMenu({ page }: Visitor, size: Size) {
  await page.getByRole('button', { name: size === 'phone' ? /abrir menu/i : /configurações/i }).click()
  await page.waitForTimeout(400)
}

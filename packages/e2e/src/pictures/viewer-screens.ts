import { waitForRendered } from '../browser/report-frame.ts'
import { chooseAction, filterPanel } from '../pages/viewer.ts'
import { press, type Screen } from './screen.ts'

/** Screens of an open report, and of what is made in them: comments, subscriptions and alerts. */
export const viewerScreens = (path: string): Screen[] => [
  { name: 'viewer', path, act: waitForRendered },
  {
    name: 'viewer-filters',
    path,
    act: async (page) => {
      await waitForRendered(page)
      await filterPanel(page).open()
      await filterPanel(page).submit.waitFor()
    },
  },
  {
    name: 'viewer-views',
    path,
    act: (page) => waitForRendered(page).then(() => press(page, 'Visões salvas')),
  },
  { name: 'viewer-export', path, act: (page) => waitForRendered(page).then(() => press(page, 'Exportar')) },
  {
    name: 'viewer-comments',
    path,
    act: async (page) => {
      await waitForRendered(page)
      await press(page, /^Comentários/)
      await page.getByLabel('Novo comentário').fill('O custo subiu em setembro.')
      await press(page, 'Comentar')
      await page.getByRole('article').first().waitFor()
    },
  },
  { name: 'comment-gone', path: '/comentario/999999' },
  {
    name: 'viewer-subscribe',
    path,
    act: async (page) => {
      await waitForRendered(page)
      await chooseAction(page, 'Assinar')
      await page.getByLabel('Assunto').waitFor()
    },
  },
  // The form of a subscription is saved, so that the next ones have one to show.
  {
    name: 'viewer-subscriptions',
    path,
    act: async (page) => {
      await waitForRendered(page)
      await chooseAction(page, 'Assinar')
      const dialog = page.getByRole('dialog', { name: 'Receber por e-mail' })
      await dialog.getByRole('button', { name: 'Assinar', exact: true }).click()
      await dialog.getByText(/^Assinatura criada/).waitFor()
    },
  },
  { name: 'own-subscriptions', path: '/assinaturas' },
  { name: 'all-subscriptions', path: '/assinaturas/todas' },
  {
    name: 'subscription',
    path: '/assinaturas/todas',
    act: async (page) => {
      await page
        .getByRole('link', { name: /^Ver envios / })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Envios' }).waitFor()
    },
  },
  {
    name: 'subscription-edit',
    path: '/assinaturas/todas',
    act: async (page) => {
      await press(page, /^Editar /)
      await page.getByRole('dialog').getByLabel('Assunto').waitFor()
      await page.getByText('Pessoas e perfis').click()
    },
  },
  { name: 'subscription-rules', path: '/assinaturas/regras' },
  {
    name: 'viewer-alert',
    path,
    act: async (page) => {
      await waitForRendered(page)
      await chooseAction(page, 'Criar alerta')
      await page.getByLabel('Visual').waitFor()
    },
  },
  // The form of an alert is saved, so that the next ones have one to show.
  {
    name: 'viewer-alerts',
    path,
    act: async (page) => {
      await waitForRendered(page)
      await chooseAction(page, 'Criar alerta')
      const dialog = page.getByRole('dialog', { name: 'Alertas' })
      await dialog.getByLabel('Visual').selectOption({ index: 1 })
      await dialog.getByLabel('Limite').fill('1.000')
      await dialog.getByRole('button', { name: 'Criar alerta' }).click()
      await dialog.getByText(/^Alerta criado/).waitFor()
    },
  },
  { name: 'own-alerts', path: '/alertas' },
  { name: 'all-alerts', path: '/alertas/todos' },
  {
    name: 'alert',
    path: '/alertas/todos',
    act: async (page) => {
      await page
        .getByRole('link', { name: /^Ver avaliações / })
        .first()
        .click()
      await page.getByRole('heading', { name: 'Avaliações' }).waitFor()
    },
  },
]

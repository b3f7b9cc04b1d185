import type { Frame, Locator, Page } from 'playwright-core'
import { waitForRendered } from '../browser/report-frame.ts'
import { fillNewPassword } from '../browser/sign-in.ts'
import type { Visitor } from '../browser/visitor.ts'

/* Steps of a first administrator: from the generated password to a rendered report. */

const choose = async (page: Page, label: string, text: string, option = text): Promise<void> => {
  await page
    .getByRole('combobox', { name: label, exact: true })
    .or(page.getByLabel(label, { exact: true }))
    .first()
    .fill(text)
  await page.getByRole('option', { name: option }).first().click()
}

export const dialog = (page: Page, text: string): Locator =>
  page.getByRole('dialog').filter({ hasText: text })

export const replaceFirstPassword = async (
  { page, goto, signIn }: Visitor,
  { email, generated, password }: { email: string; generated: string; password: string },
): Promise<void> => {
  await goto('/')
  await signIn({ email, password: generated, name: 'Administrador' })
  await fillNewPassword(page, password)
  await page.getByRole('button', { name: 'Alterar senha' }).click()
  await page.getByRole('navigation').first().waitFor()
}

/** Registers the local report service, and leaves the dialog that offers to test the connection. */
export const registerConnection = async (
  { page, goto }: Visitor,
  { name, username, secret }: { name: string; username: string; secret: string },
): Promise<Locator> => {
  await goto('/Registerpowerbi')
  await page.getByLabel('Nome do Powebi').fill(name)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Senha', { exact: true }).fill(secret)
  await choose(page, 'Responsável', 'Administração')
  await choose(page, 'Cliente', 'Administrador')
  await page.getByRole('button', { name: 'Gravar', exact: true }).click()
  return dialog(page, 'Powerbi cadastrado!')
}

/** What is typed into the search, and the option that is chosen. */
type Choice = [search: string, option: string]

/** Registers a workspace, and leaves the dialog that offers to import its reports. */
export const registerWorkspace = async (
  { page, goto }: Visitor,
  { connection, group, name }: { connection: Choice; group: Choice; name: string },
): Promise<Locator> => {
  await goto('/Registerworkspace')
  await choose(page, 'Power Bi', ...connection)
  await choose(page, 'Grupo', ...group)
  await page.getByLabel('Nome do Workspace').fill(name)
  await page.getByRole('button', { name: 'Gravar', exact: true }).click()
  return dialog(page, 'Workspace cadastrado!')
}

/** Imports every report of the group that was just registered. */
export const importReports = async (
  { page }: Visitor,
  registered: Locator,
  workspace: string,
  whenChosen = async () => {},
): Promise<void> => {
  await registered.getByRole('button', { name: 'Importar relatórios' }).click()
  const importing = page.getByRole('dialog', { name: `Importar relatórios de ${workspace}` })
  await importing.getByLabel('Operadora para todos').fill('CNU')
  await importing.getByLabel('Marcar todos').check()
  await whenChosen()
  await importing.getByRole('button', { name: 'Importar', exact: true }).click()
  await importing.getByText(/relatórios? importados?!/).waitFor()
}

/** Opens the first report of the home page. */
export const openFirstReport = async ({ page, goto }: Visitor): Promise<Frame> => {
  await goto('/saidibi')
  await page.getByRole('main').locator('a[href^="/relatorio-embed/"]').first().click()
  return waitForRendered(page)
}

import type { Locator, Page } from 'playwright-core'
import { press } from './back-office.ts'

/** The panel 'Prontuários' next to a report: opener, sections and the form of a record. */
export const clinicalPanel = (page: Page) => ({
  opener: page.getByRole('banner').getByRole('button', { name: 'Prontuários' }),
  bar: page.getByRole('complementary', { name: 'Prontuários, minimizado' }),
  tab: (name: string): Locator => page.getByRole('tab', { name, exact: true }),
  beneficiary: page.getByRole('searchbox', { name: 'Beneficiário' }),
  list: (name: string): Locator => page.getByRole('combobox', { name }),
  hypothesis: page.getByRole('textbox', { name: 'Descrição HD' }),
  prescription: page.getByRole('textbox', { name: 'Prescrição' }),
  register: page.getByRole('button', { name: 'Registrar', exact: true }),
  registered: page.getByRole('dialog', { name: 'Prontuário cadastrado!' }),
})

/** The form 'Anexar arquivos' and the dialogs of an attachment. */
export const attachmentForm = (page: Page) => ({
  title: page.getByRole('textbox', { name: 'Título' }),
  type: page.getByRole('combobox', { name: 'Tipo' }),
  send: page.getByRole('button', { name: 'Enviar anexo' }),
  sent: page.getByText('Anexo enviado!'),
  pdfPreview: page.getByRole('img', { name: 'Prévia da primeira página do PDF' }),
  details: page.getByRole('dialog', { name: 'Detalhes do anexo' }),
  deleted: page.getByRole('dialog', { name: 'Anexo Excluido!' }),
  describe: async (title: string, description: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Título' }).fill(title)
    await page.getByRole('textbox', { name: 'Descrição', exact: true }).fill(description)
  },
  choose: (name: string, mimeType: string, buffer: Buffer): Promise<void> =>
    page
      .getByLabel('Arquivo', { exact: true })
      .and(page.locator('input'))
      .setInputFiles({ name, mimeType, buffer }),
})

/** Answers for what the data is read. */
export const givePurpose = async (page: Page, purpose: string): Promise<void> => {
  await page.getByRole('radio', { name: purpose }).check()
  await press(page, 'Continuar')
}

/** Opens the panel for the first time in a session. */
export const openPanel = async (page: Page, purpose = 'Atendimento'): Promise<void> => {
  await clinicalPanel(page).opener.click()
  await givePurpose(page, purpose)
}

/** Finds a beneficiary by the exact id, which chooses them. */
export const chooseBeneficiary = async (page: Page, id: string): Promise<void> => {
  await clinicalPanel(page).beneficiary.fill(id)
  await press(page, 'Pesquisar')
  await page.getByRole('button', { name: 'Trocar de beneficiário' }).waitFor()
}

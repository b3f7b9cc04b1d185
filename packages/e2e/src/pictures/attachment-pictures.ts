import { drawnPdf } from '@bi-manager/server/test/clinical/pdfs'
import type { Browser, Page } from 'playwright-core'
import { waitForRendered } from '../browser/report-frame.ts'
import { openBrowserProfile, sizes } from '../browser/visitor.ts'
import { attachmentForm, chooseBeneficiary, clinicalPanel, openPanel } from '../pages/clinical-panel.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

/** Takes the pictures of attachments in docs/manual/prontuarios.md, on a fresh demo. */
export const shootAttachments = async (browser: Browser, portal: string, folder: string): Promise<void> => {
  const { menu } = await signedInClient(portal, people.helena)
  const [report] = reportsOf(await menu())
  let isSent = false
  for (const size of sizes)
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await openBrowserProfile(browser, { portal, size, colorScheme })
      const { page } = visitor
      const shoot = (name: string) =>
        page.screenshot({ path: `${folder}${name}-${size}-${colorScheme}.png`, animations: 'disabled' })
      await visitor.goto('/')
      await visitor.signIn(people.helena)
      await visitor.goto(report?.path ?? '/')
      await waitForRendered(page)
      const { tab } = clinicalPanel(page)
      const { send, sent } = attachmentForm(page)
      await openPanel(page)
      await chooseBeneficiary(page, 'EX-0001')
      await tab('Anexar arquivos').click()
      await fillForm(page)
      await send.scrollIntoViewIfNeeded()
      await shoot('attachments-form')
      if (!isSent) {
        await send.click()
        await sent.waitFor()
        isSent = true
      }
      await tab('Anexos').click()
      await page.getByRole('button', { name: 'Detalhes de Laudo da tomografia' }).click()
      await page.getByRole('img', { name: 'Laudo da tomografia, página 1 de 2' }).waitFor()
      // The page is rendered again once its size is final.
      await page.waitForTimeout(800)
      await shoot('attachments-details')
      await visitor.close()
    }
}

const fillForm = async (page: Page) => {
  const form = attachmentForm(page)
  await form.choose('laudo.pdf', 'application/pdf', await fictitiousReport())
  await form.pdfPreview.waitFor()
  await form.describe('Laudo da tomografia', 'Tórax, sem contraste.')
}

const findings = [
  'Pulmões com transparência preservada. Não há consolidações nem derrame pleural.',
  'Traqueia e brônquios principais de calibre normal.',
  'Área cardíaca dentro dos limites da normalidade.',
  'Estruturas ósseas sem alterações relevantes.',
]

const fictitiousReport = (): Promise<Buffer> =>
  drawnPdf(
    (document) => {
      document.fontSize(20).text('Tomografia computadorizada do tórax')
      document.moveDown(0.4).fontSize(11).fillColor('#555').text('Documento fictício, para demonstração.')
      document.moveDown(1.5).fillColor('#000')
      for (const finding of findings) document.fontSize(12).text(finding, { lineGap: 4 }).moveDown(0.6)
      document.addPage().fontSize(14).text('Conclusão').moveDown(0.5)
      document.fontSize(12).text('Exame sem alterações significativas.')
    },
    { size: 'A4', margin: 64 },
  )

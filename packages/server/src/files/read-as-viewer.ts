import {
  getDocument,
  PasswordException,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { AGAIN, RefusedPdf } from './refused-pdf.ts'

const MOST_PAGES = 2_000

/**
 * Opens a PDF as the portal's viewer does, reads its pages, and refuses what pdf.js reports.
 * @throws RefusedPdf; errors of pdf.js for a file that it cannot read
 */
export const readAsViewer = async (bytes: Uint8Array): Promise<void> => {
  const loading = getDocument({
    // pdf.js detaches the buffer.
    data: Uint8Array.from(bytes),
    enableXfa: true,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const document = await loading.promise
    if (document.numPages > MOST_PAGES) {
      throw new RefusedPdf('O PDF pode ter no máximo 2.000 páginas. Divida-o e envie as partes.')
    }
    await refuseActions(document)
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number)
      if (await page.getJSActions()) throw new RefusedPdf(SCRIPT)
      page.cleanup()
    }
  } catch (error) {
    if (error instanceof PasswordException) {
      throw new RefusedPdf('O PDF está protegido por senha ou cifrado. Remova a proteção e envie.')
    }
    throw error
  } finally {
    await loading.destroy()
  }
}

const SCRIPT = `O PDF traz um script (JavaScript). ${AGAIN}`

const refuseActions = async (document: PDFDocumentProxy): Promise<void> => {
  if ((await document.hasJSActions()) || (await document.getJSActions())) throw new RefusedPdf(SCRIPT)
  if (await document.getAttachments()) throw new RefusedPdf(`O PDF traz outros arquivos anexados. ${AGAIN}`)
  if (document.isPureXfa) throw new RefusedPdf(`O PDF traz um formulário XFA, que executa ações. ${AGAIN}`)
}

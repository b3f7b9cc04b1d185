import { isDeepStrictEqual } from 'node:util'
import {
  getDocument,
  PasswordException,
  type PDFDocumentProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { AGAIN, PROTECTED, RefusedPdf } from './refused-pdf.ts'

const MAX_PAGES = 2_000

/**
 * Opens a PDF as the portal's viewer does, reads its pages, and refuses what pdf.js reports.
 * @returns whether it is encrypted, with an empty password for its readers
 * @throws RefusedPdf; errors of pdf.js for a file that it cannot read
 */
export const readAsViewer = (bytes: Uint8Array): Promise<boolean> =>
  withDocument(bytes, async (document) => {
    if (document.numPages > MAX_PAGES) {
      throw new RefusedPdf('O PDF pode ter no máximo 2.000 páginas. Divida-o e envie as partes.')
    }
    await refuseActions(document)
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number)
      if (await page.getJSActions()) throw new RefusedPdf(SCRIPT)
      page.cleanup()
    }
    const { info } = await document.getMetadata()
    return Boolean((info as { EncryptFilterName?: unknown }).EncryptFilterName)
  })

/**
 * Returns a copy without encryption, for a PDF that opens without a password. It has the pages, their
 * links, notes and fields, and the outline.
 * @throws RefusedPdf for a PDF whose copy would lose layers, a signature, or something else it shows
 */
export const decryptPdf = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const shown = await withDocument(bytes, async (document) => {
    await refuseWhatCopiesLose(document)
    return shownBy(document)
  })
  // pdf.js encrypts what comes from one encrypted document, but not a document made of two.
  const withBlankPage = await withDocument(bytes, (document) =>
    document.extractPages([{ document: null }, { document: blankPage() }]),
  )
  const copy = await withDocument(withBlankPage, (document) =>
    document.extractPages([{ document: null, includePages: [[0, document.numPages - 2]] }]),
  )
  if (!isDeepStrictEqual(await withDocument(copy, shownBy), shown)) throw new RefusedPdf(LOST)
  return copy
}

const refuseWhatCopiesLose = async (document: PDFDocumentProxy): Promise<void> => {
  const layers = await document.getOptionalContentConfig()
  if ([...layers].length > 0) throw new RefusedPdf(LAYERS)
  const { info } = await document.getMetadata()
  if ((info as { IsSignaturesPresent?: unknown }).IsSignaturesPresent) throw new RefusedPdf(SIGNED)
}

const COPY = 'na cópia sem a proteção'
const WITHOUT = 'Envie o documento sem a proteção, ou imprima-o em PDF e envie o novo arquivo.'
const LAYERS = `O PDF está protegido contra alterações e tem camadas, que apareceriam todas ${COPY}. ${WITHOUT}`
const SIGNED = `O PDF está protegido contra alterações e tem uma assinatura digital, que deixaria de valer ${COPY}. Peça a quem assinou o documento sem a proteção e envie.`
const LOST = `O PDF está protegido contra alterações, e a cópia sem a proteção não teria tudo o que ele mostra. ${WITHOUT}`

/** Returns what readers show of a document besides the content of its pages, which is copied as it is. */
const shownBy = async (document: PDFDocumentProxy) => {
  const pages = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const annotations: Record<string, unknown>[] = await page.getAnnotations()
    const { view, rotate, userUnit } = page
    const notes = annotations.map(noteOf)
    if (notes.some(({ fieldType }) => fieldType === 'Sig')) throw new RefusedPdf(SIGNED)
    pages.push({ view, rotate, userUnit, notes })
    page.cleanup()
  }
  const outline = await document.getOutline()
  const labels = await document.getPageLabels()
  // Without labels, readers number the pages.
  const isNumbered = labels?.every((label, index) => label === String(index + 1)) ?? true
  return { pages, outline: titlesOf(outline ?? []), labels: isNumbered ? null : labels }
}

/** What readers show of an annotation, or of a field. */
const SHOWN = [
  'subtype',
  'rect',
  'annotationFlags',
  'fieldType',
  'fieldName',
  'fieldValue',
  'exportValue',
  'contentsObj',
  'url',
  'hasAppearance',
]

const noteOf = (annotation: Record<string, unknown>): Record<string, unknown> =>
  // The name of a place in the document may be another one in the copy.
  Object.fromEntries([
    ...SHOWN.map((key) => [key, annotation[key]]),
    ['leadsToPlace', annotation.dest !== undefined && annotation.dest !== null],
  ])

interface OutlineItem {
  title: string
  items: OutlineItem[]
}

const titlesOf = (items: OutlineItem[]): unknown[] =>
  items.map(({ title, items }) => [title, titlesOf(items)])

const blankPage = (): Uint8Array => {
  const objects =
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n' +
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n' +
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n'
  return Uint8Array.from(Buffer.from(`%PDF-1.7\n${objects}trailer\n<< /Root 1 0 R >>\n%%EOF\n`))
}

const withDocument = async <Result>(
  bytes: Uint8Array,
  use: (document: PDFDocumentProxy) => Promise<Result>,
): Promise<Result> => {
  const loading = getDocument({
    // pdf.js detaches the buffer.
    data: Uint8Array.from(bytes),
    enableXfa: true,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    return await use(await loading.promise)
  } catch (error) {
    if (error instanceof PasswordException) {
      throw new RefusedPdf(PROTECTED)
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
  const { info } = await document.getMetadata()
  if (document.isPureXfa || (info as { IsXFAPresent?: unknown }).IsXFAPresent) {
    throw new RefusedPdf(`O PDF traz um formulário XFA, que executa ações. ${AGAIN}`)
  }
}

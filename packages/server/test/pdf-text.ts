import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** What a reader of PDFs finds in one: its metadata, and the text of each page, as it was written (a micro sign is no Greek letter), in the order of drawing. */
export const readPdf = async (bytes: Uint8Array) => {
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 })
  const document = await task.promise
  const { info } = await document.getMetadata()
  const pages: string[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent({ disableNormalization: true })
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
  }
  await task.destroy()
  return { info: info as Record<string, unknown>, pages }
}

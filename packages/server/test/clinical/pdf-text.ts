import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'

/**
 * Reads a PDF's metadata, and of each page the number of images and the text, in drawing order and
 * without normalisation.
 */
export const readPdf = async (bytes: Uint8Array) => {
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 })
  const document = await task.promise
  const { info } = await document.getMetadata()
  const pages: string[] = []
  const images: number[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent({ disableNormalization: true })
    const { fnArray } = await page.getOperatorList()
    images.push(fnArray.filter((drawn) => drawn === OPS.paintImageXObject).length)
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''))
  }
  await task.destroy()
  return { info: info as Record<string, unknown>, pages, images }
}

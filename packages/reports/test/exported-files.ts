import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect } from 'vitest'

/* Reads exported files in tests. */

/** Returns the text of each page of a PDF. */
export const textsOf = async (bytes: Uint8Array): Promise<string[]> => {
  const document = await getDocument({ data: bytes.slice(), useSystemFonts: true, verbosity: 0 }).promise
  const pages = Array.from({ length: document.numPages }, async (_, index) => {
    const page = await document.getPage(index + 1)
    const { items } = await page.getTextContent()
    return items.map((item) => ('str' in item ? item.str : '')).join(' ')
  })
  return Promise.all(pages)
}

/** Returns the size of a PNG in pixels. */
export const sizeOf = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset)
  expect([...png.subarray(1, 4)]).toEqual([...Buffer.from('PNG')])
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Returns the widths and heights in pixels of the pictures on each page of a PDF. */
export const picturesOf = async (bytes: Uint8Array): Promise<string[][]> => {
  const document = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise
  const pages = Array.from({ length: document.numPages }, async (_, index) => {
    const { fnArray, argsArray } = await (await document.getPage(index + 1)).getOperatorList()
    return argsArray
      .filter((_args, place) => fnArray[place] === OPS.paintImageXObject)
      .map(([, width, height]: [string, number, number]) => `${width} × ${height}`)
  })
  return Promise.all(pages)
}

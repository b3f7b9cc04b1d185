import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PRODUCT_NAME } from '@bi-manager/contract'
import { create } from 'fontkit'
import PDFDocument from 'pdfkit'
import type { Letterhead } from '../../brand/brand.ts'
import { dayText, timeText } from '../../lib/local-time.ts'
import type { PdfDocument, PdfPart } from './pdf-document.ts'

/** Draws a document in this very thread, which it keeps busy: one at a time. */
export const drawPdf = async ({ title, about, parts, by, at, letterhead }: PdfDocument): Promise<Buffer> => {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: 64, bottom: 76, left: side, right: side },
    // The last page must be known before the first foot is drawn.
    bufferPages: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: title, Creator: PRODUCT_NAME, Producer: PRODUCT_NAME, CreationDate: at },
    // None: its own default is read from a file.
    font: null as never,
  })
  for (const [name, font] of Object.entries(fonts)) {
    // Glyphs keep the letters that they first stood for, which another document may not have.
    font._glyphs = {}
    // pdfkit takes a parsed font too; its types do not say so.
    doc.registerFont(name, font as never)
  }
  const chunks: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  doc
    .font('bold')
    .fontSize(18)
    .fillColor(letterhead.color ?? ink)
    .text(title, { lineGap: 2 })
    .moveDown(0.6)
  for await (const part of parts) drawPart(doc, part)
  drawEdges(doc, {
    letterhead,
    about: printable(about),
    made: `Gerado em ${dayText(at)} às ${timeText(at)} por ${printable(by)}`,
  })
  doc.end()
  return written
}

type Doc = PDFKit.PDFDocument

const notice = 'Contém dados pessoais sensíveis (LGPD, art. 5º, II)'

/** Points, of which 72 are an inch. */
const side = 56
const labelWidth = 150
const LOGO_HEIGHT = 18
const LOGO_WIDTH = 72
const ink = '#1b2730'
const faint = '#55636d'
const rule = '#c9d3d9'

const { resolve: resolvePackage } = createRequire(import.meta.url)

const fontOf = (name: string) => create(readFileSync(resolvePackage(`dejavu-fonts-ttf/ttf/${name}.ttf`)))

/** Parsed once a thread: that takes ten times as long as to draw a document of some pages. */
const fonts = { regular: fontOf('DejaVuSans'), bold: fontOf('DejaVuSans-Bold') }

const drawPart = (doc: Doc, part: PdfPart): void => {
  if ('heading' in part) {
    doc.moveDown(0.8)
    keepTogether(doc, 70)
    doc.font('bold').fontSize(12).fillColor(ink).text(printable(part.heading), side)
    doc.moveDown(0.4)
  } else if ('rows' in part) {
    for (const [label, value] of part.rows) drawRow(doc, label, value)
    doc.moveDown(0.4)
  } else {
    keepTogether(doc, 44)
    if (part.label)
      doc.font('regular').fontSize(9).fillColor(faint).text(printable(part.label), side).moveDown(0.2)
    doc.font('regular').fontSize(10).fillColor(ink).text(printable(part.text), side, doc.y, { lineGap: 2.5 })
    doc.moveDown(0.8)
  }
}

const drawRow = (doc: Doc, label: string, value: string): void => {
  const valueWidth = doc.page.width - 2 * side - labelWidth
  doc.font('regular').fontSize(9)
  const labelText = { width: labelWidth - 12 }
  const labelHeight = doc.heightOfString(printable(label), labelText)
  keepTogether(doc, Math.max(labelHeight, 16))
  const { page, y } = doc
  doc.fillColor(faint).text(printable(label), side, y + 0.8, labelText)
  doc
    .fontSize(10)
    .fillColor(ink)
    .text(printable(value), side + labelWidth, y, { width: valueWidth, lineGap: 2 })
  doc.x = side
  if (doc.page === page) doc.y = Math.max(doc.y, y + labelHeight)
  doc.moveDown(0.3)
}

/** Goes on to the next page where less than this height is left on this one. */
const keepTogether = (doc: Doc, height: number): void => {
  if (doc.y + height > doc.page.height - doc.page.margins.bottom) doc.addPage()
}

interface Edges {
  letterhead: Letterhead
  about: string
  made: string
}

/** pdfkit's types do not have the method. The bytes of a buffer from another thread are no buffer. */
const openImage = (doc: Doc, bytes: Uint8Array) =>
  (doc as Doc & { openImage: (bytes: Buffer) => { width: number; height: number } }).openImage(
    Buffer.from(bytes),
  )

/** Head and foot of each page, in its margins. */
const drawEdges = (doc: Doc, { letterhead, about, made }: Edges): void => {
  const { name, color = faint } = letterhead
  // Opened once, so that the document has it once.
  const logo = letterhead.logo && openImage(doc, letterhead.logo)
  const { start: first, count } = doc.bufferedPageRange()
  for (let index = first; index < first + count; index += 1) {
    doc.switchToPage(index)
    const { width, height, margins } = doc.page
    // Text below the margin would begin a page.
    doc.page.margins = { ...margins, bottom: 0 }
    const foot = height - 56
    const wide = { width: width - 2 * side, lineBreak: false }
    const logoWidth = logo ? Math.min(LOGO_WIDTH, (LOGO_HEIGHT * logo.width) / logo.height) : 0
    if (logo) doc.image(logo as never, side, 26, { fit: [logoWidth, LOGO_HEIGHT], valign: 'center' })
    const start = side + (logo ? logoWidth + 6 : 0)
    doc.font('bold').fontSize(9).fillColor(color)
    const nameWidth = Math.max(80, doc.widthOfString(name) + 12 + start - side)
    doc.text(name, start, 34, wide).fillColor(faint)
    const right = {
      ...wide,
      width: wide.width - nameWidth,
      align: 'right',
      ellipsis: true,
      height: 12,
    } as const
    doc.font('regular').text(about, side + nameWidth, 34, right)
    for (const line of [48, foot - 8]) {
      doc
        .moveTo(side, line)
        .lineTo(width - side, line)
        .lineWidth(0.5)
        .strokeColor(line === 48 ? (letterhead.color ?? rule) : rule)
        .stroke()
    }
    doc.font('regular').fontSize(8).text(notice, side, foot, wide)
    doc.text(made, side, foot + 12, { ...wide, width: wide.width - 100, ellipsis: true, height: 10 })
    doc.text(`Página ${index - first + 1} de ${count}`, side, foot, { ...wide, align: 'right' })
    doc.page.margins = margins
  }
}

/**
 * Replaces tabs and control characters, for which fonts have no glyph. Inserts zero-width spaces
 * into words longer than a line: pdfkit takes a second to break one of 10,000 characters by itself.
 */
const printable = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .replace(/\S{80,}/gu, (word) => word.replace(/.{20}/gu, '$&\u200b')) || '–'

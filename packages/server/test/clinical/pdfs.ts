import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'

/** Returns a document drawn with pdfkit. */
export const drawnPdf = (
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const document = new PDFDocument(options)
    const chunks: Buffer[] = []
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
    draw(document)
    document.end()
  })

export interface WrittenPdf {
  /** Entries of the catalogue, besides its pages. */
  catalog?: string
  /** Entries of the only page. */
  page?: string
  /** The stated number of pages; all but the first must be in `objects`. */
  pages?: number
  /** Objects from the fourth on. */
  objects?: (string | Buffer)[]
  /** Packs the fourth and later objects into an object stream. */
  isPacked?: boolean
  /** Entries of the trailer. */
  trailer?: string
}

/** Writes a small PDF with the given parts. */
export const writtenPdf = ({
  catalog = '',
  page = '',
  pages = 1,
  objects = [],
  isPacked = false,
  trailer = '',
}: WrittenPdf = {}): Buffer => {
  const first = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${Array.from({ length: pages }, (_, index) => `${3 + index} 0 R`).join(' ')}] /Count ${pages} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${page} >>`,
  ]
  return isPacked ? packed(first, objects.map(String), trailer) : plain([...first, ...objects], trailer)
}

export const streamOf = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream'),
  ])

const numbered = (objects: (string | Buffer)[]) => {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets = objects.map((object, index) => {
    const offset = parts.reduce((sum, part) => sum + part.length, 0)
    parts.push(
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as string, 'latin1'),
      Buffer.from('\nendobj\n'),
    )
    return offset
  })
  return { bytes: Buffer.concat(parts), offsets }
}

const plain = (objects: (string | Buffer)[], trailer: string): Buffer => {
  const { bytes, offsets } = numbered(objects)
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${bytes.length}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(end, 'latin1')])
}

/**
 * As in PDF 1.5 and later: objects in a compressed stream, the cross-reference table in another.
 */
const packed = (first: string[], inside: string[], trailer: string): Buffer => {
  let at = 0
  const heads = inside.map((object, index) => {
    const head = `${first.length + 2 + index} ${at}`
    at += object.length + 1
    return head
  })
  const head = `${heads.join(' ')} `
  const data = deflateSync(Buffer.from(head + inside.map((object) => `${object} `).join(''), 'latin1'))
  const objects = [
    ...first,
    streamOf(`/Type /ObjStm /N ${inside.length} /First ${head.length} /Filter /FlateDecode`, data),
  ]
  const { bytes, offsets } = numbered(objects)
  const row = (type: number, where: number, index: number) => {
    const entry = Buffer.alloc(6)
    entry.writeUInt8(type, 0)
    entry.writeUInt32BE(where, 1)
    entry.writeUInt8(index, 5)
    return entry
  }
  const size = objects.length + inside.length + 2
  const rows = Buffer.concat([
    row(0, 0, 255),
    ...offsets.map((offset) => row(1, offset, 0)),
    ...inside.map((_, index) => row(2, objects.length, index)),
    row(1, bytes.length, 0),
  ])
  const table = streamOf(`/Type /XRef /Size ${size} /W [1 4 1] /Root 1 0 R ${trailer}`, rows)
  return Buffer.concat([
    bytes,
    Buffer.from(`${size - 1} 0 obj\n`),
    table,
    Buffer.from(`\nendobj\nstartxref\n${bytes.length}\n%%EOF\n`),
  ])
}

import { strToU8, zipSync } from 'fflate'

/** `xml` is written as it is. `style`: the index of a number format of the workbook, from 1. */
export type TestCell =
  | string
  | number
  | boolean
  | null
  | { value: string | number; style?: number; type?: string; formula?: string }
  | { xml: string }
export interface TestSheet {
  name?: string
  state?: 'hidden' | 'veryHidden'
  rows: TestCell[][]
  /** Ranges such as A1:C1. */
  merged?: string[]
  /** Numbers of rows, from 1. */
  hiddenRows?: number[]
  /** Numbers of columns, from 1. */
  hiddenColumns?: number[]
}
interface TestWorkbook {
  sheets: TestSheet[]
  /** Codes of number formats. */
  formats?: string[]
  date1904?: boolean
  /** How texts are written, by which library. */
  texts?: 'shared' | 'inline'
  /** Without addresses (`r`), as the format allows. */
  withoutAddresses?: boolean
  /** A namespace prefix, such as `x`. */
  prefix?: string
  isStrict?: boolean
  /** Replaces or adds parts; null leaves one out. */
  parts?: Record<string, string | Uint8Array | null>
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

/** Returns an XLSX file as one of several writers makes it. */
export const workbookOf = (workbook: TestWorkbook): Buffer => {
  const { sheets, formats = [], date1904, texts = 'inline', withoutAddresses, isStrict, prefix } = workbook
  const main = isStrict
    ? 'http://purl.oclc.org/ooxml/spreadsheetml/main'
    : 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = isStrict
    ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const shared = new Map<string, number>()
  const cellXml = (cell: TestCell, address: string): string => {
    if (cell === null) return ''
    if (typeof cell === 'object' && 'xml' in cell) return cell.xml
    const at = withoutAddresses ? '' : ` r="${address}"`
    if (typeof cell === 'number') return `<c${at}><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c${at} t="b"><v>${cell ? 1 : 0}</v></c>`
    if (typeof cell === 'string') {
      if (texts === 'inline')
        return `<c${at} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
      if (!shared.has(cell)) shared.set(cell, shared.size)
      return `<c${at} t="s"><v>${shared.get(cell)}</v></c>`
    }
    const style = cell.style ? ` s="${cell.style}"` : ''
    const type = cell.type ? ` t="${cell.type}"` : ''
    const formula = cell.formula === undefined ? '' : `<f>${escaped(cell.formula)}</f>`
    const value = cell.value === '' ? '' : `<v>${escaped(String(cell.value))}</v>`
    return `<c${at}${style}${type}>${formula}${value}</c>`
  }
  const sheetXml = ({ rows, merged = [], hiddenRows = [], hiddenColumns = [] }: TestSheet): string => {
    const lines = rows.flatMap((row, index) => {
      if (row.every((cell) => cell === null)) return []
      const cells = row.map((cell, column) => cellXml(cell, `${letters(column)}${index + 1}`)).join('')
      const hidden = hiddenRows.includes(index + 1) ? ' hidden="1"' : ''
      return [`<row${withoutAddresses ? '' : ` r="${index + 1}"`}${hidden}>${cells}</row>`]
    })
    const columns = hiddenColumns.map((one) => `<col min="${one}" max="${one}" width="9" hidden="1"/>`)
    const ranges = merged.map((ref) => `<mergeCell ref="${ref}"/>`)
    return [
      `<worksheet xmlns="${main}">`,
      columns.length > 0 ? `<cols>${columns.join('')}</cols>` : '',
      `<sheetData>${lines.join('')}</sheetData>`,
      ranges.length > 0 ? `<mergeCells count="${ranges.length}">${ranges.join('')}</mergeCells>` : '',
      '</worksheet>',
    ].join('')
  }
  const relationship = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const related = (list: string[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`
  const sheetParts = sheets.map(
    (sheet, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet)] as const,
  )
  const tags = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escaped(name ?? `Plan${index + 1}`)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  )
  const numFmts = formats.map(
    (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(code)}"/>`,
  )
  const xfs = ['<xf numFmtId="0"/>', ...formats.map((_, index) => `<xf numFmtId="${164 + index}" xfId="0"/>`)]
  const parts: Record<string, string | Uint8Array | null> = {
    '[Content_Types].xml': contentTypesOf(sheetParts.map(([name]) => name)),
    '_rels/.rels': related([relationship('rId1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${tags.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': related([
      ...sheets.map((_, index) =>
        relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
      ),
      relationship('rIdS', 'styles', 'styles.xml'),
      relationship('rIdT', 'sharedStrings', '/xl/sharedStrings.xml'),
    ]),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="${numFmts.length}">${numFmts.join('')}</numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${[...shared.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    ...Object.fromEntries(sheetParts),
    ...workbook.parts,
  }
  const prefixed = (name: string, xml: string) =>
    prefix && name.startsWith('xl/') && !name.endsWith('.rels')
      ? xml.replace(/<(\/?)(?=[a-zA-Z])/g, `<$1${prefix}:`).replace('xmlns=', `xmlns:${prefix}=`)
      : xml
  const files = Object.entries(parts).flatMap(([name, part]) => {
    if (part === null) return []
    return [[name, typeof part === 'string' ? strToU8(HEAD + prefixed(name, part)) : part] as const]
  })
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 6 }))
}

/** LibreOffice opens no file without them. */
const contentTypesOf = (sheets: string[]): string => {
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const part = (name: string, type: string) =>
    `<Override PartName="/${name}" ContentType="${kind}.${type}+xml"/>`
  return [
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">',
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    part('xl/workbook.xml', 'sheet.main'),
    ...sheets.map((name) => part(name, 'worksheet')),
    part('xl/styles.xml', 'styles'),
    part('xl/sharedStrings.xml', 'sharedStrings'),
    '</Types>',
  ].join('')
}

import { strToU8, zipSync } from 'fflate'

type Cell = string | number | Date

/**
 * Returns an XLSX with one sheet, as spreadsheet programs write it (ECMA-376, part 1, 18.3): texts
 * are inline, and dates are numbers with the date format 14.
 */
export const spreadsheetOf = (rows: Cell[][]): Buffer => {
  const lines = rows.map((row, index) => `<row r="${index + 1}">${row.map(cellOf(index + 1)).join('')}</row>`)
  const files = {
    '[Content_Types].xml': `<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/></Types>`,
    '_rels/.rels': relationsOf([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Plan1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
  const encoded = Object.entries(files).map(([name, text]) => [name, strToU8(`<?xml version="1.0"?>${text}`)])
  return Buffer.from(zipSync(Object.fromEntries(encoded)))
}

const packaging = 'http://schemas.openxmlformats.org/package/2006'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const relationsOf = (targets: [type: string, target: string][]): string =>
  `<Relationships xmlns="${packaging}/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${relations}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const cellOf =
  (line: number) =>
  (cell: Cell, column: number): string => {
    const at = `${String.fromCharCode(65 + column)}${line}`
    if (typeof cell === 'string') return `<c r="${at}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
    if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
    // Days since 30 December 1899.
    return `<c r="${at}" s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
  }

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

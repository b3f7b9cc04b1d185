import { numberStyleNumber, type Style, styleNumber, stylesXml } from './styles.ts'
import { type Cell, instantCell, type TypedCell } from './typed-cell.ts'
import type { Fact, Sheet, Workbook } from './written-workbook.ts'

/** Characters of one cell: Excel's limit. */
const LONGEST = 32_767

/**
 * Returns a text for an element or an attribute of a spreadsheet file. Characters that XML does not
 * allow or changes become `_xHHHH_`, as spreadsheet programs write them; so does an underscore that
 * a program would take for the beginning of one.
 */
const xmlText = (text: string): string =>
  text
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, coded)
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const coded = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The name of the first sheet. */
export const ABOUT = 'Sobre'

/**
 * Returns the parts of a spreadsheet file (ECMA-376), path → XML, which the caller packs as ZIP:
 * texts in place, numbers and dates with their formats. There is no element for formulas, so no
 * value can become one.
 */
export const workbookParts = (workbook: Workbook): Record<string, string> => {
  const sheets = [
    { name: ABOUT, xml: aboutXml(workbook) },
    ...workbook.sheets.map((sheet) => ({ name: sheet.name, xml: sheetXml(sheet) })),
  ]
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes(sheets.length),
    '_rels/.rels': packageRelations,
    'docProps/core.xml': properties(workbook),
    'xl/workbook.xml': workbookXml(sheets.map(({ name }) => name)),
    'xl/_rels/workbook.xml.rels': workbookRelations(sheets.length),
    'xl/styles.xml': stylesXml,
  }
  for (const [index, { xml }] of sheets.entries()) parts[`xl/worksheets/sheet${index + 1}.xml`] = xml
  return Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, HEAD + xml]))
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** A heading in the first row, which stays visible, then the rows, then the note. */
const sheetXml = ({ columns, rows, note }: Sheet): string => {
  const heading = rowXml(
    0,
    columns.map((column, index) => cellXml(0, index, { text: column.heading }, 'heading')),
  )
  const lines = rows.map((row, index) =>
    rowXml(
      index + 1,
      columns.map(({ read }, column) => cellXml(index + 1, column, read(row[column] ?? null), 'text')),
    ),
  )
  // An empty row ends the table for programs that look for its end.
  if (note) lines.push(rowXml(rows.length + 2, [cellXml(rows.length + 2, 0, { text: note }, 'note')]))
  const widths = columns.map((column, index) => columnWidth(column.heading, rows, index))
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  return worksheet(`<sheetView workbookViewId="0">${pane}</sheetView>`, widths, [heading, ...lines])
}

const aboutXml = ({ title, facts, contents }: Workbook): string => {
  let at = -1
  const row = (cells: [TypedCell, Style][]) => {
    at += 1
    return rowXml(
      at,
      cells.map(([cell, style], column) => cellXml(at, column, cell, style)),
    )
  }
  const rows = [
    row([[{ text: title }, 'title']]),
    ...facts.map(([label, fact]) =>
      row([
        [label ? { text: label } : undefined, 'label'],
        [factCell(fact), 'fact'],
      ]),
    ),
    row([]),
    ...contents.map((line, index) =>
      row(line.map((fact) => [factCell(fact), index === 0 ? 'heading' : 'fact'])),
    ),
  ]
  return worksheet('<sheetView tabSelected="1" workbookViewId="0" showGridLines="0"/>', ABOUT_WIDTHS, rows)
}

const ABOUT_WIDTHS = [32, 60, 26, 12, 60]

const factCell = (fact: Fact): TypedCell => {
  if (typeof fact === 'string') return fact ? { text: fact } : undefined
  return typeof fact === 'number' ? { number: fact, style: 'whole' } : instantCell(fact.instant)
}

const worksheet = (view: string, widths: readonly number[], rows: readonly string[]) =>
  [
    `<worksheet xmlns="${MAIN}"><sheetViews>${view}</sheetViews><cols>`,
    ...widths.map(
      (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
    ),
    '</cols><sheetData>',
    ...rows,
    '</sheetData></worksheet>',
  ].join('')

const rowXml = (row: number, cells: readonly string[]) => `<row r="${row + 1}">${cells.join('')}</row>`

const cellXml = (row: number, column: number, cell: TypedCell, textStyle: Style): string => {
  if (cell === undefined) return ''
  const place = `r="${columnName(column)}${row + 1}"`
  if ('number' in cell)
    return `<c ${place} s="${numberStyleNumber(cell.number, cell.style)}"><v>${cell.number}</v></c>`
  if ('isTrue' in cell)
    return `<c ${place} s="${styleNumber('truth')}" t="b"><v>${cell.isTrue ? 1 : 0}</v></c>`
  const text = `<t xml:space="preserve">${xmlText(cell.text)}</t>`
  return `<c ${place} s="${styleNumber(textStyle)}" t="inlineStr"><is>${text}</is></c>`
}

/** A, B, … Z, AA, AB … */
const columnName = (column: number): string => {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}

/** Rows whose length decides about the width of their column. */
const MEASURED = 200
const [NARROWEST, WIDEST] = [10, 60]

/** Returns a width in characters, with room for separators and currency. */
const columnWidth = (heading: string, rows: readonly Cell[][], column: number): number => {
  const lengths = rows.slice(0, MEASURED).map((row) => {
    const cell = row[column] ?? ''
    return typeof cell === 'number' ? Math.trunc(cell).toString().length * 1.34 + 7 : String(cell).length
  })
  // A long heading wraps.
  const longest = Math.max(Math.min(heading.length, 24), ...lengths)
  return Math.min(Math.max(Math.ceil(longest) + 2, NARROWEST), WIDEST)
}

const contentTypes = (sheets: number) => {
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const part = (name: string, type: string) => `<Override PartName="${name}" ContentType="${type}"/>`
  return [
    `<Types xmlns="${PACKAGE}/content-types">`,
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
    '<Default Extension="xml" ContentType="application/xml"/>',
    part('/xl/workbook.xml', `${kind}.sheet.main+xml`),
    part('/xl/styles.xml', `${kind}.styles+xml`),
    part('/docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'),
    ...counted(sheets, (number) => part(`/xl/worksheets/sheet${number}.xml`, `${kind}.worksheet+xml`)),
    '</Types>',
  ].join('')
}

const packageRelations = [
  `<Relationships xmlns="${PACKAGE}/relationships">`,
  `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/>`,
  `<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
  '</Relationships>',
].join('')

const workbookRelations = (sheets: number) =>
  [
    `<Relationships xmlns="${PACKAGE}/relationships">`,
    `<Relationship Id="rId0" Type="${RELATIONS}/styles" Target="styles.xml"/>`,
    ...counted(
      sheets,
      (number) =>
        `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
    ),
    '</Relationships>',
  ].join('')

const workbookXml = (names: readonly string[]) =>
  [
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr date1904="false"/>`,
    '<bookViews><workbookView activeTab="0"/></bookViews><sheets>',
    ...names.map(
      (name, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
    ),
    '</sheets></workbook>',
  ].join('')

const properties = ({ title, created }: Workbook) =>
  [
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties"`,
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${xmlText(title)}</dc:title><dc:creator>BI Manager</dc:creator>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${new Date(created).toISOString()}</dcterms:created>`,
    '</cp:coreProperties>',
  ].join('')

const counted = (count: number, write: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index + 1))

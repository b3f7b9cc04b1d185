import { strToU8, zipSync } from 'fflate'

type Rows = (string | number)[][]

const sheetOf = (rows: Rows): string => {
  const cell = (value: string | number) =>
    typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const lines = rows.map((row, index) => {
    const cells = row.map((value, column) =>
      cell(value).replace('<c', `<c r="${String.fromCharCode(65 + column)}${index + 1}"`),
    )
    return `<row r="${index + 1}">${cells.join('')}</row>`
  })
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

/** Returns an XLSX file with these sheets, without styles. */
export const spreadsheetOf = (...sheets: Rows[]): Uint8Array => {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const entries = sheets.map((rows, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetOf(rows)])
  const listed = sheets.map(
    (_, index) => `<sheet name="S${index}" sheetId="${index + 1}" r:id="r${index + 1}"/>`,
  )
  const related = sheets.map(
    (_, index) =>
      `<Relationship Id="r${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  )
  const files: Record<string, string> = {
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join('')}</Relationships>`,
    ...Object.fromEntries(entries),
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}

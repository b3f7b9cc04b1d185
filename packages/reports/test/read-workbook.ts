import { strFromU8, unzipSync } from 'fflate'
import readExcelFile from 'read-excel-file/node'

/** Returns the cells of each sheet as another program reads them: dates are `Date`. */
export const readWorkbook = async (bytes: Uint8Array): Promise<Record<string, unknown[][]>> => {
  const sheets = await readExcelFile(Buffer.from(bytes))
  return Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data]))
}

/** Returns the XML parts of the file. */
export const partsOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]))

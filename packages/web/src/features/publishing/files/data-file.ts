import { DATA_FILE_BYTES } from '@bi-manager/contract'
import { sizeText } from '../../../lib/text/size-text.ts'
import { UnusableFile } from './unusable-file.ts'

/** A file as it is sent to the report service. */
export interface DataFile {
  /** The name that the person knows. */
  chosen: string
  name: string
  bytes: Blob
}

type Cell = string | number | boolean | Date | null

/**
 * Returns the file to send: a spreadsheet becomes CSV in the browser, other files stay as they are.
 * @throws UnusableFile
 */
export const dataFileOf = async (file: File): Promise<DataFile> => {
  const [, kind = ''] = /\.(csv|txt|xlsx|parquet)$/i.exec(file.name) ?? []
  if (!kind)
    throw new UnusableFile(
      /\.xls$/i.test(file.name)
        ? 'O formato XLS é antigo. No Excel, salve a planilha como XLSX e escolha-a de novo.'
        : 'Escolha um arquivo CSV, XLSX ou Parquet.',
    )
  const sent =
    kind.toLowerCase() === 'xlsx'
      ? { name: file.name.replace(/\.xlsx$/i, '.csv'), bytes: await csvOfSpreadsheet(file) }
      : { name: file.name, bytes: file }
  if (sent.bytes.size === 0) throw new UnusableFile('O arquivo está vazio.')
  if (sent.bytes.size > DATA_FILE_BYTES) throw tooLarge(sent.bytes.size)
  return { chosen: file.name, ...sent }
}

const tooLarge = (bytes: number) =>
  new UnusableFile(
    `O arquivo tem ${sizeText(bytes)}; o limite é ${sizeText(DATA_FILE_BYTES)}. Publique arquivos maiores pela linha de comando (npm run reports -- publish).`,
  )

const csvOfSpreadsheet = async (file: File): Promise<Blob> => {
  if (file.size > DATA_FILE_BYTES) throw tooLarge(file.size)
  let rows: Cell[][]
  try {
    rows = (await readFirstSheet(file)) as Cell[][]
  } catch (error) {
    console.info('A planilha não pôde ser lida.', error)
    throw new UnusableFile(
      'A planilha não pôde ser lida: está corrompida, protegida por senha ou em outro formato.',
    )
  }
  return new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' })
}

const readFirstSheet = async (file: File) => {
  // Only people who publish a spreadsheet load the libraries.
  const [{ unzipSync, zipSync }, { readSheet }] = await Promise.all([
    import('fflate'),
    import('read-excel-file/universal'),
  ])
  // The reader unzips in a worker of a blob, which the portal's policy does not allow; a file that
  // is not compressed needs none.
  const stored = zipSync(unzipSync(new Uint8Array(await file.arrayBuffer())), { level: 0 })
  return readSheet(new Blob([stored]))
}

/**
 * Returns the first sheet as CSV with commas and decimal points, which the service reads without
 * doubt. The first row with a value is the heading; columns without any value are left out.
 */
export const csvOf = (rows: Cell[][]): string => {
  const filled = rows.filter((row) => row.some((cell) => cell !== null && cell !== ''))
  const [heading = [], ...body] = filled
  const width = Math.max(0, ...filled.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, index) => index).filter((index) =>
    filled.some((row) => (row[index] ?? '') !== ''),
  )
  const names = columns.map((index) => textOf(heading[index] ?? null) || `Coluna ${index + 1}`)
  const lines = [names, ...body.map((row) => columns.map((index) => textOf(row[index] ?? null)))]
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('')
}

const textOf = (cell: Cell): string => {
  if (cell === null) return ''
  if (!(cell instanceof Date)) return String(cell).trim()
  const [day = '', time = ''] = cell.toISOString().split('T')
  // A spreadsheet's day has no time, and its time no zone.
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

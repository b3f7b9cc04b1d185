import { csvOfSheet, DATA_FILE_BYTES, type SheetCell } from '@bi-manager/contract'
import { sizeText } from '../../../lib/text/size-text.ts'
import { UnusableFile } from './unusable-file.ts'

/** A file as it is sent to the report service. */
export interface DataFile {
  /** The name that the person knows. */
  chosen: string
  /** Bytes of the chosen file; a spreadsheet is sent as a CSV of another size. */
  size: number
  name: string
  bytes: Blob
}

/**
 * Returns the file to send: a spreadsheet becomes CSV in the browser, other files stay as they are.
 * @throws UnusableFile
 */
export const dataFileOf = async (file: File): Promise<DataFile> => {
  const [, kind = ''] = /\.(csv|txt|tsv|xlsx|parquet)$/i.exec(file.name) ?? []
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
  return { chosen: file.name, size: file.size, ...sent }
}

/** Replaces the sent name at the beginning of sentences by the one that the person knows. */
export const underChosenName = ({ name, chosen }: DataFile, sentences: string[]): string[] =>
  sentences.map((sentence) =>
    sentence.startsWith(`${name}:`) ? chosen + sentence.slice(name.length) : sentence,
  )

const tooLarge = (bytes: number) =>
  new UnusableFile(
    `O arquivo tem ${sizeText(bytes)}; o limite é ${sizeText(DATA_FILE_BYTES)}. Publique arquivos maiores pela linha de comando (npm run reports -- publish).`,
  )

const csvOfSpreadsheet = async (file: File): Promise<Blob> => {
  if (file.size > DATA_FILE_BYTES) throw tooLarge(file.size)
  let rows: SheetCell[][]
  try {
    rows = (await readFirstSheet(file)) as SheetCell[][]
  } catch (error) {
    console.info('A planilha não pôde ser lida.', error)
    throw new UnusableFile(
      'A planilha não pôde ser lida: está corrompida, protegida por senha ou em outro formato.',
    )
  }
  return new Blob([csvOfSheet(rows)], { type: 'text/csv;charset=utf-8' })
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

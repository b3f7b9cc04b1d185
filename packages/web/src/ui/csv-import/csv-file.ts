/** What a file lists ('usuário', 'usuários') and the maximum number of lines. */
export interface CsvKind {
  people: readonly [singular: string, plural: string]
  maxLines: number
}

/** The file cannot be imported; the message is shown on the screen. */
export class CsvImportError extends Error {}

const MAX_BYTES = 2 * 1024 * 1024

/**
 * Reads the text of a chosen file: UTF-8 with or without BOM, UTF-16 with BOM (Excel's
 * 'Texto Unicode'), otherwise Windows-1252, which Brazilian Excel writes.
 * @throws CsvImportError when the file is too large or not text
 */
export const readCsvFile = async (file: File, { people, maxLines }: CsvKind): Promise<string> => {
  if (file.size === 0) throw new CsvImportError('O arquivo está vazio.')
  if (file.size > MAX_BYTES)
    throw new CsvImportError(
      `O arquivo passa de 2 MB: não parece uma lista de ${people[1]}. Escolha um CSV de até ${maxLines.toLocaleString('pt-BR')} linhas.`,
    )
  return decodeCsv(new Uint8Array(await file.arrayBuffer()))
}

export const decodeCsv = (bytes: Uint8Array): string => {
  if (isWorkbook(bytes))
    throw new CsvImportError(
      'Este arquivo é uma pasta de trabalho, não um CSV. No Excel, use Salvar como, tipo CSV UTF-8.',
    )
  const text = textOf(bytes)
  if (text.includes('\u0000'))
    throw new CsvImportError('Este arquivo não é um texto CSV. Confira se escolheu o arquivo certo.')
  return text
}

const textOf = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** xlsx is a zip and xls an OLE file; both are recognised by their first bytes. */
const isWorkbook = ([a, b, c, d]: Uint8Array): boolean =>
  (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04) ||
  (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0)

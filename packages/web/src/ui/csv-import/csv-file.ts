/** What a file lists: 'usuário', 'usuários', and how many of them are taken at once. */
export interface CsvKind {
  people: readonly [singular: string, plural: string]
  linesAtMost: number
}

/** A file that cannot be what somebody meant to import; the message is for the screen. */
export class CsvFault extends Error {}

const MAX_BYTES = 2 * 1024 * 1024

/**
 * The text of a chosen file: UTF-8 with or without a mark, UTF-16 with one (Excel's 'Texto Unicode'), else Windows-1252, as
 * Brazilian Excel writes it.
 * @throws CsvFault when it is too large or no text.
 */
export const readCsvFile = async (file: File, { people, linesAtMost }: CsvKind): Promise<string> => {
  if (file.size === 0) throw new CsvFault('O arquivo está vazio.')
  if (file.size > MAX_BYTES)
    throw new CsvFault(
      `O arquivo passa de 2 MB: não parece uma lista de ${people[1]}. Escolha um CSV de até ${linesAtMost.toLocaleString('pt-BR')} linhas.`,
    )
  return decodeCsv(new Uint8Array(await file.arrayBuffer()))
}

export const decodeCsv = (bytes: Uint8Array): string => {
  if (isWorkbook(bytes))
    throw new CsvFault(
      'Este arquivo é uma pasta de trabalho, não um CSV. No Excel, use Salvar como, tipo CSV UTF-8.',
    )
  const text = textOf(bytes)
  if (text.includes('\u0000'))
    throw new CsvFault('Este arquivo não é um texto CSV. Confira se escolheu o arquivo certo.')
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

/** Excel's xlsx is a zip, its xls an OLE file; both are told by their first bytes. */
const isWorkbook = ([a, b, c, d]: Uint8Array): boolean =>
  (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04) ||
  (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0)

import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { UnreadableSheet } from './unreadable-sheet.ts'

type FileKind = 'csv' | 'parquet' | 'xlsx'

const HEAD_BYTES = 4_096

/** Returns what a file is by its first bytes: a name may be wrong. */
export const kindOfFile = async (file: string): Promise<FileKind> => {
  const head = await headOf(file)
  if (head.startsWith('PAR1')) return 'parquet'
  return head.startsWith('PK\u0003\u0004') || isOldOffice(head) ? 'xlsx' : 'csv'
}

/** The container of files before Office 2007, and of files with a password. */
const isOldOffice = (head: string): boolean => head.startsWith('\u00d0\u00cf\u0011\u00e0')

/**
 * Refuses what only looks like a spreadsheet, with the way out.
 * @param name the name that the author knows
 * @throws UnreadableSheet
 */
export const refuseOtherSpreadsheets = async (file: string, name: string): Promise<void> => {
  const extension = extname(name).toLowerCase()
  const head = await headOf(file)
  if (isOldOffice(head)) {
    if (await contains(file, Buffer.from('EncryptedPackage', 'utf16le')))
      throw new UnreadableSheet(
        'tem senha: no Excel, tire a senha em Arquivo › Informações, salve e envie de novo',
      )
    throw new UnreadableSheet(
      'está no formato XLS, que é antigo: no Excel, salve a planilha como XLSX e envie de novo',
    )
  }
  if (head.startsWith('%PDF-'))
    throw new UnreadableSheet(
      'é um PDF, que não tem colunas: exporte os dados como XLSX ou CSV do programa que o fez, e envie de novo',
    )
  if (/^\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html|head|body|table|meta|div)\b/i.test(head))
    throw new UnreadableSheet(
      isSpreadsheetName(extension)
        ? 'é uma página HTML com nome de planilha: abra-a no Excel, salve-a como XLSX e envie de novo'
        : 'é uma página HTML, como a de entrada de um site, e não um arquivo de dados',
    )
  if (/^\s*<\?(xml|mso-application)/.test(head))
    throw new UnreadableSheet(
      'é um arquivo XML, e não uma planilha XLSX: abra-o no Excel, salve-o como XLSX e envie de novo',
    )
  if (extension === '.ods')
    throw new UnreadableSheet(
      'está no formato ODS: no LibreOffice, salve a planilha como XLSX e envie de novo',
    )
  if (extension === '.xlsb')
    throw new UnreadableSheet('está no formato XLSB: no Excel, salve a planilha como XLSX e envie de novo')
  if (isSpreadsheetName(extension) && !head.startsWith('PK'))
    throw new UnreadableSheet(
      'não é uma planilha XLSX: abra o arquivo no Excel e salve-o como XLSX; se é um texto, dê a ele um nome que termine em .csv',
    )
}

const isSpreadsheetName = (extension: string): boolean => /^\.(xls[xmb]?|ods)$/.test(extension)

const headOf = async (file: string): Promise<string> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('latin1', 0, bytesRead).replace(/^\u00ef\u00bb\u00bf/, '')
  } finally {
    await handle.close()
  }
}

const contains = async (file: string, wanted: Buffer): Promise<boolean> => {
  const handle = await open(file)
  try {
    return (await handle.readFile()).includes(wanted)
  } finally {
    await handle.close()
  }
}

import { FOLDER_BYTES, MOST_FOLDER_FILES } from '@bi-manager/contract'
import { unzipSync } from 'fflate'
import { sizeText } from '../../../lib/text/size-text.ts'
import type { ChosenFile } from '../../../ui/file-drop/dropped-files.ts'
import { UnusableFile } from './unusable-file.ts'

/*
 * A zip is opened in the browser of the person who chose it, like a spreadsheet: no server opens a
 * zip of a stranger. The service receives the files, and checks their paths itself.
 */

/** Folders and files that are left out count too. */
const MOST_ENTRIES = 10 * MOST_FOLDER_FILES

/** Returns the files of a zip. @throws UnusableFile */
export const filesOfZip = async (zip: File): Promise<ChosenFile[]> => {
  if (zip.size > FOLDER_BYTES)
    throw new UnusableFile(`O zip tem ${sizeText(zip.size)}; o limite é ${sizeText(FOLDER_BYTES)}.`)
  const bytes = new Uint8Array(await zip.arrayBuffer())
  const entries = entriesOf(bytes)
  if (entries.length > MOST_ENTRIES) throw new UnusableFile(`O zip tem mais de ${MOST_ENTRIES} entradas.`)
  for (const entry of entries) refuse(entry)
  const size = entries.reduce((sum, one) => sum + one.size, 0)
  if (size > FOLDER_BYTES)
    throw new UnusableFile(`O zip contém ${sizeText(size)}; o limite é ${sizeText(FOLDER_BYTES)}.`)
  return read(bytes).flatMap(([path, content]) =>
    path.endsWith('/')
      ? []
      : [{ path, file: new File([content as BlobPart], path.split('/').at(-1) ?? path) }],
  )
}

/** The library writes no more bytes than an entry announces. */
const read = (bytes: Uint8Array) => {
  try {
    return Object.entries(unzipSync(bytes))
  } catch (error) {
    console.info('O zip não pôde ser lido.', error)
    throw broken()
  }
}

interface Entry {
  path: string
  size: number
  isLink: boolean
  isEncrypted: boolean
}

const refuse = ({ path, isLink, isEncrypted }: Entry): void => {
  if (isEncrypted) throw new UnusableFile('O zip é protegido por senha. Faça um sem senha.')
  if (isLink) throw new UnusableFile(`${path}: atalhos não são aceitos. Ponha o arquivo no zip.`)
  const steps = path.replace(/\/$/, '').split('/')
  if (/[\\\0]/.test(path) || steps.some((step) => step === '' || step === '.' || step === '..'))
    throw new UnusableFile(`O zip tem um caminho que sai da pasta: ${path}`)
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const SYMBOLIC_LINK = 0o120000
const FILE_TYPE = 0o170000

/**
 * Reads the central directory, which has what the library does not show: links and encryption
 * (APPNOTE.TXT of PKWARE, 4.3.12).
 */
const entriesOf = (bytes: Uint8Array): Entry[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  // A comment may follow.
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1
  if (end < 0) throw broken()
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  return Array.from({ length: count }, () => {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) throw broken()
    const nameLength = view.getUint16(at + 28, true)
    const name = bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)
    const entry = {
      path: new TextDecoder().decode(name),
      size: view.getUint32(at + 24, true),
      isLink: ((view.getUint32(at + 38, true) >>> 16) & FILE_TYPE) === SYMBOLIC_LINK,
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    }
    at += ENTRY_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    return entry
  })
}

const broken = () => new UnusableFile('O zip não pôde ser lido: está corrompido ou em outro formato.')

import { FOLDER_BYTES, MAX_FOLDER_FILES } from '@bi-manager/contract'
import { inflateSync } from 'fflate'
import { sizeText } from '../../lib/text/size-text.ts'
import type { ChosenFile } from '../../ui/file-drop/dropped-files.ts'
import { UnusableFile } from './unusable-file.ts'

/*
 * A zip is opened in the browser of the person who chose it, like a spreadsheet: no server opens a
 * zip of a stranger. The service receives the files, and checks their paths itself.
 */

/** Folders and files that are left out count too. */
const MAX_ENTRIES = 10 * MAX_FOLDER_FILES

/** Returns the files of a zip. @throws UnusableFile */
export const filesOfZip = async (zip: File): Promise<ChosenFile[]> => {
  if (zip.size > FOLDER_BYTES)
    throw new UnusableFile(`O zip tem ${sizeText(zip.size)}; o limite é ${sizeText(FOLDER_BYTES)}.`)
  const bytes = new Uint8Array(await zip.arrayBuffer())
  const entries = entriesOf(bytes)
  if (entries.length > MAX_ENTRIES) throw new UnusableFile(`O zip tem mais de ${MAX_ENTRIES} entradas.`)
  for (const entry of entries) refuse(entry)
  refuseOverlaps(entries)
  const size = entries.reduce((sum, one) => sum + one.size, 0)
  if (size > FOLDER_BYTES)
    throw new UnusableFile(`O zip contém ${sizeText(size)}; o limite é ${sizeText(FOLDER_BYTES)}.`)
  return entries.flatMap((entry) => {
    if (entry.path.endsWith('/')) return []
    const content = contentOf(bytes, entry)
    return [{ path: entry.path, file: new File([content], entry.path.split('/').at(-1) ?? entry.path) }]
  })
}

/** @throws UnusableFile when the content is longer or shorter than the entry announces */
const contentOf = (bytes: Uint8Array<ArrayBuffer>, { path, method, data, size }: Entry) => {
  const packed = bytes.subarray(data.from, data.to)
  const content = method === STORED ? packed : inflate(packed, size)
  if (content.length !== size)
    throw new UnusableFile(`${path}: o tamanho que o zip anuncia não é o do arquivo. Faça o zip de novo.`)
  return content
}

/** Returns at most one byte more than announced, which shows that the content is longer. */
const inflate = (packed: Uint8Array, size: number): Uint8Array<ArrayBuffer> => {
  try {
    return inflateSync(packed, { out: new Uint8Array(size + 1) }) as Uint8Array<ArrayBuffer>
  } catch (error) {
    console.info('O zip não pôde ser lido.', error)
    throw broken()
  }
}

/** Positions in the zip: the first byte, and the one after the last. */
interface Span {
  from: number
  to: number
}

interface Entry {
  path: string
  /** Unpacked, as announced. */
  size: number
  method: number
  /** The packed content. */
  data: Span
  isLink: boolean
  isEncrypted: boolean
}

const refuse = ({ path, isLink, isEncrypted, method }: Entry): void => {
  if (isEncrypted) throw new UnusableFile('O zip é protegido por senha. Faça um sem senha.')
  if (isLink) throw new UnusableFile(`${path}: atalhos não são aceitos. Ponha o arquivo no zip.`)
  if (path.includes('\\'))
    throw new UnusableFile(
      `${path}: este zip separa as pastas com \\. Faça-o de novo com o programa do próprio sistema.`,
    )
  const steps = path.replace(/\/$/, '').split('/')
  if (path.includes('\0') || steps.some((step) => step === '' || step === '.' || step === '..'))
    throw new UnusableFile(`O zip tem um caminho que sai da pasta: ${path}`)
  if (method !== STORED && method !== DEFLATED)
    throw new UnusableFile(`${path}: esta compressão não é aceita. Faça o zip de novo, com a comum.`)
}

/** Entries that share bytes can contain far more than the zip has. */
const refuseOverlaps = (entries: Entry[]): void => {
  const inOrder = entries.map(({ data }) => data).toSorted((one, other) => one.from - other.from)
  if (inOrder.some(({ from }, index) => from < (inOrder[index - 1]?.to ?? 0)))
    throw new UnusableFile('O zip tem arquivos que ocupam o mesmo lugar. Faça o zip de novo.')
  if (new Set(entries.map(({ path }) => path)).size < entries.length)
    throw new UnusableFile('O zip tem dois arquivos com o mesmo caminho. Faça o zip de novo.')
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
/** Signature of the header before the content of each entry. */
const LOCAL = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8
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
  const directory = view.getUint32(end + 16, true)
  let at = directory
  return Array.from({ length: count }, () => {
    if (at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) throw broken()
    const nameLength = view.getUint16(at + 28, true)
    const name = bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength)
    const entry = {
      path: textOf(name),
      size: view.getUint32(at + 24, true),
      method: view.getUint16(at + 10, true),
      data: dataOf(view, {
        local: view.getUint32(at + 42, true),
        packed: view.getUint32(at + 20, true),
        directory,
      }),
      isLink: ((view.getUint32(at + 38, true) >>> 16) & FILE_TYPE) === SYMBOLIC_LINK,
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    }
    at += ENTRY_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    return entry
  })
}

/** The content follows a second header, whose extra field may have another length. */
const dataOf = (
  view: DataView,
  { local, packed, directory }: { local: number; packed: number; directory: number },
): Span => {
  if (local + LOCAL_BYTES > directory || directory > view.byteLength) throw broken()
  if (view.getUint32(local, true) !== LOCAL) throw broken()
  const from = local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  if (from + packed > directory) throw broken()
  return { from, to: from + packed }
}

/** Names of old programs are not UTF-8. */
const textOf = (name: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(name)
  } catch {
    return new TextDecoder('latin1').decode(name)
  }
}

const broken = () => new UnusableFile('O zip não pôde ser lido: está corrompido ou em outro formato.')

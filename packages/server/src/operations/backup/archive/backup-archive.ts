import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Decrypter, Encrypter } from 'age-encryption'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import { CommandError } from '../../../platform/commands/command.ts'
import { noneIfMissing } from '../../../platform/lib/missing-files.ts'
import { type BackupFile, isInnerPath, type Manifest, manifestName } from '../contents/manifest.ts'
import type { Written } from '../targets/backup-target.ts'
import { createMeter } from '../targets/meter.ts'

/* One file per backup: a tar with the files of a backup in a folder, encrypted with age. */

interface ArchiveSource {
  /** Paths in the archive, and where each file is on disk. A deleted file is omitted. */
  files: { caminho: string; from: string }[]
  /** Makes the manifest, the last file, from the packed files. */
  manifestText: (packed: BackupFile[]) => string
  /** age recipients. */
  recipients: string[]
}

interface Archive {
  bytes: Readable
  /** Settles with the packing. An error also reaches the reader of `bytes`. */
  packed: Promise<void>
}

/** Packs and encrypts while the stream is read; memory use does not grow with the size. */
export const packArchive = async ({ files, manifestText, recipients }: ArchiveSource): Promise<Archive> => {
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const { readable, controller } = createTarPacker()
  const encrypted = await encrypter.encrypt(readable)
  const add = async (name: string, size: number, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
    const writer = controller.add({ name, size, mode: 0o600, mtime: new Date() }).getWriter()
    for await (const chunk of bytes) await writer.write(chunk)
    await writer.close()
  }
  const pack = async () => {
    const packed: BackupFile[] = []
    for (const { caminho, from } of files) {
      const written = await addFile(from, (size, bytes) => add(caminho, size, bytes))
      if (written) packed.push({ caminho, ...written })
    }
    const manifest = Buffer.from(manifestText(packed))
    await add(manifestName, manifest.length, [manifest])
    controller.finalize()
  }
  const packed = pack().catch((error: unknown) => {
    controller.error(error)
    throw error
  })
  // The error reaches the reader of the stream.
  packed.catch(() => {})
  return { bytes: Readable.from(encrypted, { objectMode: false }), packed }
}

/** The size precedes the bytes: later growth is left out, and a file that shrinks is an error. */
const addFile = async (
  from: string,
  add: (size: number, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Written | undefined> => {
  const file = await open(from).catch(noneIfMissing)
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    const hash = createHash('sha256')
    let bytes = 0
    const measured = async function* () {
      if (size === 0) return
      for await (const chunk of file.createReadStream({ end: size - 1, autoClose: false })) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk as Buffer
      }
      if (bytes !== size) throw new Error(`${from} was changed while it was copied.`)
    }
    await add(size, measured())
    return { bytes, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

interface UnpackOptions {
  /** age identities (`AGE-SECRET-KEY-1…`). */
  identities: string[]
  /** Selects the files to write into the folder; the others are only measured. All by default. */
  isKept?: (path: string) => boolean
}

/**
 * Decrypts and unpacks an archive into a folder.
 * @returns every file of the archive, measured
 * @throws CommandError when it cannot be decrypted, was altered or is truncated
 */
export const unpackArchive = async (
  bytes: Readable,
  folder: string,
  { identities, isKept = () => true }: UnpackOptions,
): Promise<Map<string, Written>> => {
  const found = new Map<string, Written>()
  const entries = (await decrypt(bytes, identities)).pipeThrough(createTarDecoder({ strict: true }))
  try {
    for await (const { header, body } of entries) {
      const { name, type } = header
      if (type !== 'file' || !isInnerPath(name) || found.has(name))
        throw new Error(`unexpected entry ${name}`)
      const { meter, result } = createMeter()
      const source = Readable.from(body, { objectMode: false })
      if (isKept(name)) {
        const target = join(folder, name)
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await pipeline(source, meter, createWriteStream(target, { mode: 0o600, flags: 'wx' }))
      } else await pipeline(source, meter.resume())
      found.set(name, result())
    }
  } catch (cause) {
    if (isOfDisk(cause)) throw cause
    throw new CommandError('A cópia foi alterada ou está incompleta: ela não pode ser restaurada.', { cause })
  }
  return found
}

const decrypt = async (bytes: Readable, identities: string[]): Promise<ReadableStream<Uint8Array>> => {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  try {
    return await decrypter.decrypt(ReadableStream.from(bytes) as ReadableStream<Uint8Array>)
  } catch (cause) {
    bytes.destroy()
    throw new CommandError(
      /no identity matched/.test((cause as Error).message)
        ? 'A chave privada não é a desta cópia: procure a que forma par com a BACKUP_KEY de quando ela foi feita.'
        : 'O arquivo não é uma cópia cifrada do BI Manager, ou está incompleto.',
      { cause },
    )
  }
}

const isOfDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EACCES', 'EROFS', 'EEXIST', 'EDQUOT', 'EIO'].includes((error as { code?: string }).code ?? '')

/** Returns the first file that differs between the manifest and the archive. */
export const findDifference = (manifest: Manifest, found: Map<string, Written>): string | undefined => {
  const listed = [
    ...manifest.tabelas.map(({ arquivo }) => arquivo),
    ...manifest.arquivos,
    ...(manifest.credenciais ?? []),
  ]
  const different = listed.find(({ caminho, bytes, sha256 }) => {
    const one = found.get(caminho)
    return one?.bytes !== bytes || one.sha256 !== sha256
  })
  if (different) return different.caminho
  const known = new Set(listed.map(({ caminho }) => caminho))
  return [...found.keys()].find((name) => !known.has(name) && !unlisted.has(name))
}

const unlisted = new Set([manifestName, 'keys/app-secret.key', 'keys/LEIA-ME.txt'])

import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** Why a file was not read, as a Portuguese sentence. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
  /** Whether the cause may pass within minutes. */
  readonly mayPass: boolean

  constructor(sentence: string, { mayPass = false, cause }: { mayPass?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.mayPass = mayPass
  }
}

/**
 * Reads a plain file below the operator's folder. A symbolic link anywhere below the folder is
 * refused, so that no program that writes in it leads the portal to other files.
 * @param path relative, as `dataPath` of the contract accepts it
 * @throws RefusedFile
 */
export const readSourceFile = async (
  folder: string,
  path: string,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> => {
  const root = await realpath(folder).catch(() => {
    // The folder may be a network's.
    throw new RefusedFile('A pasta de DATA_FILES_DIR não existe ou não pode ser lida.', { mayPass: true })
  })
  const full = join(root, path)
  await assertNoLink(full)
  // Neither a link nor a pipe is opened, even if it appears after the check.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(full, flags).catch((cause: unknown) => {
    throw new RefusedFile('O arquivo não pode ser lido: confira as permissões.', { cause })
  })
  try {
    const before = await file.stat()
    // A folder above it may have been replaced by a link since the check.
    await assertNoLink(full)
    const named = await lstat(full).catch(() => undefined)
    if (!before.isFile()) throw new RefusedFile('O caminho não é de um arquivo comum.')
    if (named?.ino !== before.ino || named.dev !== before.dev)
      throw new RefusedFile(CHANGED, { mayPass: true })
    if (before.size > maxBytes)
      throw new RefusedFile(`O arquivo passa do limite de ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
    const bytes = Buffer.alloc(before.size)
    const { bytesRead } = await file.read(bytes, 0, before.size, 0)
    const after = await file.stat()
    if (bytesRead !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw new RefusedFile(CHANGED, { mayPass: true })
    return bytes
  } finally {
    await file.close()
  }
}

const CHANGED = 'O arquivo mudou durante a leitura: grave-o ao lado, e então o renomeie.'

const assertNoLink = async (full: string): Promise<void> => {
  const real = await realpath(full).catch(() => {
    throw new RefusedFile('O arquivo não existe na pasta de dados.')
  })
  if (real !== full) throw new RefusedFile('O caminho passa por um atalho, o que não é aceito.')
}

import type { Encrypted } from '../../../platform/config/secrets.ts'
import { decryptFile, encryptFile } from '../../../platform/files/encrypted-file.ts'
import { storePendingFile } from '../../../platform/files/pending-files.ts'
import type { Services } from '../../../platform/http/services.ts'

type Needs = Pick<Services, 'db' | 'secrets' | 'files'>

/** A stored file of a run, as its row names it. */
export interface StoredFile {
  arquivo: string
  chave: Encrypted
}

/** The encryption context: a file opens as that of its row only. */
const placeOf = (idArquivo: number): string => `assinatura_arquivo:${idArquivo}`

/** Stores a file, which is pending until `keepPendingFile`. */
export const storeRunFile = async (
  services: Needs,
  idArquivo: number,
  bytes: Buffer,
): Promise<StoredFile> => {
  const { encrypted, key } = encryptFile(bytes, placeOf(idArquivo))
  const arquivo = await storePendingFile(services, encrypted)
  return { arquivo, chave: services.secrets.encrypt(key) }
}

/** @returns undefined when the file is gone */
export const readRunFile = async (
  { secrets, files }: Pick<Needs, 'secrets' | 'files'>,
  idArquivo: number,
  { arquivo, chave }: StoredFile,
): Promise<Buffer | undefined> => {
  const encrypted = await files.get(arquivo)
  return encrypted && decryptFile(encrypted, secrets.decrypt(chave), placeOf(idArquivo))
}

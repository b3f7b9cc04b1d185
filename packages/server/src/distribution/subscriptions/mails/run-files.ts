import { randomUUID } from 'node:crypto'
import type { Encrypted } from '../../../platform/config/secrets.ts'
import { databaseNow } from '../../../platform/db/database-clock.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { hasChanged } from '../../../platform/db/queries/outcomes.ts'
import { decryptFile, encryptFile } from '../../../platform/files/encrypted-file.ts'
import type { Services } from '../../../platform/http/services.ts'

type Needs = Pick<Services, 'db' | 'secrets' | 'files'>

/** A stored file of a run, as its row names it. */
export interface StoredFile {
  arquivo: string
  chave: Encrypted
}

/** The encryption context: a file opens as that of its row only. */
const placeOf = (idArquivo: number): string => `assinatura_arquivo:${idArquivo}`

/**
 * Stores a file, after its name in the database: until `keepRunFile`, it is found and deleted with
 * the files of unfinished uploads.
 */
export const storeRunFile = async (
  { db, secrets, files }: Needs,
  idArquivo: number,
  bytes: Buffer,
): Promise<StoredFile> => {
  const arquivo = randomUUID()
  const { encrypted, key } = encryptFile(bytes, placeOf(idArquivo))
  await db.insertInto('arquivoPendente').values({ arquivo, criadoEm: databaseNow }).execute()
  await files.put(arquivo, encrypted)
  return { arquivo, chave: secrets.encrypt(key) }
}

/** Keeps a stored file from being deleted as unfinished. @returns false when it may be deleted already */
export const keepRunFile = (tx: Db, { arquivo }: StoredFile): Promise<boolean> =>
  hasChanged(tx.deleteFrom('arquivoPendente').where('arquivo', '=', arquivo))

/** @returns undefined when the file is gone */
export const readRunFile = async (
  { secrets, files }: Pick<Needs, 'secrets' | 'files'>,
  idArquivo: number,
  { arquivo, chave }: StoredFile,
): Promise<Buffer | undefined> => {
  const encrypted = await files.get(arquivo)
  return encrypted && decryptFile(encrypted, secrets.decrypt(chave), placeOf(idArquivo))
}

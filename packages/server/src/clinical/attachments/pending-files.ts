import { randomUUID } from 'node:crypto'
import type { Encrypted } from '../../platform/config/secrets.ts'
import { databaseNow, fromNow } from '../../platform/db/database-clock.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import { encryptFile } from '../../platform/files/encrypted-file.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { fileContext, fileKeyContext } from '../health-data/encryption-contexts.ts'

/** What an attachment's row stores about its file. */
interface UploadedFile {
  arquivo: string
  chaveArquivo: Encrypted
}

/** Milliseconds after which `keepUploadedFile` refuses a pending file. */
const KEPT_WITHIN = 5 * 60_000
/** Milliseconds after which it is deleted: later, because the transaction that keeps it takes a while. */
const LEFT_AFTER = 10 * 60_000

/**
 * Stores a file, after its name in the database: until `keepUploadedFile`, the file can be found and
 * deleted. When the store fails, the name stays, because the file may have arrived.
 * @param of the attachment to be, with its id from the sequence
 */
export const storeUploadedFile = async (
  { db, secrets, files }: Pick<Services, 'db' | 'secrets' | 'files'>,
  bytes: Buffer,
  of: { id: number; beneficiario: number | null },
): Promise<UploadedFile> => {
  const arquivo = randomUUID()
  const { encrypted, key } = encryptFile(bytes, fileContext(of))
  await db.insertInto('arquivoPendente').values({ arquivo, criadoEm: databaseNow }).execute()
  await files.put(arquivo, encrypted)
  return { arquivo, chaveArquivo: secrets.encrypt(key, fileKeyContext({ ...of, arquivo })) }
}

/**
 * Makes the file an attachment's, in the transaction that inserts it.
 * @throws Problem when the upload took so long that the file may already be deleted
 */
export const keepUploadedFile = async (tx: Db, { arquivo }: UploadedFile): Promise<void> => {
  const deletion = tx
    .deleteFrom('arquivoPendente')
    .where('arquivo', '=', arquivo)
    .where('criadoEm', '>', fromNow(-KEPT_WITHIN))
  if (!(await hasChanged(deletion))) throw new Problem('armazenamento_indisponivel')
}

/** Returns all pending files: at start-up, without another writer, they are leftovers. */
export const pendingFiles = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('arquivoPendente').select('arquivo').execute()
  return rows.map(({ arquivo }) => arquivo)
}

/** Returns the names of pending files that belong to no running upload. */
export const leftFiles = async (db: Db): Promise<string[]> => {
  const pending = db.selectFrom('arquivoPendente').select('arquivo')
  const rows = await pending.where('criadoEm', '<', fromNow(-LEFT_AFTER)).execute()
  return rows.map(({ arquivo }) => arquivo)
}

/** Deletes the file before its name, so that a failure can be repeated. */
export const deletePendingFile = async (db: Db, files: FileStore, arquivo: string): Promise<void> => {
  await files.delete(arquivo)
  await db.deleteFrom('arquivoPendente').where('arquivo', '=', arquivo).execute()
}

import { randomUUID } from 'node:crypto'
import { databaseNow, fromNow } from '../db/database-clock.ts'
import type { Db } from '../db/open-database.ts'
import { hasChanged } from '../db/queries/outcomes.ts'
import { Problem } from '../lib/problem.ts'
import type { FileStore } from './file-store.ts'

/*
 * A stored file is pending until the transaction that inserts the row it belongs to. A pending file whose
 * process died is deleted (clinical/attachments/tidy-files.job.ts).
 */

/** Milliseconds after which `keepPendingFile` refuses a file. */
const KEPT_WITHIN = 5 * 60_000
/** Milliseconds after which it is deleted: later, because the transaction that keeps it takes a while. */
const LEFT_AFTER = 10 * 60_000

/**
 * Stores a file, after its name in the database: until `keepPendingFile`, it can be found and deleted.
 * When the store fails, the name stays, because the file may have arrived.
 * @param encrypted the file as it is stored
 * @returns its name
 */
export const storePendingFile = async (
  { db, files }: { db: Db; files: FileStore },
  encrypted: Buffer,
): Promise<string> => {
  const arquivo = randomUUID()
  await db.insertInto('arquivoPendente').values({ arquivo, criadoEm: databaseNow }).execute()
  await files.put(arquivo, encrypted)
  return arquivo
}

/**
 * Keeps a file, in the transaction that inserts or changes the row it belongs to.
 * @throws Problem when storing it took so long that it may already be deleted
 */
export const keepPendingFile = async (tx: Db, arquivo: string): Promise<void> => {
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

/** Returns the names of pending files that no running process will keep. */
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

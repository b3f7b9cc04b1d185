import { randomUUID } from 'node:crypto'
import { fileKeyPlace, filePlace } from '../clinical/places.ts'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { Problem } from '../problem.ts'
import type { Sealed } from '../secrets.ts'
import type { FileStore } from './file-store.ts'
import { sealFile } from './sealed-file.ts'

/** What a row keeps of its file. */
export interface KeptFile {
  arquivo: string
  chaveArquivo: Sealed
}

/** Milliseconds from which on nobody claims a pending file any more. */
const CLAIMED_WITHIN = 5 * 60_000
/** Milliseconds after which it is deleted: later than that, so that two machines' clocks may differ. */
const LEFT_AFTER = 10 * 60_000

/**
 * Puts a file into the store, its name in the database before it: whatever happens until `claimFile`, the file is found and
 * deleted. Where the store fails, the name stays behind: the file may yet arrive.
 * @param of the attachment that it is to be, by a number that was drawn for it
 */
export const keepFile = async (
  { db, secrets, files, now }: Pick<Services, 'db' | 'secrets' | 'files' | 'now'>,
  bytes: Buffer,
  of: { id: number; beneficiario: number | null },
): Promise<KeptFile> => {
  const arquivo = randomUUID()
  const { sealed, key } = sealFile(bytes, filePlace(of))
  await db.insertInto('arquivoPendente').values({ arquivo, criadoEm: now() }).execute()
  await files.put(arquivo, sealed)
  return { arquivo, chaveArquivo: secrets.seal(key, fileKeyPlace({ ...of, arquivo })) }
}

/** In the transaction that makes it somebody's. @throws Problem where the file took so long that it may be deleted already */
export const claimFile = async (tx: Db, { arquivo }: KeptFile, now: Date): Promise<void> => {
  const claimed = await tx
    .deleteFrom('arquivoPendente')
    .where('arquivo', '=', arquivo)
    .where('criadoEm', '>', new Date(now.getTime() - CLAIMED_WITHIN))
    .returning('arquivo')
    .executeTakeFirst()
  if (!claimed) throw new Problem('armazenamento_indisponivel')
}

/** The names of all files that were on their way: at a start, where no other process writes, all of them are left over. */
export const pendingFiles = async (db: Db, before?: Date): Promise<string[]> => {
  const pending = db.selectFrom('arquivoPendente').select('arquivo')
  const rows = await (before ? pending.where('criadoEm', '<', before) : pending).execute()
  return rows.map(({ arquivo }) => arquivo)
}

export const leftBefore = (now: Date): Date => new Date(now.getTime() - LEFT_AFTER)

/** The file first: as long as its name is known, it can be deleted once more. */
export const discardFile = async (db: Db, files: FileStore, arquivo: string): Promise<void> => {
  await files.delete(arquivo)
  await db.deleteFrom('arquivoPendente').where('arquivo', '=', arquivo).execute()
}

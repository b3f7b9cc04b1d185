import type { Readable } from 'node:stream'
import { CommandError } from '../../../platform/commands/command.ts'
import type { Secrets } from '../../../platform/config/secrets.ts'
import { migrate } from '../../../platform/db/migrations/migrate.ts'
import { openDatabase } from '../../../platform/db/open-database.ts'
import { assertKeysDecrypt } from '../../keys/encrypted-columns.ts'
import { loadTables } from '../contents/load-tables.ts'
import { readManifest } from '../contents/manifest.ts'
import { findDifference, unpackArchive } from './backup-archive.ts'

interface Verification {
  /** An identity that opens the copy. */
  identity: string
  secrets: Secrets
  /** An empty folder for the scratch database. */
  folder: string
}

/**
 * Restores a copy into a scratch database: decrypts it, checks the manifest's seal and every
 * SHA-256, loads and counts the tables, migrates, and checks that the installation's keys open the
 * encrypted values. Files of DATA_DIR are checked without being written.
 * @throws CommandError naming the difference, or the error of the scratch database
 */
export const verifyBackup = async (
  bytes: Readable,
  { identity, secrets, folder }: Verification,
): Promise<void> => {
  const found = await unpackArchive(bytes, folder, {
    identities: [identity],
    isKept: (path) => !path.startsWith('files/'),
  })
  const { manifest, isSealedBy } = readManifest(folder)
  if (!isSealedBy(secrets)) throw new CommandError('O selo do manifesto não é das chaves desta instalação.')
  const different = findDifference(manifest, found)
  if (different) throw new CommandError(`O arquivo ${different} não é o que o manifesto diz.`)
  // Always embedded: both databases accept the same statements.
  const db = await openDatabase({ dataDir: folder, databaseUrl: undefined, onError: () => {} })
  try {
    await migrate(db, { upTo: manifest.migracoes.at(-1) ?? '' })
    await db.transaction().execute((tx) => loadTables(tx, folder, manifest))
    await migrate(db)
    await assertKeysDecrypt(db, secrets)
  } finally {
    await db.destroy()
  }
}

import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { CommandError } from '../../../platform/commands/command.ts'
import { findExpired } from '../../../platform/config/backup-retention.ts'
import type { BackupSettings } from '../../../platform/config/backup-settings.ts'
import type { Config } from '../../../platform/config/config.ts'
import { loadSecrets } from '../../../platform/config/secrets.ts'
import { migrationNames } from '../../../platform/db/migrations/migrate.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { assertKeyFile } from '../../keys/assert-key-file.ts'
import { assertKeysDecrypt } from '../../keys/encrypted-columns.ts'
import { assertFree, verificationFailure } from '../contents/backup-failure.ts'
import { listDataFiles } from '../contents/data-files.ts'
import type { Manifest } from '../contents/manifest.ts'
import { appliedMigrations } from '../contents/schema.ts'
import { copyDatabase, copyKeys, copyReports, describeMissing, manifestOf } from '../contents/write-backup.ts'
import { type BackupTarget, momentOf } from '../targets/backup-target.ts'
import { createMeter } from '../targets/meter.ts'
import { openTarget } from '../targets/open-target.ts'
import { packArchive } from './backup-archive.ts'
import { verifyBackup } from './verify-backup.ts'

export interface BackupJob {
  config: Pick<Config, 'appSecret' | 'dataDir' | 'databaseUrl' | 'localServiceFile' | 's3' | 'bi'> & {
    backup: BackupSettings
  }
  /** Name of the backup (`nameOf`). */
  name: string
  /** An empty folder on the disk of DATA_DIR, which the caller deletes. */
  workFolder: string
}

export interface MadeBackup {
  bytes: number
  sha256: string
  verified: boolean
  /** A Portuguese sentence for the operator. */
  notice: string | null
  /** The sentence about a local report service that could not be read; the copy has the rest. */
  incomplete: string | null
  criadaEm: string
  tabelas: Manifest['tabelas']
  relatorios: Manifest['relatorios']
}

/**
 * Makes an encrypted backup of a migrated database in the target, and deletes backups that the
 * retention rule no longer keeps, unless the new one is incomplete. The written bytes are read back;
 * with `verify` they are decrypted with a temporary key and restored. After a failure the target has
 * nothing that looks like a backup.
 */
export const makeBackup = async (db: Db, { config, name, workFolder }: BackupJob): Promise<MadeBackup> => {
  const { backup, dataDir } = config
  const verify = backup.verify && (await isKnownSchema(db))
  await assertKeyFile(db, config)
  const secrets = loadSecrets(config.appSecret, dataDir)
  await assertKeysDecrypt(db, secrets)
  const staged = join(workFolder, 'copy')
  mkdirSync(staged, { recursive: true, mode: 0o700 })
  const database = await copyDatabase(db, config, staged)
  const { reports, notice, incomplete } = await copyReports(db, config, { secrets, folder: staged })
  await copyKeys(config, staged)
  const target = openTarget(backup.place)
  const free = await target.freeBytes()
  // The portal learns only now how large the reports are.
  const reportBytes = reports.arquivos.reduce((sum, { bytes }) => sum + bytes, 0)
  if (free !== undefined) assertFree(target.place, reportBytes, free)
  // The private key exists only in this process.
  const identity = await generateX25519Identity()
  const ofThisRun = verify ? [await identityToRecipient(identity)] : []
  let manifest: Manifest | undefined
  const { bytes, packed } = await packArchive({
    files: [
      ...listDataFiles(staged, ['tables', 'keys', 'files']).map((caminho) => ({
        caminho,
        from: join(staged, caminho),
      })),
      ...listDataFiles(dataDir).map((path) => ({ caminho: `files/${path}`, from: join(dataDir, path) })),
    ],
    manifestText: (files) => {
      const arquivos = files.filter(({ caminho }) => caminho.startsWith('files/'))
      manifest = manifestOf(config, secrets, { ...database, ...reports, arquivos })
      return JSON.stringify(manifest)
    },
    recipients: [...backup.recipients, ...ofThisRun],
  })
  try {
    const written = await target.write(name, bytes)
    await packed
    await readBack(target, name, written.sha256, async (read) => {
      if (!verify) return drain(read)
      const folder = mkdtempSync(join(workFolder, 'verification-'))
      await verifyBackup(Readable.from(read, { objectMode: false }), { identity, secrets, folder })
    }).catch((error: unknown) => {
      throw verificationFailure(error)
    })
    await target.commit(name)
    const notices = [
      notice,
      manifest && describeMissing(config, database.attachments, manifest),
      backup.verify && !verify && NEWER_SCHEMA,
      incomplete ? undefined : await removeExpired(target, database.instalacao, backup),
    ]
    return {
      ...written,
      verified: verify,
      notice: notices.filter(Boolean).join(' ') || null,
      incomplete: incomplete ?? null,
      criadaEm: database.criadaEm,
      tabelas: database.tabelas,
      relatorios: reports.relatorios,
    }
  } catch (error) {
    await target.remove(name).catch(() => {})
    throw error
  }
}

/** The program may run on a newer schema, but cannot create it for the verification. */
const isKnownSchema = async (db: Db): Promise<boolean> => {
  const known = await migrationNames()
  return (await appliedMigrations(db)).every((name) => known.includes(name))
}

const NEWER_SCHEMA =
  'A cópia foi lida de volta, mas não restaurada: uma versão mais nova do BI Manager já usou o banco de dados.'

const readBack = async (
  target: BackupTarget,
  name: string,
  sha256: string,
  use: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> => {
  const { meter, result } = createMeter()
  await pipeline(await target.read(name), meter, use)
  if (result().sha256 !== sha256)
    throw new CommandError(`${target.place} devolve outra coisa do que foi escrito.`)
}

const drain = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
  for await (const _ of bytes);
}

/** Deletes expired backups. Returns a sentence on failure, as the new backup is good anyway. */
const removeExpired = async (
  target: BackupTarget,
  installation: string,
  { keep, timeZone }: BackupSettings,
): Promise<string | undefined> => {
  try {
    const backups = (await target.list()).flatMap((name) => {
      const at = momentOf(installation, name)
      return at ? [{ name, at }] : []
    })
    for (const { name } of findExpired(backups, keep, timeZone)) await target.remove(name)
    return undefined
  } catch (error) {
    return `As cópias vencidas não foram apagadas: ${(error as Error).message}`
  }
}

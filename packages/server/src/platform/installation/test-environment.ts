import type { Selectable } from 'kysely'
import type { AuditEvent, WriteAudit } from '../audit/write-audit.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { bucketOf } from '../config/s3-settings.ts'
import type { Db } from '../db/open-database.ts'
import type { Tables, TestRestore } from '../db/types.ts'
import { Problem } from '../lib/problem.ts'
import { readDataFolderMark, writeDataFolderMark } from './data-folder-mark.ts'

/*
 * A restored backup is a test environment until an operator releases it as production: it sends no
 * e-mail and makes no backup. The state is in the database, so that every process sees it.
 */

/** `ensaio` is null in production. */
type Installation = Pick<Selectable<Tables['instalacao']>, 'id' | 'ensaio'>

export const readInstallation = (db: Db): Promise<Installation> =>
  db.selectFrom('instalacao').select(['id', 'ensaio']).executeTakeFirstOrThrow()

/** Makes the environment a test, or production with null. The caller records it in the audit. */
export const setTestRestore = async (db: Db, ensaio: TestRestore | null): Promise<void> => {
  await db
    .updateTable('instalacao')
    .set({ ensaio: ensaio && JSON.stringify(ensaio) })
    .execute()
}

/**
 * Refuses what would change production's BI services: a test restore knows their credentials.
 * @throws Problem `ambiente_de_ensaio`
 */
export const assertProduction = async (db: Db): Promise<void> => {
  if ((await readInstallation(db)).ensaio) throw new Problem('ambiente_de_ensaio')
}

type Place = Pick<Config, 'dataDir' | 's3'>

/**
 * Refuses a test environment that uses production's files, and marks the data folder.
 * @throws ConfigError naming the setting to change
 */
export const assertOwnFiles = async (db: Db, { dataDir, s3 }: Place): Promise<Installation> => {
  const installation = await readInstallation(db)
  const { id, ensaio } = installation
  const mark = readDataFolderMark(dataDir)
  if (ensaio && mark?.instalacao === id && !mark.ensaio) {
    throw new ConfigError(
      `Configuração inválida: DATA_DIR (${dataDir}) é a pasta da produção, e este banco é um ensaio de restauração: use outra pasta. ${RELEASE_HINT}`,
    )
  }
  if (ensaio?.bucket && ensaio.bucket === bucketOf(s3)) {
    throw new ConfigError(
      `Configuração inválida: S3_BUCKET é o da produção, e este banco é um ensaio de restauração: use outro bucket. ${RELEASE_HINT}`,
    )
  }
  await markDataFolder(db, { dataDir })
  return installation
}

/** Marks the data folder as production's, or as a test's. */
export const markDataFolder = async (db: Db, { dataDir }: Pick<Config, 'dataDir'>): Promise<void> => {
  const { id, ensaio } = await readInstallation(db)
  writeDataFolderMark(dataDir, { instalacao: id, ensaio: ensaio !== null })
}

export const RELEASE_HINT = 'Se este passou a ser o ambiente de produção, rode npm run restore -- --release.'

/**
 * Turns a test environment into production and records who did so; from then on e-mails are sent
 * and backups made.
 * @returns whether it was a test environment
 */
export const releaseEnvironment = async (
  tx: Db,
  writeAudit: WriteAudit,
  by: Pick<AuditEvent, 'idUsuario' | 'request'>,
): Promise<boolean> => {
  const installation = await tx
    .selectFrom('instalacao')
    .select('ensaio')
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!installation.ensaio) return false
  await tx.updateTable('instalacao').set({ ensaio: null }).execute()
  const { copiaDe, restauradaEm } = installation.ensaio
  await writeAudit(tx, { action: 'environment.released', ...by, details: { copiaDe, restauradaEm } })
  return true
}

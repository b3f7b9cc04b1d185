import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { createAuditWriter } from '../../../platform/audit/write-audit.ts'
import { CommandError, withDatabase } from '../../../platform/commands/command.ts'
import type { Config } from '../../../platform/config/config.ts'
import { keyFileOf } from '../../../platform/config/key-file.ts'
import { bucketOf } from '../../../platform/config/s3-settings.ts'
import { loadSecrets, type Secrets, secretsFromFile, secretsOf } from '../../../platform/config/secrets.ts'
import { migrate, migrationNames } from '../../../platform/db/migrations/migrate.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import type { TestRestore } from '../../../platform/db/types.ts'
import { readDataFolderMark } from '../../../platform/installation/data-folder-mark.ts'
import {
  markDataFolder,
  RELEASE_HINT,
  setTestRestore,
} from '../../../platform/installation/test-environment.ts'
import { countText } from '../../../platform/lib/count-text.ts'
import { copyFile, copyValidated, isWhole, serviceCredentials } from '../contents/data-files.ts'
import { loadTables } from '../contents/load-tables.ts'
import { type BackupFile, type Manifest, readManifest } from '../contents/manifest.ts'
import { countReports, reportsText } from '../contents/report-files.ts'
import { appliedMigrations, readDatabaseId, tablesInUse } from '../contents/schema.ts'
import { dropUnfinishedRuns } from '../runs/backup-runs.ts'

type Tell = (sentence: string) => void
type RestoreConfig = Pick<Config, 'appSecret' | 'dataDir' | 'databaseUrl'> & Partial<Pick<Config, 's3'>>

/** A copy in a folder, and how it is trusted. */
export interface CopyOptions {
  folder: string
  /** Where the keys were moved to; by default they are still in the backup. */
  keysFolder?: string | undefined
  /** Trusts the folder without proof: no seal (earlier versions), or keys inside the folder. */
  trustFolder?: boolean | undefined
  /** Where the operator's copy is, for messages; by default the folder. */
  origin?: string | undefined
}

interface RestoreOptions extends CopyOptions {
  /** Leaves out the report service, which is restored where it runs (restore-reports.ts). */
  withoutReports?: boolean | undefined
  /**
   * Restores as production. Otherwise the restore is a test: it refuses the places of the source
   * installation, and holds e-mails back.
   */
  production?: boolean | undefined
}

/**
 * Restores a backup into an empty database of either kind. It checks the whole copy first, then
 * loads it in one transaction, so an interrupted restore can be run again. Open sessions end,
 * because later revocations are unknown.
 * @param tell receives one Portuguese sentence per call
 * @throws CommandError when it cannot be restored here
 */
export const restoreBackup = async (
  config: RestoreConfig,
  options: RestoreOptions,
  tell: Tell,
): Promise<void> => {
  // Checked before a database is created, so that a refused restore leaves no files.
  const copy = await checkCopy(config, options)
  return withDatabase(config, tell, (db) => loadCopy(db, config, copy, tell))
}

/** Does the same with an open database. */
export const restoreInto = async (
  db: Db,
  config: RestoreConfig,
  options: RestoreOptions,
  tell: Tell,
): Promise<void> => loadCopy(db, config, await checkCopy(config, options), tell)

interface CheckedCopy {
  folder: string
  manifest: Manifest
  credentials: Credentials | undefined
  keysFolder: string
  secrets: Secrets
  production: boolean
  withoutReports: boolean
}

/**
 * Reads the manifest of a copy, and checks that these keys sealed it.
 * @throws CommandError
 */
export const proveCopy = (
  config: Pick<RestoreConfig, 'appSecret' | 'dataDir'>,
  { folder, keysFolder = join(folder, 'keys'), trustFolder = false, origin = folder }: CopyOptions,
): { manifest: Manifest; secrets: Secrets; keysFolder: string } => {
  const { manifest, isSealedBy } = readManifest(folder)
  const { secrets, isFromCopy } = keysAtHand(config, folder, keysFolder)
  assertKeys(secrets, manifest)
  assertSealed(isSealedBy(secrets), { origin, isFromCopy, trustFolder })
  return { manifest, secrets, keysFolder }
}

/**
 * @throws CommandError when the copy is incomplete, not sealed by these keys, or does not fit into
 * the data folder
 */
const checkCopy = async (config: RestoreConfig, options: RestoreOptions): Promise<CheckedCopy> => {
  const { folder, production = false, withoutReports = false } = options
  await assertKnownSchema(readManifest(folder).manifest)
  const { manifest, secrets, keysFolder } = proveCopy(config, options)
  if (!production) assertOtherFiles(config, manifest)
  const arquivos = manifest.arquivos.filter(({ caminho }) => !withoutReports || !isOfReports(caminho))
  await assertWhole(folder, [...manifest.tabelas.map(({ arquivo }) => arquivo), ...arquivos])
  await assertFilesFit(config.dataDir, arquivos)
  const place = { folder, keysFolder, target: join(config.dataDir, serviceCredentials) }
  const credentials = withoutReports ? undefined : await findCredentials(manifest, place)
  return {
    folder,
    keysFolder,
    secrets,
    production,
    withoutReports,
    credentials,
    manifest: { ...manifest, arquivos },
  }
}

export const isOfReports = (caminho: string): boolean => caminho.startsWith('files/reports/')

const loadCopy = async (
  db: Db,
  config: RestoreConfig,
  { folder, keysFolder, manifest, credentials, secrets, production, withoutReports }: CheckedCopy,
  tell: Tell,
): Promise<void> => {
  const { dataDir } = config
  if (!production) await assertOtherDatabase(db, config, manifest)
  await assertEmpty(db, manifest)
  await restoreKeys(config, keysFolder)
  if (credentials) await copyCredentials(credentials, join(dataDir, serviceCredentials))
  await migrate(db, { upTo: manifest.migracoes.at(-1) ?? '' })
  for (const file of manifest.arquivos) {
    const target = join(dataDir, pathInData(file.caminho))
    if (!existsSync(target)) await copyValidated(join(folder, file.caminho), target, file)
  }
  const ensaio = production ? null : testRestoreOf(manifest)
  await db.transaction().execute(async (tx) => {
    await loadTables(tx, folder, manifest)
    // Schemas before 0023 lack this table; that migration holds their e-mails back.
    if (manifest.tabelas.some(({ nome }) => nome === 'instalacao')) await setTestRestore(tx, ensaio)
  })
  await migrate(db)
  await setTestRestore(db, ensaio)
  // The run that made the copy would count as interrupted.
  await dropUnfinishedRuns(db)
  await markDataFolder(db, config)
  const linhas = manifest.tabelas.reduce((sum, table) => sum + table.linhas, 0)
  await createAuditWriter(secrets, () => new Date())(db, {
    action: 'backup.restored',
    idUsuario: null,
    details: { criadaEm: manifest.criadaEm, linhas, ensaio: !production },
  })
  tell(
    `Cópia de ${manifest.criadaEm} restaurada: ${countText(linhas, 'linha', 'linhas')} e ${countText(manifest.arquivos.length, 'arquivo', 'arquivos')}, conferidos.`,
  )
  for (const sentence of reportSentences(manifest, dataDir, withoutReports)) tell(sentence)
  if (config.s3) {
    tell(`Os arquivos dos anexos não vêm da cópia: o portal os lê do bucket ${config.s3.bucket}.`)
  }
  tell('As sessões que estavam abertas foram encerradas: todos entram de novo.')
  if (!production) {
    tell(
      `Este é um ambiente de ensaio: nenhum e-mail é enviado e nenhuma cópia agendada é feita. ${RELEASE_HINT}`,
    )
  }
}

/** What the operator must know of the report service. */
const reportSentences = (
  { relatorios, arquivos }: Manifest,
  dataDir: string,
  withoutReports: boolean,
): string[] => {
  const elsewhere = 'restaure-o na pasta dele, com --reports <pasta>'
  if (relatorios === null) {
    return [
      'A cópia não tem os relatórios publicados: o serviço de relatórios não pôde ser lido. Use outra cópia.',
    ]
  }
  if (withoutReports) return [`O serviço de relatórios não foi restaurado: ${elsewhere}.`]
  const counts = countReports(arquivos.map(({ caminho }) => caminho))
  if (counts.relatorios + counts.conjuntos === 0) return []
  return [
    `O serviço de relatórios está em ${join(dataDir, 'reports')}: ${reportsText(counts)}. Se ele roda em outra pasta ou máquina, ${elsewhere}.`,
  ]
}

const testRestoreOf = ({ criadaEm, origem }: Manifest): TestRestore => ({
  restauradaEm: new Date().toISOString(),
  copiaDe: criadaEm,
  bucket: origem?.bucket ?? null,
})

const IF_PRODUCTION = 'Se é a produção que você está recuperando, rode de novo com --production.'

/** @throws CommandError when data folder or bucket are those of the source installation */
const assertOtherFiles = ({ dataDir, s3 }: RestoreConfig, { origem }: Manifest): void => {
  if (!origem) return
  const mark = readDataFolderMark(dataDir)
  if (mark?.instalacao === origem.instalacao && !mark.ensaio) {
    throw new CommandError(
      `A pasta ${dataDir} é a da instalação de onde a cópia veio: um ensaio vai em outra, em DATA_DIR. ${IF_PRODUCTION}`,
    )
  }
  if (origem.bucket !== null && origem.bucket === bucketOf(s3)) {
    throw new CommandError(
      `O bucket ${s3?.bucket} é o da instalação de onde a cópia veio: um ensaio usa outro, em S3_BUCKET. ${IF_PRODUCTION}`,
    )
  }
}

/** @throws CommandError when the database is the source database, whatever its address */
const assertOtherDatabase = async (db: Db, config: RestoreConfig, { origem }: Manifest): Promise<void> => {
  if (!origem || (await readDatabaseId(db, config)) !== origem.banco) return
  throw new CommandError(
    `Este banco de dados é o da instalação de onde a cópia veio: um ensaio vai em outro, em DATABASE_URL. ${IF_PRODUCTION}`,
  )
}

const pathInData = (caminho: string): string => caminho.replace(/^files\//, '')

const assertKnownSchema = async ({ migracoes, programa }: Manifest): Promise<void> => {
  const known = await migrationNames()
  const unknown = migracoes.find((name) => !known.includes(name))
  if (unknown) {
    throw new CommandError(
      `A cópia é de uma versão mais nova do BI Manager (${programa}, ${unknown}): atualize o programa antes de restaurar.`,
    )
  }
}

/** @throws CommandError naming a file that is missing or was changed */
export const assertWhole = async (folder: string, files: BackupFile[]): Promise<void> => {
  for (const file of files) {
    if (await isWhole(folder, file)) continue
    throw new CommandError(
      `O arquivo ${file.caminho} da cópia falta ou foi alterado: ela não pode ser restaurada.`,
    )
  }
}

const assertEmpty = async (db: Db, { migracoes }: Manifest): Promise<void> => {
  const used = await tablesInUse(db)
  if (used.length > 0) {
    throw new CommandError(
      `O banco de dados não está vazio (${used.slice(0, 3).join(', ')}${used.length > 3 ? ' …' : ''}): restaure em um banco novo.`,
    )
  }
  // Not one that the copy merely lacks: an interrupted restore has completed the gaps.
  const newest = migracoes.at(-1) ?? ''
  const newer = (await appliedMigrations(db)).some((name) => name > newest)
  if (newer)
    throw new CommandError('O banco de dados já tem tabelas mais novas que a cópia: use um banco novo.')
}

/** Existing files must equal those of the backup: an interrupted restore has left them. */
const assertFilesFit = async (dataDir: string, arquivos: BackupFile[]): Promise<void> => {
  for (const file of arquivos) {
    const path = pathInData(file.caminho)
    if (!existsSync(join(dataDir, path)) || (await isWhole(dataDir, { ...file, caminho: path }))) continue
    throw new CommandError(`Já existe outro arquivo ${path} em ${dataDir}: restaure em uma pasta nova.`)
  }
}

/** @throws CommandError when there are no keys */
const keysAtHand = (
  { appSecret, dataDir }: Pick<RestoreConfig, 'appSecret' | 'dataDir'>,
  folder: string,
  keysFolder: string,
) => {
  if (appSecret) return { secrets: secretsOf(appSecret), isFromCopy: false }
  if (existsSync(keyFileOf(dataDir))) return { secrets: loadSecrets(undefined, dataDir), isFromCopy: false }
  const keyFile = keyFileOf(keysFolder)
  if (existsSync(keyFile)) {
    return { secrets: secretsFromFile(keyFile), isFromCopy: isWithin(folder, keyFile) }
  }
  throw new CommandError(
    `Faltam as chaves: não há app-secret.key em ${keysFolder}. Diga onde estão com --keys <pasta>, ou dê a chave em APP_SECRET.`,
  )
}

/** Also resolves links: one out of the folder does not prove the operator's choice. */
const isWithin = (folder: string, file: string): boolean =>
  [relative(folder, file), relative(realpathSync(folder), realpathSync(file))].some(
    (path) => !/^\.\.(\/|$)/.test(path),
  )

/** The operator's key must have sealed it, so that write access to the folder forges no copy. */
const assertSealed = (
  isTrue: boolean | undefined,
  { origin, isFromCopy, trustFolder }: { origin: string; isFromCopy: boolean; trustFolder: boolean },
): void => {
  const trusting = `Se você confia em todos que podem escrever em ${origin}, rode de novo com --trust-folder.`
  if (isTrue === false) {
    throw new CommandError(
      'O manifesto da cópia foi alterado, ou não foi feito por esta instalação: ela não pode ser restaurada.',
    )
  }
  if (trustFolder) return
  if (isTrue === undefined) {
    throw new CommandError(
      `A cópia não tem selo: foi feita por uma versão anterior, ou alguém o tirou. ${trusting}`,
    )
  }
  if (isFromCopy) {
    throw new CommandError(
      `As chaves estão na própria cópia e não provam quem a fez: dê as que você guardou à parte, com --keys <pasta> ou em APP_SECRET. ${trusting}`,
    )
  }
}

/** The report service's credentials in a copy. */
interface Credentials {
  path: string
  /** What the manifest says of them; undefined where it names no credentials (earlier versions). */
  file: BackupFile | undefined
}

/**
 * Finds the credentials, which the operator may have taken out of the copy with the keys; undefined
 * when there are none, or when the target has them already.
 * @throws CommandError when they are not those of the copy, or the target has others
 */
export const findCredentials = async (
  { credenciais }: Manifest,
  { folder, keysFolder, target }: { folder: string; keysFolder: string; target: string | undefined },
): Promise<Credentials | undefined> => {
  const file = credenciais?.find(({ caminho }) => caminho === `keys/${serviceCredentials}`)
  // In the copy itself, only the sealed manifest proves them.
  const places = [keysFolder, ...(file ? [join(folder, 'keys')] : [])]
  const path = places.map((place) => join(place, serviceCredentials)).find((one) => existsSync(one))
  const isTheCopys = (one: string) =>
    !credenciais || (file && isWhole(dirname(one), { ...file, caminho: basename(one) }))
  if (target && existsSync(target)) {
    if (!file || (await isTheCopys(target))) return undefined
    throw new CommandError(
      `Já existe outro ${target}, de um serviço de relatórios que já iniciou: pare-o e restaure-o com --reports ${dirname(target)} --replace; aqui, use --without-reports.`,
    )
  }
  // A copy without credentials needs none; those of another copy may be kept with the keys.
  if (!path || (credenciais && !file)) return undefined
  if (await isTheCopys(path)) return { path, file }
  throw new CommandError(
    `O arquivo ${serviceCredentials} em ${dirname(dirname(path))} não é o da cópia: ela não pode ser restaurada.`,
  )
}

export const copyCredentials = async ({ path, file }: Credentials, target: string): Promise<void> => {
  await (file ? copyValidated(path, target, file) : copyFile(path, target))
}

const restoreKeys = async ({ appSecret, dataDir }: RestoreConfig, keysFolder: string): Promise<void> => {
  const keyFile = keyFileOf(dataDir)
  if (!appSecret && !existsSync(keyFile)) await copyFile(keyFileOf(keysFolder), keyFile)
}

/** The oldest key must be the same, because digests depend on it. */
const assertKeys = ({ encryptionKeyIds }: Secrets, { chaves }: Manifest): void => {
  const lost = chaves.ids.filter((id) => !encryptionKeyIds.includes(id))
  const isOldest = encryptionKeyIds.at(-1) === chaves.ids.at(-1)
  if (lost.length === 0 && isOldest) return
  throw new CommandError(
    lost.length > 0
      ? `As chaves daqui não são as da cópia: falta ${lost.join(', ')}. Dê as mesmas, em APP_SECRET e APP_SECRET_PREVIOUS ou no arquivo app-secret.key.`
      : 'A chave mais antiga daqui não é a da cópia: ela é a última de APP_SECRET_PREVIOUS, ou do arquivo app-secret.key.',
  )
}

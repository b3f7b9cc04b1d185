import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { createAuditWriter } from '../../../platform/audit/write-audit.ts'
import { CommandError, withDatabase } from '../../../platform/commands/command.ts'
import type { Config } from '../../../platform/config/config.ts'
import { keyFileOf, writeWhole } from '../../../platform/config/key-file.ts'
import { bucketOf } from '../../../platform/config/s3-settings.ts'
import { loadSecrets, type Secrets } from '../../../platform/config/secrets.ts'
import { programVersion } from '../../../platform/config/version.ts'
import { migrate } from '../../../platform/db/migrations/migrate.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { inSnapshot } from '../../../platform/db/transactions/in-snapshot.ts'
import { countText } from '../../../platform/lib/count-text.ts'
import { noneIfMissing } from '../../../platform/lib/missing-files.ts'
import { assertKeyFile } from '../../keys/assert-key-file.ts'
import { assertKeysDecrypt } from '../../keys/encrypted-columns.ts'
import { assertFree } from './backup-failure.ts'
import { copyFile, listDataFiles, writeStream } from './data-files.ts'
import { type BackupFile, type Manifest, manifestName, sealManifest } from './manifest.ts'
import {
  countReports,
  findReportFiles,
  incompleteText,
  lostText,
  recordReportsRead,
  reportsText,
} from './report-files.ts'
import { appliedMigrations, readDatabaseId, readSequences, readTables, type Table } from './schema.ts'

type Tell = (sentence: string) => void
type BackupConfig = Pick<Config, 'appSecret' | 'dataDir' | 'databaseUrl' | 'localServiceFile' | 'bi'> &
  Partial<Pick<Config, 's3'>>

/**
 * Copies the installation into an empty folder: every table as of one moment, the files, and
 * separately the keys.
 * @param tell receives one Portuguese sentence per call
 * @returns the manifest, whose `relatorios` is null when the backup lacks the local report service
 * @throws CommandError when the folder is not empty; DirectoryInUse while a server holds the
 * embedded database
 */
export const writeBackup = (config: BackupConfig, folder: string, tell: Tell): Promise<Manifest> =>
  withDatabase(config, tell, (db) => backUp(db, config, folder, tell))

/** Does the same from an open database. */
export const backUp = async (db: Db, config: BackupConfig, folder: string, tell: Tell): Promise<Manifest> => {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CommandError(`A pasta ${folder} não está vazia: cada cópia tem uma pasta só sua.`)
  }
  const { appSecret, dataDir } = config
  await migrate(db, { allowNewer: true })
  await assertKeyFile(db, config)
  const secrets = loadSecrets(appSecret, dataDir)
  await assertKeysDecrypt(db, secrets)
  await recordReportsRead(db, config, secrets)
  const database = await copyDatabase(db, config, folder)
  const { reports, notice, taken, incomplete } = await copyReports(db, config, { secrets, folder })
  for (const sentence of [notice, taken]) if (sentence) tell(sentence)
  for (const sentence of await copyKeys(config, folder)) tell(sentence)
  const manifest = manifestOf(config, secrets, {
    ...database,
    ...reports,
    arquivos: [...reports.arquivos, ...(await copyFiles(dataDir, folder))],
  })
  writeWhole(join(folder, manifestName), textOfManifest(manifest))
  await recordBackup(db, secrets, manifest)
  const missing = describeMissing(config, database.attachments, manifest)
  if (missing) tell(missing)
  const rows = manifest.tabelas.reduce((sum, { linhas }) => sum + linhas, 0)
  tell(
    `Cópia feita em ${folder}: ${countText(manifest.tabelas.length, 'tabela', 'tabelas')}, ${countText(rows, 'linha', 'linhas')}, ${countText(manifest.arquivos.length, 'arquivo', 'arquivos')}.`,
  )
  if (incomplete) tell(incomplete)
  return manifest
}

interface CopiedDatabase extends Pick<Manifest, 'migracoes' | 'tabelas' | 'sequencias' | 'criadaEm'> {
  instalacao: string
  /** Identity of the database. */
  banco: string
  /** Names of the attachments' files. */
  attachments: string[]
}

/** Copies every table, as of one moment, into `tables/` of a folder. */
export const copyDatabase = async (
  db: Db,
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  folder: string,
): Promise<CopiedDatabase> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return inSnapshot(db, config, async (tx) => ({
    criadaEm: new Date().toISOString(),
    instalacao: (await tx.selectFrom('instalacao').select('id').executeTakeFirstOrThrow()).id,
    banco: await readDatabaseId(tx, config),
    attachments: await attachedFiles(tx),
    ...(await copyTables(tx, folder)),
  }))
}

/** Returns the sealed manifest of the copied data. */
export const manifestOf = (
  { appSecret, s3 }: Pick<BackupConfig, 'appSecret' | 's3'>,
  secrets: Secrets,
  { instalacao, banco, attachments: _attachments, ...copied }: CopiedDatabase & CopiedReports['reports'],
): Manifest =>
  sealManifest(secrets, {
    formato: 1,
    programa: programVersion,
    ...copied,
    chaves: { origem: appSecret ? 'ambiente' : 'arquivo', ids: [...secrets.encryptionKeyIds] },
    origem: { instalacao, banco, bucket: bucketOf(s3) },
  })

const textOfManifest = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`

const copyTables = async (
  tx: Db,
  folder: string,
): Promise<Pick<Manifest, 'migracoes' | 'tabelas' | 'sequencias'>> => {
  const migracoes = await appliedMigrations(tx)
  const tabelas: Manifest['tabelas'] = []
  for (const table of await readTables(tx)) {
    const caminho = `tables/${table.name}.ndjson.gz`
    const counter = { rows: 0 }
    const written = await writeStream(
      Readable.from(readLines(tx, table, counter)),
      [createGzip()],
      join(folder, caminho),
    )
    tabelas.push({
      nome: table.name,
      colunas: table.columns,
      linhas: counter.rows,
      arquivo: { caminho, ...written },
    })
  }
  return { migracoes, tabelas, sequencias: await readSequences(tx) }
}

const rowsAtOnce = 500

/** One JSON object per line, made by the database, so no value passes through JavaScript types. */
async function* readLines(
  tx: Db,
  { name, columns }: Table,
  counter: { rows: number },
): AsyncGenerator<string> {
  const stored = sql.join(columns.map((column) => sql.ref(column)))
  await sql`declare copia no scroll cursor for
    select row_to_json(linha)::text as line from (select ${stored} from ${sql.table(name)}) linha`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsAtOnce)} from copia`.execute(tx)
    if (rows.length === 0) break
    counter.rows += rows.length
    yield `${rows.map(({ line }) => line).join('\n')}\n`
  }
  await sql`close copia`.execute(tx)
}

interface CopiedReports {
  /** What the manifest says of them. */
  reports: { arquivos: BackupFile[]; credenciais: BackupFile[]; relatorios: Manifest['relatorios'] }
  notice?: string | undefined
  /** The sentence about what was copied, and from where. */
  taken?: string | undefined
  /** The sentence about a local report service that could not be read. */
  incomplete?: string
}

/**
 * Copies what the local report service needs to come back into a folder. It waits there for its
 * place in an archive: the service ends an answer that a slow target would not let us read.
 */
export const copyReports = async (
  db: Db,
  config: BackupConfig,
  { secrets, folder }: { secrets: Secrets; folder: string },
): Promise<CopiedReports> => {
  const { files, notice, missing } = await findReportFiles(db, config, secrets)
  if (missing) return withoutReports(missing, notice)
  const copied: BackupFile[] = []
  try {
    if (files) await assertRoom(folder, files.bytes)
    for await (const { caminho, content } of files?.read() ?? []) {
      const bytes = Readable.from(content, { objectMode: false })
      copied.push({ caminho, ...(await writeStream(bytes, [], join(folder, caminho))) })
    }
  } catch (error) {
    for (const part of ['files', 'keys']) {
      rmSync(join(folder, part, 'reports'), { recursive: true, force: true })
    }
    return withoutReports(lostText(error), notice)
  }
  const arquivos = copied.filter(({ caminho }) => caminho.startsWith('files/'))
  const credenciais = copied.filter(({ caminho }) => caminho.startsWith('keys/'))
  const counts = countReports(arquivos.map(({ caminho }) => caminho))
  const relatorios = files && { origem: files.origem, ...counts }
  return {
    reports: { arquivos, credenciais, relatorios },
    notice,
    taken: files && `Do serviço de relatórios: ${reportsText(counts)}, ${files.from}.`,
  }
}

const withoutReports = (missing: string, notice: string | undefined): CopiedReports => ({
  reports: { arquivos: [], credenciais: [], relatorios: null },
  notice,
  incomplete: incompleteText(missing),
})

/** @throws CommandError when the disk of the folder has too little space */
const assertRoom = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder)
  assertFree(folder, bytes, bavail * bsize)
}

const copyFiles = async (dataDir: string, folder: string): Promise<BackupFile[]> => {
  const copied: BackupFile[] = []
  for (const path of listDataFiles(dataDir)) {
    const caminho = `files/${path}`
    // Pending files may be deleted during the backup; missing attachments are found by name later.
    const written = await copyFile(join(dataDir, path), join(folder, caminho)).catch(noneIfMissing)
    if (written) copied.push({ caminho, ...written })
  }
  return copied
}

/** Returns the names of the attachments' files. */
const attachedFiles = async (tx: Db): Promise<string[]> => {
  const rows = await tx.selectFrom('anexo').select('arquivo').where('arquivo', 'is not', null).execute()
  return rows.flatMap(({ arquivo }) => arquivo ?? [])
}

/** Returns the sentence about attachments missing in the backup; undefined when complete. */
export const describeMissing = (
  { s3, dataDir }: Pick<BackupConfig, 's3' | 'dataDir'>,
  attachments: string[],
  { arquivos }: Pick<Manifest, 'arquivos'>,
): string | undefined => {
  if (s3) {
    return `Os arquivos dos anexos estão no bucket ${s3.bucket} e não vão na cópia: faça cópia do bucket à parte, depois desta (${countText(attachments.length, 'arquivo', 'arquivos')}).`
  }
  const copied = new Set(arquivos.map(({ caminho }) => caminho))
  const missing = attachments.filter((name) => !copied.has(`files/attachments/${name}`))
  if (missing.length === 0) return undefined
  return `Atenção: a cópia ficou sem ${missing.length} de ${countText(attachments.length, 'arquivo', 'arquivos')} de anexos, que o portal não achou em ${join(dataDir, 'attachments')} (${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ' …' : ''}).`
}

const keysNote =
  'Quem tem estas chaves e a cópia lê todas as senhas e os dados de saúde guardados: leve a pasta das chaves para outro lugar e guarde-a separada da cópia.'

/** Copies the key into `keys/` of a folder, and returns what the operator must know of its keys. */
export const copyKeys = async (
  { appSecret, dataDir }: Pick<BackupConfig, 'appSecret' | 'dataDir'>,
  folder: string,
): Promise<string[]> => {
  const keys = join(folder, 'keys')
  const keyFile = keyFileOf(dataDir)
  const hasKeyFile = !appSecret && existsSync(keyFile)
  if (hasKeyFile) await copyFile(keyFile, join(keys, basename(keyFile)))
  const notes: string[] = []
  if (existsSync(keys)) {
    writeFileSync(join(keys, 'LEIA-ME.txt'), `${keysNote}\n`, { mode: 0o600 })
    notes.push(`As chaves estão em ${keys}. ${keysNote}`)
  }
  if (appSecret) {
    notes.push(
      'A chave está em APP_SECRET e não vai na cópia: guarde-a à parte; sem ela as senhas e os dados de saúde não se abrem.',
    )
  }
  return notes
}

/** Records the backup in the audit trail. An incomplete one does not count as the last backup. */
export const recordBackup = (
  db: Db,
  secrets: Secrets,
  { criadaEm, tabelas, relatorios }: Pick<Manifest, 'criadaEm' | 'tabelas' | 'relatorios'>,
): Promise<unknown> =>
  createAuditWriter(secrets, () => new Date())(db, {
    action: relatorios === null ? 'backup.incomplete' : 'backup.created',
    idUsuario: null,
    details: { criadaEm, linhas: tabelas.reduce((sum, { linhas }) => sum + linhas, 0) },
  })

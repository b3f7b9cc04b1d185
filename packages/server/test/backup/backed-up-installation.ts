import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { type Manifest, sealManifest } from '../../src/operations/backup/contents/manifest.ts'
import { readSequences, readTables } from '../../src/operations/backup/contents/schema.ts'
import { backUp } from '../../src/operations/backup/contents/write-backup.ts'
import { type restoreBackup, restoreInto } from '../../src/operations/backup/restore/restore-backup.ts'
import { loadConfig } from '../../src/platform/config/config.ts'
import { loadSecrets, secretsOf } from '../../src/platform/config/secrets.ts'
import type { Db } from '../../src/platform/db/open-database.ts'
import { openTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { formOf } from '../multipart.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'
import { fillEveryTable } from './every-table.ts'

export type BackedUpInstallation = Awaited<ReturnType<typeof backUpInstallation>>

/** Creates an installation with a row in every table and one backup; its portal is closed. */
export const backUpInstallation = async (options: Parameters<typeof startTestApp>[1] = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'bi-manager-backup-'))
  const backup = join(folder, 'copia')
  /** Where the operator keeps the keys, apart from the backup. */
  const safe = join(folder, 'cofre')
  const app = await startTestApp({}, options)
  const source: TestDatabase & Pick<TestApp, 'services'> = app
  const { email, device } = await fillEveryTable(app.db, app.services)
  const attachment = await sendAttachment(app)
  // An interrupted upload.
  writeFileSync(join(source.dataDir, 'attachments', `${randomUUID()}.new`), 'half')
  mkdirSync(join(source.dataDir, 'reports'), { recursive: true })
  writeFileSync(join(source.dataDir, 'reports/service.json'), '{"credencial":"do serviço"}')
  writeFileSync(join(source.dataDir, 'reports/report.json'), '{}')
  for (const folder of ['reports/.exportacoes', 'reports/.renovacoes']) {
    mkdirSync(join(source.dataDir, folder), { recursive: true })
    writeFileSync(join(source.dataDir, folder, '1.json'), '{}')
  }
  mkdirSync(join(source.dataDir, 'outbox'), { recursive: true })
  writeFileSync(join(source.dataDir, 'outbox/1.eml'), 'link')
  const before = await contentOf(app.db)
  await app.app.close()
  const told: string[] = []
  await backUp(app.db, configOf(source), backup, (sentence) => told.push(sentence))
  cpSync(join(backup, 'keys'), safe, { recursive: true })

  const opened: TestDatabase[] = []
  return {
    folder,
    backup,
    safe,
    source,
    /** Every row as it was before the backup. */
    before,
    email,
    device,
    attachment,
    /** The messages of the backup. */
    told,
    emptyTarget: async (): Promise<TestDatabase> => {
      const target = await openTestDatabase()
      opened.push(target)
      return target
    },
    restore: (target: TestDatabase, options: Parameters<typeof restoreBackup>[1], appSecret?: string[]) =>
      restoreInto(target.db, configOf(target, appSecret), { keysFolder: safe, ...options }, () => {}),
    /** Changes a manifest and seals it with the installation's key, or with another one. */
    rewrite: (copy: string, change: (fields: Manifest) => void, key?: string) => {
      const file = join(copy, 'manifest.json')
      const { selo: _, ...fields } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
      change(fields)
      const secrets = key ? secretsOf([key]) : loadSecrets(undefined, safe)
      writeFileSync(file, JSON.stringify(sealManifest(secrets, fields)))
    },
    copyOf: (name: string) => {
      const copy = mkdtempSync(join(folder, name))
      cpSync(backup, copy, { recursive: true })
      return copy
    },
    close: async () => {
      rmSync(folder, { recursive: true, force: true })
      for (const database of [source, ...opened]) await database.close()
    },
  }
}

export const configOf = (
  { dataDir, databaseUrl }: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>,
  appSecret?: string[],
) => {
  const { bi, localServiceFile } = loadConfig({ DATA_DIR: dataDir })
  return { dataDir, databaseUrl, appSecret, bi, localServiceFile }
}

/** Reads every table, row by row, as text of the database. */
export const contentOf = async (db: Db) => {
  const content: Record<string, string[]> = {}
  for (const { name } of await readTables(db)) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(t)::text as line from ${sql.table(name)} t order by 1`.execute(db)
    content[name] = rows.map(({ line }) => line)
  }
  return { content, sequences: await readSequences(db) }
}

const sendAttachment = async (app: TestApp) => {
  const sender = await createUser(app, { acessoProntuario: true })
  const clinician = await app.as(sender)
  const pixel = { create: { width: 3, height: 3, channels: 3, background: '#036' } } as const
  const form = formOf(
    { titulo_anexo: 'Exame', tipo_anexo: 'IMG', descricao_anexo: 'Sangue' },
    { bytes: await sharp(pixel).png().toBuffer(), name: 'exame.png' },
  )
  const { status, body } = await clinician.upload('/anexos', form)
  if (status !== 201) throw new Error(`the attachment was answered ${status}`)
  const url: string = body.imagem_anexo
  const answer = await clinician.download(url.replace('/api', ''))
  if (answer.status !== 200) throw new Error(`the attachment's file was answered ${answer.status}`)
  return { url, sender, bytes: answer.bytes }
}

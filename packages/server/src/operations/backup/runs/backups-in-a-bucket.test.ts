import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
  contentOf,
} from '../../../../test/backup/backed-up-installation.ts'
import { startS3 } from '../../../../test/stand-ins/s3-server.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { openDatabase } from '../../../platform/db/open-database.ts'
import { buildServices } from '../../../start-server.ts'
import { createPortalMetrics } from '../../metrics/portal-metrics.ts'
import { backupItem } from '../../system-status/backup-item.ts'
import { writeBackupKey } from '../archive/backup-key.ts'
import { restoreArchive } from '../restore/restore-archive.ts'
import { nameOf } from '../targets/backup-target.ts'
import { openTarget } from '../targets/open-target.ts'
import { lastBackup } from './backup-runs.ts'
import { startScheduledBackups } from './scheduled-backups.job.ts'

/* Scheduled backups of a whole installation in a bucket: made, verified, expired and restored. */

const folder = mkdtempSync(join(tmpdir(), 'bi-manager-bucket-'))
const keyFile = join(folder, 'chave.txt')
const secret = 'segredo-do-bucket-das-copias'
let installation: BackedUpInstallation
let s3: Awaited<ReturnType<typeof startS3>>
let settings: Record<string, string>
beforeAll(async () => {
  installation = await backUpInstallation({ alone: true })
  s3 = await startS3({ allowMismatchedSignatures: true })
  settings = {
    BACKUP_TARGET: `s3://${s3.settings.S3_BUCKET}/copias`,
    BACKUP_KEY: await writeBackupKey(keyFile),
    BACKUP_KEEP: '2d',
    BACKUP_TIME_ZONE: 'UTC',
    BACKUP_SCHEDULE: '* * * * *',
    MIN_FREE_MB: '0',
    BACKUP_S3_ENDPOINT: s3.settings.S3_ENDPOINT,
    BACKUP_S3_REGION: s3.settings.S3_REGION,
    BACKUP_S3_ACCESS_KEY_ID: s3.settings.S3_ACCESS_KEY_ID,
    BACKUP_S3_SECRET_ACCESS_KEY: s3.settings.S3_SECRET_ACCESS_KEY,
    LOG_LEVEL: 'trace',
  }
})
afterAll(async () => {
  await s3.close()
  await installation.close()
  rmSync(folder, { recursive: true, force: true })
})

const configWith = (dataDir: string, databaseUrl = '', changes: Record<string, string> = {}) =>
  loadConfig({ ...settings, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...changes })
/**
 * Runs a node with these settings that makes the due backup.
 * @returns its services, and its log
 */
const backUpWith = async (changes: Record<string, string> = {}) => {
  const { source } = installation
  const config = configWith(source.dataDir, source.databaseUrl, changes)
  const services = buildServices(config, source.db, source.services.secrets)
  const lines: string[] = []
  const keep = (fields: { err?: Error }, message: string) =>
    void lines.push(JSON.stringify({ ...fields, stack: fields.err?.stack, message }))
  const { makeDue, stop } = await startScheduledBackups(services, { info: keep, error: keep } as never)
  await makeDue()
  await stop()
  return { services, config, lines: lines.join('\n') }
}

describe('backups in a bucket', { timeout: 180_000 }, () => {
  test('backups in a bucket are verified and expire by the retention rule, and one is restored by its name', async () => {
    const { source, before, safe } = installation
    const { id } = await source.db.selectFrom('instalacao').select('id').executeTakeFirstOrThrow()
    const { backup } = configWith(source.dataDir)
    if (!backup) throw new Error('no settings')
    const target = openTarget(backup.place)
    const [oldest = '', yesterday = ''] = [3, 1].map((days) =>
      nameOf(id, new Date(Date.now() - days * 86_400_000)),
    )
    const foreign = nameOf('ffffffff', new Date('2020-01-01T06:00:00Z'))
    for (const name of [oldest, yesterday, foreign])
      await target.write(name, Readable.from([Buffer.from('x')]))

    await backUpWith()
    const { good } = await lastBackup(source.db)
    const name = good?.arquivo ?? ''
    expect(good).toMatchObject({ verificada: true, destino: `s3://${s3.settings.S3_BUCKET}/copias/` })
    expect((await target.list()).sort()).toEqual([yesterday, name, foreign].sort())

    const dataDir = join(folder, 'ensaio')
    const told: string[] = []
    await restoreArchive(configWith(dataDir), { copy: name, keyFile, keysFolder: safe }, (sentence) =>
      told.push(sentence),
    )
    expect(told.join(' ')).toContain('Este é um ambiente de ensaio')
    const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
    const { content } = await contentOf(db)
    await db.destroy()
    expect(content.prontuario).toEqual(before.content.prontuario)
    expect(content.usuario).toEqual(before.content.usuario)
  })

  test('backups in a bucket record the reason of a failure, without the credentials', async () => {
    const { source } = installation
    const { services, lines } = await backUpWith({
      // Another due time than that of the backup above.
      BACKUP_SCHEDULE: '0 0 1 1 *',
      BACKUP_TARGET: 's3://nenhum-bucket',
      BACKUP_S3_ACCESS_KEY_ID: 'chave-das-copias',
      BACKUP_S3_SECRET_ACCESS_KEY: secret,
    })
    const { last } = await lastBackup(source.db)
    expect(last).toMatchObject({ resultado: 'falhou', erro: expect.stringMatching(/S3 upload: .*40[34]/) })
    const metrics = createPortalMetrics(services)
    const status = await backupItem(services)
    expect(status).toMatchObject({ estado: 'falha', frase: expect.stringContaining(last?.erro ?? 'nenhum') })
    const told = await source.db.selectFrom('notificacao').select(['titulo', 'texto']).execute()
    const seen = [lines, await metrics.text(), JSON.stringify([last, told, status])]
    expect(lines).toContain('a backup failed')
    for (const text of seen) expect(text).not.toMatch(/segredo-do-bucket|chave-das-copias|AGE-SECRET-KEY/)
    metrics.close()
  })
})

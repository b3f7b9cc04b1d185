import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
} from '../../../../test/backup/backed-up-installation.ts'
import { spawnServer, untilReady } from '../../../../test/processes/killed-server.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { openDatabase } from '../../../platform/db/open-database.ts'
import { writeBackupKey } from '../archive/backup-key.ts'
import { beginRun, lastBackup } from '../runs/backup-runs.ts'
import { runBackup } from '../runs/run-backup.ts'
import { releaseRestored } from './release-restored.ts'
import { restoreArchive, workName } from './restore-archive.ts'

/* Restores an encrypted backup into an embedded database, as the operator does. */

const folder = mkdtempSync(join(tmpdir(), 'bi-manager-archive-restore-'))
const keyFile = join(folder, 'chave.txt')
const targetFolder = join(folder, 'copias')
let installation: BackedUpInstallation
let settings: Record<string, string>
let name: string
beforeAll(async () => {
  installation = await backUpInstallation({ alone: true })
  const { source } = installation
  settings = {
    BACKUP_TARGET: targetFolder,
    BACKUP_KEY: await writeBackupKey(keyFile),
    BACKUP_VERIFY: 'false',
    MIN_FREE_MB: '0',
    LOG_LEVEL: 'warn',
  }
  const config = loadConfig({
    ...settings,
    DATA_DIR: source.dataDir,
    DATABASE_URL: source.databaseUrl ?? '',
  })
  const { backup } = config
  if (!backup) throw new Error('no settings')
  const services = { config, db: source.db, secrets: source.services.secrets, now: () => new Date() }
  const run = await beginRun(source.db, { due: null, place: targetFolder, now: new Date() })
  if (typeof run !== 'object') throw new Error('no run')
  const log = { info: () => {}, error: console.error }
  ;({ name = '' } = (await runBackup(services, { id: run.id, backup, log })) ?? {})
})
afterAll(async () => {
  await installation.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('npm run restore of an encrypted backup', () => {
  const restore = (dataDir: string, changes: Partial<Parameters<typeof restoreArchive>[1]> = {}) =>
    restoreArchive(
      loadConfig({ ...settings, DATA_DIR: dataDir }),
      { copy: name, keyFile, keysFolder: installation.safe, ...changes },
      () => {},
    )

  test('npm run restore of an encrypted backup refuses a wrong key, a truncated copy and an unknown name, and leaves no files', async () => {
    const dataDir = join(folder, 'recusada')
    const other = join(folder, 'outra-chave.txt')
    await writeBackupKey(other)
    await expect(restore(dataDir, { keyFile: other })).rejects.toThrow(/A chave privada não é a desta cópia/)
    const cut = join(folder, 'cortada.tar.age')
    writeFileSync(cut, readFileSync(join(targetFolder, name)).subarray(0, -100))
    await expect(restore(dataDir, { copy: cut })).rejects.toThrow(/foi alterada ou está incompleta/)
    await expect(restore(dataDir, { copy: 'bi-manager-de-ontem.tar.age' })).rejects.toThrow(
      `Não há cópia bi-manager-de-ontem.tar.age em ${targetFolder}. As mais novas: ${name}.`,
    )
    // Keys inside the copy prove nothing: anyone can encrypt for a public key.
    await expect(restore(dataDir, { keysFolder: undefined })).rejects.toThrow(
      `Se você confia em todos que podem escrever em ${targetFolder}, rode de novo com --trust-folder.`,
    )
    expect(existsSync(dataDir)).toBe(false)
  })

  test('npm run restore of an encrypted backup starts a portal that reports that it is a test, until it is released', {
    timeout: 120_000,
  }, async () => {
    const dataDir = join(folder, 'ensaio')
    await restore(dataDir)
    expect(readdirSync(dataDir)).not.toContain(workName)
    const restored = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
    // The copy contains its own run in progress, which would look interrupted.
    expect((await lastBackup(restored)).running).toBeUndefined()
    await restored.destroy()
    const schedule = { ...settings, BACKUP_SCHEDULE: '*/1 * * * *' }
    const server = await spawnServer(dataDir, schedule)
    expect(await untilReady(server), server.output()).toBe(true)
    expect(server.output()).toMatch(
      /Ambiente restaurado da cópia de .*: nenhum e-mail é enviado e nenhuma cópia agendada é feita.*npm run restore -- --release/,
    )
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')

    const told: string[] = []
    const config = loadConfig({ ...settings, DATA_DIR: dataDir })
    await releaseRestored(config, (sentence) => told.push(sentence))
    await releaseRestored(config, (sentence) => told.push(sentence))
    expect(told).toEqual([
      expect.stringMatching(/^Este é agora o ambiente de produção/),
      'Este já era o ambiente de produção: nada mudou.',
    ])
    const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
    const recorded = db
      .selectFrom('auditoria')
      .select(['acao', 'idUsuario'])
      .where('acao', '=', 'environment.released')
    expect(await recorded.execute()).toEqual([{ acao: 'environment.released', idUsuario: null }])
    await db.destroy()
  })
})

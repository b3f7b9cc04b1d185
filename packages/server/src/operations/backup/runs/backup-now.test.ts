import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/database/test-database.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { openDatabase } from '../../../platform/db/open-database.ts'
import { setTestRestore } from '../../../platform/installation/test-environment.ts'
import { readBackupKeys, writeBackupKey } from '../archive/backup-key.ts'
import { backUpNow } from './backup-now.ts'
import { beginRun, lastBackup } from './backup-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'bi-manager-now-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm run backup:key', () => {
  test('npm run backup:key writes a private key readable by its owner only, and never overwrites a file', async () => {
    const file = join(folder, 'chave.txt')
    const recipient = await writeBackupKey(file)
    expect(recipient).toMatch(/^age1[a-z\d]{58}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readBackupKeys(file)).toEqual([expect.stringMatching(/^AGE-SECRET-KEY-1/)])
    expect(readFileSync(file, 'utf8')).toContain(`# BACKUP_KEY: ${recipient}`)
    await expect(writeBackupKey(file)).rejects.toThrow(/já existe/)
    expect(() => readBackupKeys(join(folder, 'nenhum'))).toThrow(/não pode ser lido \(ENOENT\)/)
  })
})

describe('npm run backup', () => {
  let database: TestDatabase
  let recipient: string
  beforeAll(async () => {
    database = await openTestDatabase({ alone: true })
    recipient = await writeBackupKey(join(folder, 'outra.txt'))
    // The command opens the database itself.
    await database.db.destroy()
  })
  afterAll(() => database.close())

  const run = async (changes: Record<string, string> = {}) => {
    const told: string[] = []
    const config = loadConfig({
      DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl ?? '',
      MIN_FREE_MB: '0',
      BACKUP_TARGET: join(folder, 'copias'),
      BACKUP_KEY: recipient,
      BACKUP_VERIFY: 'false',
      ...changes,
    })
    const isMade = await backUpNow(config, (sentence) => told.push(sentence))
    return { isMade, told: told.join('\n') }
  }
  const inDatabase = async <T>(work: (db: TestDatabase['db']) => Promise<T>): Promise<T> => {
    const { dataDir, databaseUrl } = database
    const db = await openDatabase({ dataDir, databaseUrl, onError: console.error })
    return work(db).finally(() => db.destroy())
  }

  test('npm run backup makes an encrypted backup in the target', async () => {
    const { isMade, told } = await run()
    const [name] = readdirSync(join(folder, 'copias'))
    expect([isMade, told]).toEqual([
      true,
      expect.stringMatching(`^Cópia feita em ${folder}/copias: ${name}, \\d+ tab`),
    ])
    expect((await inDatabase(lastBackup)).good).toMatchObject({ arquivo: name, previstaEm: null })
  })

  test('npm run backup reports why no backup was made', async () => {
    expect(await run({ BACKUP_TARGET: join(folder, 'chave.txt') })).toEqual({
      isMade: false,
      told: expect.stringMatching(/^A cópia não foi feita\. .*EEXIST/),
    })
  })

  test("npm run backup refuses a restored test environment, which may have production's settings", async () => {
    const before = readdirSync(join(folder, 'copias'))
    const restored = { restauradaEm: '2026-11-21T06:00:00Z', copiaDe: '2026-11-20T06:00:00Z', bucket: null }
    await inDatabase((db) => setTestRestore(db, restored))
    await expect(run()).rejects.toThrow(
      /^Este ambiente é um ensaio de restauração: nele não se fazem cópias em BACKUP_TARGET.*--release/,
    )
    expect(readdirSync(join(folder, 'copias'))).toEqual(before)
    await inDatabase((db) => setTestRestore(db, null))
  })

  test('npm run backup requires its settings, and refuses a second concurrent backup', async () => {
    await expect(run({ BACKUP_TARGET: '', BACKUP_KEY: '' })).rejects.toThrow(/BACKUP_TARGET e BACKUP_KEY/)
    await inDatabase((db) => beginRun(db, { due: null, place: '/copias', now: new Date() }))
    await expect(run()).rejects.toThrow(/Outra cópia de segurança está em andamento/)
  })
})

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
  configOf,
} from '../../../../test/backup/backed-up-installation.ts'
import { backUp } from './write-backup.ts'

let installation: BackedUpInstallation
beforeAll(async () => {
  installation = await backUpInstallation()
})
afterAll(() => installation.close())

describe('the backup', () => {
  test('the backup has at least one row of every table', () => {
    const { before } = installation
    const empty = Object.entries(before.content).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []))
    expect(empty, 'tables without a row in this test: add one to fill').toEqual([])
  })

  test('the backup separates data from keys, with access for its owner only, and says to store the keys elsewhere', () => {
    const { backup, source, told } = installation
    expect(statSync(backup).mode & 0o777).toBe(0o700)
    for (const name of ['manifest.json', 'tables/usuario.ndjson.gz', 'keys/app-secret.key']) {
      expect(statSync(join(backup, name)).mode & 0o777, name).toBe(0o600)
    }
    expect(told.join('\n')).toContain('guarde-a separada da cópia')
    expect(readFileSync(join(backup, 'keys/LEIA-ME.txt'), 'utf8')).toContain('separada da cópia')
    expect(existsSync(join(backup, 'keys/reports/service.json'))).toBe(true)
    expect(existsSync(join(backup, 'files/reports/service.json'))).toBe(false)
    expect(existsSync(join(backup, 'files/outbox'))).toBe(false)
    expect(existsSync(join(backup, 'files/reports/.exportacoes'))).toBe(false)
    expect(existsSync(join(backup, 'files/reports/.renovacoes'))).toBe(false)
    const all = execFileSync('cat', [join(backup, 'manifest.json')], { encoding: 'utf8' })
    expect(all).not.toContain(readFileSync(join(source.dataDir, 'app-secret.key'), 'utf8').trim())
  })

  test('the backup accepts only an empty folder', async () => {
    const { backup, source } = installation
    await expect(backUp(source.db, configOf(source), backup, () => {})).rejects.toThrow(/não está vazia/)
  })

  test('the backup lists attachment files it lacks, in another store or missing from the disk', async () => {
    const { folder, source, told } = installation
    // A row of test/backup/clinical-tables.ts has no file.
    expect(told.join('\n')).toMatch(
      /Atenção: a cópia ficou sem 1 de 2 arquivos de anexos, que .* não achou em .*attachments/,
    )
    const settings = { region: 'r', accessKeyId: 'a', secretAccessKey: 's', endpoint: 'https://s3.exemplo' }
    const sentences: string[] = []
    const config = { ...configOf(source), s3: { ...settings, bucket: 'exames' } }
    await backUp(source.db, config, join(folder, 'copia-s3'), (sentence) => sentences.push(sentence))
    expect(sentences).toContain(
      'Os arquivos dos anexos estão no bucket exames e não vão na cópia: faça cópia do bucket à parte, depois desta (2 arquivos).',
    )
  })

  test('the backup is recorded in the audit trail', async () => {
    const { source } = installation
    const rows = await source.db
      .selectFrom('auditoria')
      .select('acao')
      .where('acao', '=', 'backup.created')
      .execute()
    expect(rows.length).toBeGreaterThanOrEqual(1)
  })
})

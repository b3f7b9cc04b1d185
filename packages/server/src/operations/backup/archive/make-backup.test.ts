import { execFileSync } from 'node:child_process'
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BackedUpInstallation,
  backUpInstallation,
  configOf,
  contentOf,
} from '../../../../test/backup/backed-up-installation.ts'
import type { BackupSettings } from '../../../platform/config/backup-settings.ts'
import { readManifest } from '../contents/manifest.ts'
import { nameOf } from '../targets/backup-target.ts'
import { unpackArchive } from './backup-archive.ts'
import { makeBackup } from './make-backup.ts'

let installation: BackedUpInstallation
let identity: string
let recipient: string
let id: string
beforeAll(async () => {
  installation = await backUpInstallation()
  identity = await generateX25519Identity()
  recipient = await identityToRecipient(identity)
  ;({ id } = await installation.source.db.selectFrom('instalacao').select('id').executeTakeFirstOrThrow())
})
afterAll(() => installation.close())

const settingsFor = (folder: string, changes: Partial<BackupSettings> = {}): BackupSettings => ({
  schedule: undefined,
  timeZone: 'UTC',
  place: { kind: 'folder', folder },
  recipients: [recipient],
  keep: { days: 7, weeks: 0, months: 0, years: 0 },
  verify: true,
  ...changes,
})
const make = (target: string, at: string, changes: Partial<BackupSettings> = {}) => {
  const { source, folder } = installation
  const workFolder = mkdtempSync(join(folder, 'work-'))
  const config = { ...configOf(source), s3: undefined, backup: settingsFor(target, changes) }
  return makeBackup(source.db, { config, name: nameOf(id, new Date(at)), workFolder })
}

// The verification creates a database: half a minute on a busy machine.
describe('makeBackup', { timeout: 120_000 }, () => {
  test('makeBackup writes a verified copy that only the operator opens, and that restores', async () => {
    const { folder, source, before, emptyTarget, restore } = installation
    const target = join(folder, 'copias')
    const made = await make(target, '2026-11-21T06:00:00Z')
    expect(made).toMatchObject({
      verified: true,
      notice: expect.stringMatching(/^Atenção: a cópia ficou sem 1 de 2 arquivos/),
    })
    const [name = '', ...others] = readdirSync(target)
    expect([name, others]).toEqual([nameOf(id, new Date('2026-11-21T06:00:00Z')), []])
    expect(execFileSync('sha256sum', [join(target, name)], { encoding: 'utf8' })).toContain(made.sha256)
    // One recipient is the operator, the other was for the verification; its key no longer exists.
    expect(readFileSync(join(target, name), 'latin1').match(/^-> X25519 /gm)).toHaveLength(2)

    const unpacked = mkdtempSync(join(folder, 'aberta-'))
    await unpackArchive(createReadStream(join(target, name)), unpacked, { identities: [identity] })
    expect(readManifest(unpacked).manifest.origem).toMatchObject({ instalacao: id, bucket: null })
    const restored = await emptyTarget()
    await restore(restored, { folder: unpacked })
    const { content } = await contentOf(restored.db)
    expect(content.prontuario).toEqual(before.content.prontuario)
    expect(content.usuario).toEqual(before.content.usuario)
    expect(readdirSync(join(restored.dataDir, 'attachments')).length).toBeGreaterThan(0)
    expect(source.dataDir).not.toBe(restored.dataDir)
  })

  test('makeBackup only compares the bytes it reads back when verification is off', async () => {
    const target = join(installation.folder, 'sem-verificar')
    const made = await make(target, '2026-11-21T06:00:00Z', { verify: false })
    expect(made.verified).toBe(false)
    const [name = ''] = readdirSync(target)
    expect(readFileSync(join(target, name), 'latin1').match(/^-> X25519 /gm)).toHaveLength(1)
  })

  test('makeBackup deletes only what the retention rule no longer keeps', async () => {
    const target = join(installation.folder, 'antigas')
    mkdirSync(target)
    const days = ['2026-11-10', '2026-11-18', '2026-11-19', '2026-11-20']
    const names = days.map((day) => nameOf(id, new Date(`${day}T06:00:00Z`)))
    const foreign = [nameOf('ffffffff', new Date('2020-01-01T06:00:00Z')), 'LEIA-ME.txt']
    for (const name of [...names, ...foreign]) writeFileSync(join(target, name), '')
    await make(target, '2026-11-21T06:00:00Z', {
      keep: { days: 3, weeks: 0, months: 0, years: 0 },
      verify: false,
    })
    const kept = [...names.slice(2), nameOf(id, new Date('2026-11-21T06:00:00Z')), ...foreign]
    expect(readdirSync(target).sort()).toEqual(kept.sort())
  })

  test('makeBackup fails when the target cannot be written', async () => {
    const file = join(installation.folder, 'um-arquivo')
    writeFileSync(file, '')
    await expect(make(file, '2026-11-21T06:00:00Z')).rejects.toThrow(/EEXIST|ENOTDIR/)
  })

  test('makeBackup leaves nothing in the target when the copy does not restore', async () => {
    const { folder, source } = installation
    const target = mkdtempSync(join(folder, 'nao-restaura-'))
    // As a damaged index would allow.
    await sql`drop index responsavel_nome_unico`.execute(source.db)
    await sql`insert into responsavel (nome_responsavel) values ('Igual'), ('Igual')`.execute(source.db)
    await expect(make(target, '2026-11-21T06:00:00Z')).rejects.toThrow(
      /^A cópia não passou na conferência e foi apagada: .*responsavel_nome_unico/,
    )
    expect(readdirSync(target)).toEqual([])
  })
})

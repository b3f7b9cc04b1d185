import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3 } from '../../../../test/stand-ins/s3-server.ts'
import { type BackupTarget, momentOf, nameOf } from './backup-target.ts'
import { openTarget } from './open-target.ts'

const installation = '1f0c3a9e-0000-4000-8000-000000000000'
const name = nameOf(installation, new Date('2026-11-21T06:00:00.123Z'))
/** Needs more than one part in an upload to S3. */
const bytes = Buffer.alloc(20 * 2 ** 20, 'cópia')
const chunks = () =>
  Readable.from(Array.from({ length: 20 }, (_, n) => bytes.subarray(n << 20, (n + 1) << 20)))
const cutShort = () =>
  Readable.from(
    (async function* () {
      yield bytes
      throw new Error('cut short')
    })(),
  )

let folder: string
let s3: Awaited<ReturnType<typeof startS3>>
const targets: Record<string, BackupTarget> = {}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bi-manager-target-'))
  s3 = await startS3({ allowMismatchedSignatures: true })
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = s3.settings
  targets.folder = openTarget({ kind: 'folder', folder: join(folder, 'copias') })
  targets.bucket = openTarget({
    kind: 's3',
    prefix: 'portal/',
    settings: {
      endpoint: S3_ENDPOINT,
      bucket: S3_BUCKET,
      region: S3_REGION,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    },
  })
})
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})
const targetIn = (kind: string): BackupTarget => {
  const target = targets[kind]
  if (!target) throw new Error(`no ${kind}`)
  return target
}

describe.each(['folder', 'bucket'])('a %s', (kind) => {
  test('a target reads back a written backup, and lists it once it is committed', async () => {
    const target = targetIn(kind)
    const { bytes: length, sha256 } = await target.write(name, chunks())
    expect(length).toBe(bytes.length)
    expect(sha256).toMatch(/^[\da-f]{64}$/)
    expect((await buffer(await target.read(name))).equals(bytes)).toBe(true)
    await target.commit(name)
    expect(await target.list()).toEqual([name])
    expect((await buffer(await target.read(name))).equals(bytes)).toBe(true)
  })

  test('a target deletes a backup', async () => {
    const target = targetIn(kind)
    await target.remove(name)
    expect(await target.list()).toEqual([])
    await expect(target.read(name)).rejects.toThrow()
  })

  test('a target lists nothing of an interrupted backup', async () => {
    const target = targetIn(kind)
    await expect(target.write(name, cutShort())).rejects.toThrow('cut short')
    expect(await target.list()).toEqual([])
  })
})

describe('a folder', () => {
  test('a folder deletes the remains of an earlier run, and writes files readable by their owner only', async () => {
    const target = targetIn('folder')
    const copies = join(folder, 'copias')
    writeFileSync(join(copies, '.bi-manager-1f0c3a9e-20261120T060000Z.tar.age.part'), 'half')
    // A backup that another installation is writing into the same folder.
    const other = '.bi-manager-ffffffff-20261121T060000Z.tar.age.part'
    writeFileSync(join(copies, other), 'half')
    writeFileSync(join(copies, 'LEIA-ME.txt'), 'of another program')
    await target.write(name, chunks())
    await target.commit(name)
    expect(readdirSync(copies).sort()).toEqual([other, 'LEIA-ME.txt', name])
    expect(statSync(join(copies, name)).mode & 0o777).toBe(0o600)
    expect(await target.freeBytes()).toBeGreaterThan(0)
  })
})

describe('a bucket', () => {
  test('a bucket reports the status of a refusal without the credentials', async () => {
    const place = {
      kind: 's3',
      prefix: '',
      settings: {
        endpoint: s3.settings.S3_ENDPOINT,
        bucket: 'nenhum',
        region: 'us-east-1',
        accessKeyId: 'errada',
        secretAccessKey: 'segredo-errado',
      },
    } as const
    const writing = openTarget(place).write(name, chunks())
    await expect(writing).rejects.toThrow(/^S3 upload: .*403/)
    await expect(writing).rejects.not.toThrow(/segredo-errado/)
  })
})

describe('the name of a backup', () => {
  test('the name of a backup contains the installation and the time', () => {
    expect(name).toBe('bi-manager-1f0c3a9e-20261121T060000Z.tar.age')
    expect(momentOf(installation, name)).toEqual(new Date('2026-11-21T06:00:00Z'))
    expect(momentOf('2f0c3a9e-0000-4000-8000-000000000000', name)).toBeUndefined()
    for (const other of ['LEIA-ME.txt', `${name}.bak`, `.${name}.part`, 'bi-manager-1f0c3a9e-2026.tar.age']) {
      expect(momentOf(installation, other)).toBeUndefined()
    }
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BackupFile } from '../contents/manifest.ts'
import { packArchive, unpackArchive } from './backup-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'bi-manager-archive-'))
const contents: Record<string, Buffer> = {
  'tables/usuario.ndjson.gz': Buffer.alloc(300_000, 'linha'),
  'files/attachments/vazio': Buffer.alloc(0),
  'keys/app-secret.key': Buffer.from('segredo'),
}
let identity: string
let sealed: Buffer
let packedFiles: BackupFile[]

const packAll = async (files = Object.keys(contents)) => {
  const { bytes, packed } = await packArchive({
    files: files.map((caminho) => ({ caminho, from: join(folder, 'source', caminho) })),
    manifestText: (list) => {
      packedFiles = list
      return '{"manifesto":true}'
    },
    recipients: [await identityToRecipient(identity)],
  })
  const all = await buffer(bytes)
  await packed
  return all
}
beforeAll(async () => {
  identity = await generateX25519Identity()
  for (const [name, bytes] of Object.entries(contents)) {
    mkdirSync(join(folder, 'source', name, '..'), { recursive: true })
    writeFileSync(join(folder, 'source', name), bytes)
  }
  sealed = await packAll([...Object.keys(contents), 'files/attachments/apagado-no-meio'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inPieces = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, n) =>
      bytes.subarray(n * 10_000, (n + 1) * 10_000),
    ),
  )
const unpack = (bytes: Buffer, into: string, identities = [identity]) =>
  unpackArchive(inPieces(bytes), mkdtempSync(join(folder, into)), { identities })

describe('an archive', () => {
  test('an archive unpacks every file, the manifest last, and omits a file deleted during packing', async () => {
    const target = mkdtempSync(join(folder, 'unpacked-'))
    const found = await unpackArchive(inPieces(sealed), target, { identities: [identity] })
    expect([...found.keys()]).toEqual([...Object.keys(contents), 'manifest.json'])
    for (const [name, bytes] of Object.entries(contents)) {
      expect(readFileSync(join(target, name)).equals(bytes), name).toBe(true)
    }
    expect(packedFiles).toEqual(Object.keys(contents).map((caminho) => ({ caminho, ...found.get(caminho) })))
    expect(readFileSync(join(target, 'manifest.json'), 'utf8')).toBe('{"manifesto":true}')
  })

  test('an archive hides names and contents', () => {
    for (const text of ['usuario', 'linha', 'manifest', 'app-secret']) {
      expect(sealed.includes(text), text).toBe(false)
    }
    expect(sealed.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  })

  test('an archive does not open with another identity', async () => {
    await expect(unpack(sealed, 'other-', [await generateX25519Identity()])).rejects.toThrow(
      /A chave privada não é a desta cópia/,
    )
  })

  test.each([0.2, 0.5, 0.99])('an archive is refused when it ends after %f of its bytes', async (part) => {
    const cut = sealed.subarray(0, Math.floor(sealed.length * part))
    await expect(unpack(cut, 'cut-')).rejects.toThrow(/foi alterada ou está incompleta/)
  })

  test('an archive is refused when one byte is altered', async () => {
    const altered = Buffer.from(sealed)
    altered[200_000] = (altered[200_000] ?? 0) ^ 1
    await expect(unpack(altered, 'altered-')).rejects.toThrow(/foi alterada ou está incompleta/)
    await expect(unpack(Buffer.from('outra coisa'), 'no-archive-')).rejects.toThrow(/não é uma cópia cifrada/)
  })

  test('an archive fails with the reason when a file cannot be read', async () => {
    mkdirSync(join(folder, 'source/files/pasta'), { recursive: true })
    await expect(packAll(['files/pasta'])).rejects.toThrow(/EISDIR/)
  })

  test('an archive streams without keeping the bytes in memory', { timeout: 60_000 }, async () => {
    const big = join(folder, 'source/files/grande')
    execFileSync('truncate', ['-s', '300M', big])
    const before = process.memoryUsage.rss()
    let most = before
    const { bytes, packed } = await packArchive({
      files: [{ caminho: 'files/grande', from: big }],
      manifestText: () => '{}',
      recipients: [await identityToRecipient(identity)],
    })
    let length = 0
    const passed = bytes.on('data', (chunk: Buffer) => {
      length += chunk.length
      most = Math.max(most, process.memoryUsage.rss())
    })
    const found = await unpackArchive(passed, mkdtempSync(join(folder, 'big-')), {
      identities: [identity],
      isKept: () => false,
    })
    await packed
    expect(length).toBeGreaterThan(300 * 2 ** 20)
    expect(found.get('files/grande')?.bytes).toBe(300 * 2 ** 20)
    // Garbage that is not yet collected counts, hence a limit far above what one pass holds.
    expect((most - before) / 2 ** 20).toBeLessThan(200)
  })

  const hasAge = spawnSync('age', ['--version']).status === 0
  test.skipIf(!hasAge)(
    'an archive opens with the programs age and tar (skipped without Debian’s package age)',
    () => {
      const key = join(folder, 'key.txt')
      const target = mkdtempSync(join(folder, 'by-age-'))
      writeFileSync(key, `# chave\n${identity}\n`)
      writeFileSync(join(target, 'copy.age'), sealed)
      execFileSync('age', ['-d', '-i', key, '-o', join(target, 'copy.tar'), join(target, 'copy.age')])
      execFileSync('tar', ['-xf', join(target, 'copy.tar'), '-C', target])
      expect(
        readFileSync(join(target, 'tables/usuario.ndjson.gz')).equals(
          contents['tables/usuario.ndjson.gz'] ?? Buffer.alloc(0),
        ),
      ).toBe(true)
    },
  )
})

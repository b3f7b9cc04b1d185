import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3 } from '../../../test/stand-ins/s3-server.ts'
import type { Problem } from '../lib/problem.ts'
import { createDiskStore, type FolderMemory } from './disk-store.ts'
import { decryptFile, encryptFile } from './encrypted-file.ts'
import type { FileStore } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

let folder: string
let s3: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bi-manager-files-'))
  s3 = await startS3()
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const settings = (changes: Partial<Parameters<typeof createS3Store>[0]> = {}) => ({
  endpoint: s3.settings.S3_ENDPOINT,
  bucket: s3.settings.S3_BUCKET,
  region: s3.settings.S3_REGION,
  accessKeyId: s3.settings.S3_ACCESS_KEY_ID,
  secretAccessKey: s3.settings.S3_SECRET_ACCESS_KEY,
  ...changes,
})
const attachments = () => join(folder, 'attachments')
/** As the database stores it. */
const memoryOf = (): FolderMemory => {
  let mark: string | undefined
  return {
    recall: async () => mark,
    note: async (first) => {
      mark ??= first
      return mark
    },
  }
}
const memory = memoryOf()
const unavailable = { codigo: 'armazenamento_indisponivel' }

const stores: [string, { open: () => FileStore; names: () => Promise<string[]> }][] = [
  ['disk', { open: () => createDiskStore(attachments(), memory), names: () => readdir(attachments()) }],
  ['S3', { open: () => createS3Store(settings()), names: () => s3.names() }],
]

describe.each(stores)('%s', (_, { open, names }) => {
  test('the store returns stored files of any size unchanged', async () => {
    const store = open()
    for (const size of [1, 1_000_000, 10 * 1024 * 1024 + 28]) {
      const [name, bytes] = [randomUUID(), randomBytes(size)]
      await store.put(name, bytes)
      expect((await store.get(name))?.equals(bytes)).toBe(true)
      expect(await names()).toContain(name)
      await store.delete(name)
      expect(await names()).not.toContain(name)
    }
  })

  test('the store finds nothing under an unknown name, and deletes it without an error', async () => {
    const store = open()
    const name = randomUUID()
    expect(await store.get(name)).toBeUndefined()
    await store.delete(name)
    await store.put(name, Buffer.from('x'))
    await store.delete(name)
    await store.delete(name)
    expect(await store.get(name)).toBeUndefined()
  })

  test('reports that it can be used', async () => {
    await expect(open().check()).resolves.toBeUndefined()
  })
})

describe('the disk store', () => {
  test('the disk store denies access to other users, and deletes the partial file of a crash', async () => {
    const store = createDiskStore(attachments(), memory)
    const name = randomUUID()
    await store.put(name, Buffer.from('x'))
    expect((await stat(join(attachments(), name))).mode & 0o077).toBe(0)
    expect((await stat(attachments())).mode & 0o077).toBe(0)
    const half = randomUUID()
    await writeFile(join(attachments(), `${half}.new`), 'ha')
    expect(await store.get(half)).toBeUndefined()
    await store.delete(half)
    expect((await readdir(attachments())).filter((found) => found.startsWith(half))).toEqual([])
    await store.delete(name)
  })

  test('the disk store refuses names that lead outside the folder', async () => {
    const store = createDiskStore(attachments(), memory)
    for (const name of ['../x', 'a/b', '', 'x'.repeat(36), `..${randomUUID().slice(2)}`]) {
      await expect(store.put(name, Buffer.from('x'))).rejects.toMatchObject(unavailable)
      await expect(store.get(name)).rejects.toMatchObject(unavailable)
    }
  })

  test('the disk store fails every call while its volume is not mounted, and works again afterwards', async () => {
    const [place, aside] = [join(folder, 'volume'), join(folder, 'volume-away')]
    const remembered = memoryOf()
    const store = createDiskStore(place, remembered)
    const name = randomUUID()
    await store.put(name, Buffer.from('x'))
    const refused = async (of: FileStore) => {
      const calls = [of.check(), of.get(name), of.put(randomUUID(), Buffer.from('y')), of.delete(name)]
      for (const settled of await Promise.allSettled(calls)) {
        expect(settled).toMatchObject({ status: 'rejected', reason: unavailable })
        const { cause } = (settled as PromiseRejectedResult).reason
        expect(String(cause)).toMatch(/is missing, or is not the folder .* is its volume mounted\?/)
      }
    }
    await rename(place, aside)
    await refused(store)
    expect(await readdir(folder)).not.toContain('volume')
    // An unmounted volume leaves an empty folder.
    await mkdir(place)
    await refused(store)
    // Also after a restart.
    await refused(createDiskStore(place, remembered))
    expect(await readdir(place)).toEqual([])
    await rm(place, { recursive: true })
    await rename(aside, place)
    expect((await store.get(name))?.toString()).toBe('x')

    // The folder of another installation in its place.
    await expect(createDiskStore(attachments(), remembered).get(name)).rejects.toMatchObject({
      ...unavailable,
      cause: { message: expect.stringContaining('another installation') },
    })
    // A database without a mark accepts the folder that it finds.
    await expect(createDiskStore(place, memoryOf()).check()).resolves.toBeUndefined()
  })

  test('the disk store is unavailable when its path is not a folder', async () => {
    const file = join(folder, 'a-file')
    await writeFile(file, '')
    const store = createDiskStore(join(file, 'attachments'), memoryOf())
    await expect(store.put(randomUUID(), Buffer.from('x'))).rejects.toMatchObject(unavailable)
    await expect(store.check()).rejects.toMatchObject(unavailable)
    await chmod(file, 0o600)
  })
})

describe('the S3 store', () => {
  const refusalsOf = async (store: FileStore): Promise<Problem[]> => {
    const calls = [
      store.put(randomUUID(), Buffer.from('x')),
      store.get(randomUUID()),
      store.delete(randomUUID()),
    ]
    const settled = await Promise.allSettled([...calls, store.check()])
    return settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  }

  test.each<[string, () => Parameters<typeof createS3Store>[0]]>([
    ['a wrong secret', () => settings({ secretAccessKey: 'um-segredo-errado' })],
    ['an unknown key', () => settings({ accessKeyId: 'NINGUEM' })],
    ['an unreachable endpoint', () => settings({ endpoint: 'http://127.0.0.1:9' })],
  ])('the S3 store is unavailable with %s, and the error names no secret', async (_, wrong) => {
    const refusals = await refusalsOf(createS3Store(wrong()))
    expect(refusals).toHaveLength(4)
    for (const refusal of refusals) {
      expect(refusal).toMatchObject(unavailable)
      const told = JSON.stringify(refusal, Object.getOwnPropertyNames(refusal)) + String(refusal.cause)
      expect(told).not.toContain(wrong().secretAccessKey)
      expect(told).not.toContain('Signature=')
      expect(String(refusal.cause)).toMatch(/^Error: S3 (put|get|delete|check): ./)
    }
  })

  test('the S3 store is unavailable with an unknown bucket', async () => {
    const store = createS3Store(settings({ bucket: 'nenhum-destes' }))
    await expect(store.put(randomUUID(), Buffer.from('x'))).rejects.toMatchObject(unavailable)
    await expect(store.check()).rejects.toMatchObject(unavailable)
  })

  test('times out without an answer, and follows no redirect', async () => {
    const silent = createServer((request, response) => {
      if (request.method === 'DELETE') {
        response.writeHead(307, { location: `${s3.settings.S3_ENDPOINT}/${s3.settings.S3_BUCKET}/x` }).end()
      }
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const store = createS3Store(settings({ endpoint }), { timeoutMs: 300 })
    await expect(store.put(randomUUID(), Buffer.from('x'))).rejects.toMatchObject(unavailable)
    await expect(store.delete(randomUUID())).rejects.toMatchObject(unavailable)
    silent.closeAllConnections()
    silent.close()
  })
})

test('an encrypted file is decrypted unaltered, with its own key and for its own attachment', () => {
  const plain = randomBytes(100_000)
  const { encrypted, key } = encryptFile(plain, 'anexo 1')
  expect(encrypted.includes(plain.subarray(0, 32))).toBe(false)
  expect(decryptFile(encrypted, key, 'anexo 1').equals(plain)).toBe(true)
  const other = encryptFile(plain, 'anexo 1').key
  expect(other).not.toBe(key)
  expect(() => decryptFile(encrypted, other, 'anexo 1')).toThrow()
  expect(() => decryptFile(encrypted, key, 'anexo 2')).toThrow()
  for (const at of [0, 20, 40, encrypted.length - 1]) {
    const altered = Buffer.from(encrypted)
    altered[at] = (altered[at] ?? 0) ^ 1
    expect(() => decryptFile(altered, key, 'anexo 1')).toThrow()
  }
  expect(() => decryptFile(encrypted.subarray(0, -1), key, 'anexo 1')).toThrow()
  expect(() => decryptFile(encrypted.subarray(0, 10), key, 'anexo 1')).toThrow()
})

const small = mkdtempSync(join(tmpdir(), 'bi-manager-small-'))
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'bi-manager', small]).status === 0
afterAll(() => {
  if (canMount) execFileSync('umount', ['-l', small])
  rmSync(small, { recursive: true })
})

test.skipIf(!canMount)('a full disk is named, and files are still read (needs root)', async () => {
  const store = createDiskStore(join(small, 'attachments'), memoryOf())
  const name = randomUUID()
  await store.put(name, Buffer.from('antes'))
  await expect(store.put(randomUUID(), randomBytes(2 ** 21))).rejects.toMatchObject({ codigo: 'sem_espaco' })
  expect(String(await store.get(name))).toBe('antes')
})

import { FOLDER_BYTES } from '@bi-manager/contract'
import { strToU8, type ZipOptions, type Zippable, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { filesOfZip } from './zip-files.ts'

const zip = (
  content: Zippable,
  change: (bytes: Uint8Array<ArrayBuffer>) => void = () => {},
  options: ZipOptions = {},
) => {
  const bytes = zipSync(content, options)
  change(bytes)
  return new File([bytes], 'x.zip')
}
/** Writes into each entry of the central directory. */
const inEntries =
  (write: (view: DataView, at: number) => void) =>
  (bytes: Uint8Array): void => {
    const view = new DataView(bytes.buffer)
    for (let at = 0; at < bytes.length - 4; at++) if (view.getUint32(at, true) === 0x02014b50) write(view, at)
  }

describe('filesOfZip', () => {
  test('filesOfZip returns the files with their paths, without folders', async () => {
    const found = await filesOfZip(zip({ a: { 'b.csv': strToU8('x\n1\n'), c: {} }, 'd.json': strToU8('{}') }))
    expect(found.map(({ path, file }) => [path, file.name, file.size])).toEqual([
      ['a/b.csv', 'b.csv', 4],
      ['d.json', 'd.json', 2],
    ])
    expect(await found[0]?.file.text()).toBe('x\n1\n')
  })

  test.each([
    ['../fora.json', '../fora.json'],
    ['a/../../fora.json', 'a/../../fora.json'],
    ['/etc/passwd', '/etc/passwd'],
    ['a/./b.json', 'a/./b.json'],
    ['..', '..'],
  ])('filesOfZip refuses the path %s', async (path, said) => {
    await expect(filesOfZip(zip({ [path]: strToU8('{}') }))).rejects.toThrow(
      `O zip tem um caminho que sai da pasta: ${said}`,
    )
  })

  test('filesOfZip refuses folders separated as in Windows, with another sentence', async () => {
    await expect(filesOfZip(zip({ 'a\\b.json': strToU8('{}') }))).rejects.toThrow(
      'a\\b.json: este zip separa as pastas com \\.',
    )
  })

  test('filesOfZip refuses links', async () => {
    const link = { 'a/b.csv': [strToU8('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] } satisfies Zippable
    await expect(filesOfZip(zip(link))).rejects.toThrow('a/b.csv: atalhos não são aceitos')
  })

  test('filesOfZip refuses a zip with a password', async () => {
    const encrypt = inEntries((view, at) => view.setUint16(at + 8, 1, true))
    await expect(filesOfZip(zip({ 'a.csv': strToU8('x') }, encrypt))).rejects.toThrow(/protegido por senha/)
  })

  test('filesOfZip refuses more bytes or entries than it may have, before it unpacks them', async () => {
    const bomb = zip({ 'a.csv': new Uint8Array(FOLDER_BYTES + 1) })
    expect(bomb.size).toBeLessThan(FOLDER_BYTES / 100)
    await expect(filesOfZip(bomb)).rejects.toThrow(/O zip contém 50 MB; o limite é 50 MB/)
    const many = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, index) => [`${index}.csv`, strToU8('x')]),
    )
    await expect(filesOfZip(zip(many))).rejects.toThrow('O zip tem mais de 1000 entradas.')
  })

  /** Writes another size into both headers of each entry. */
  const announce =
    (size: number) =>
    (bytes: Uint8Array): void => {
      const view = new DataView(bytes.buffer)
      inEntries((all, at) => {
        all.setUint32(at + 24, size, true)
        view.setUint32(all.getUint32(at + 42, true) + 22, size, true)
      })(bytes)
    }
  const compressions = [
    ['deflated', 6],
    ['stored', 0],
  ] as const

  test.each(compressions)('filesOfZip reads a %s entry', async (_, level) => {
    const [found] = await filesOfZip(zip({ 'a.csv': [strToU8('x'.repeat(1_000)), { level }] }))
    expect(await found?.file.text()).toBe('x'.repeat(1_000))
  })

  test.each(
    compressions.flatMap(([name, level]) => [
      { name, level, size: 10, than: 'less' },
      { name, level, size: 2_000, than: 'more' },
    ]),
  )('filesOfZip refuses a $name entry that announces $than than it contains', async ({ level, size }) => {
    const lying = zip({ 'a.csv': [strToU8('x'.repeat(1_000)), { level }] }, announce(size))
    await expect(filesOfZip(lying)).rejects.toThrow('a.csv: o tamanho que o zip anuncia não é o do arquivo')
  })

  test('filesOfZip refuses a stored entry whose content reaches into the next one', async () => {
    const two = { 'a.csv': strToU8('x'.repeat(100)), 'b.csv': strToU8('y'.repeat(100)) }
    const reach = inEntries((view, at) => {
      if (view.getUint32(at + 42, true) > 0) return
      view.setUint32(at + 20, 200, true)
      view.setUint32(at + 24, 200, true)
    })
    await expect(filesOfZip(zip(two, reach, { level: 0 }))).rejects.toThrow(/ocupam o mesmo lugar/)
  })

  test('filesOfZip refuses entries that share their content', async () => {
    const two = { 'a.csv': strToU8('x'.repeat(100)), 'b.csv': strToU8('x'.repeat(100)) }
    const share = inEntries((view, at) => view.setUint32(at + 42, 0, true))
    await expect(filesOfZip(zip(two, share))).rejects.toThrow(/ocupam o mesmo lugar/)
  })

  test('filesOfZip refuses two entries with one path', async () => {
    const two = { 'a.csv': strToU8('1'), 'b.csv': strToU8('2') }
    const rename = inEntries((view, at) => view.setUint8(at + 46, 'a'.charCodeAt(0)))
    await expect(filesOfZip(zip(two, rename))).rejects.toThrow(/dois arquivos com o mesmo caminho/)
  })

  test('filesOfZip refuses a compression that it does not know', async () => {
    const other = inEntries((view, at) => view.setUint16(at + 10, 14, true))
    await expect(filesOfZip(zip({ 'a.csv': strToU8('x') }, other))).rejects.toThrow(
      /esta compressão não é aceita/,
    )
  })

  test('filesOfZip refuses content outside the zip', async () => {
    const outside = inEntries((view, at) => view.setUint32(at + 20, 0xffffff00, true))
    await expect(filesOfZip(zip({ 'a.csv': strToU8('x') }, outside))).rejects.toThrow(/não pôde ser lido/)
  })

  test.each([
    ['no zip', 'texto'],
    ['an empty file', ''],
  ])('filesOfZip refuses %s', async (_, text) => {
    await expect(filesOfZip(new File([text], 'x.zip'))).rejects.toThrow(/O zip não pôde ser lido/)
  })

  test('filesOfZip refuses a zip that ends early', async () => {
    const bytes = zipSync({ 'a.csv': strToU8('x'.repeat(1_000)) })
    await expect(filesOfZip(new File([bytes.subarray(60)], 'x.zip'))).rejects.toThrow(/não pôde ser lido/)
  })
})

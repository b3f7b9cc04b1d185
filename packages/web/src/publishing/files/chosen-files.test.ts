import { DATA_EXTENSIONS, MAX_DATA_FILES } from '@bi-manager/contract'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { chosenOf } from './chosen-files.ts'

const file = (path: string, content: BlobPart = 'x') => ({
  path,
  file: new File([content], path.split('/').at(-1) ?? path),
})
const paths = (chosen: Awaited<ReturnType<typeof chosenOf>>) =>
  chosen.kind === 'data' ? chosen.files.map(({ name }) => name) : chosen.files.map(({ path }) => path)

describe('chosenOf', () => {
  test('chosenOf takes data files, also those of a folder, and leaves out the rest', async () => {
    const chosen = await chosenOf(
      ['a.csv', 'pasta/b.xlsx', 'pasta/leia.pdf', '.DS_Store'].map((path) => file(path)),
    )
    expect([chosen.kind, paths(chosen)]).toEqual(['data', ['a.csv', 'b.xlsx']])
    expect(chosen.leftOut).toEqual(['pasta/leia.pdf', '.DS_Store'])
    // The reader of data files says what is wrong with it.
    expect(paths(await chosenOf([file('a.pdf')]))).toEqual(['a.pdf'])
  })

  test('chosenOf takes a folder with definitions', async () => {
    const all = [
      'v/dataset.json',
      'v/v.csv',
      'v/v.xlsx',
      'v/leia.md',
      'v/.git/config.json',
      '__MACOSX/v/x.json',
      'w/r.json',
    ]
    const chosen = await chosenOf(all.map((path) => file(path)))
    expect(chosen).toMatchObject({ kind: 'folder', name: 'v' })
    expect(paths(chosen)).toEqual(['v/dataset.json', 'v/v.csv', 'v/v.xlsx', 'w/r.json'])
    expect(chosen.leftOut).toEqual(['v/leia.md', 'v/.git', '__MACOSX'])
  })

  test.each(DATA_EXTENSIONS)(
    'chosenOf sends %s alone, among others, in a folder and in a zip',
    async (extension) => {
      const name = `v/tabela${extension.toUpperCase()}`
      const folder = ['v/dataset.json', name]
      const zipped = zipSync(Object.fromEntries(folder.map((path) => [path, strToU8('{}')])))
      const sent = await Promise.all(
        [[file(name)], [file(name), file('b.csv')], folder.map((path) => file(path))].map(chosenOf),
      )
      expect(sent.map((one) => paths(one))).toEqual([
        [name.slice(2)],
        [name.slice(2), 'b.csv'],
        ['v/dataset.json', name],
      ])
      expect(paths(await chosenOf([file('v.zip', zipped)]))).toEqual(['v/dataset.json', name])
    },
  )

  test('chosenOf leaves out what systems and editors write, and names it', async () => {
    const left = ['v/.DS_Store', 'v/Thumbs.db', 'v/desktop.ini', 'v/~$x.xlsx', 'v/.~lock.x.xlsx#']
    for (const data of [['v/x.xlsx'], ['v/dataset.json', 'v/x.xlsx']]) {
      const chosen = await chosenOf([...data, ...left].map((path) => file(path)))
      expect(chosen.files).toHaveLength(data.length)
      expect(chosen.leftOut).toEqual(left)
    }
  })

  test('chosenOf opens a zip, and names the folder of one without any', async () => {
    const flat = zipSync({ 'dataset.json': strToU8('{}'), 'v.csv': strToU8('x') })
    expect(paths(await chosenOf([file('vendas [1].zip', flat)]))).toEqual([
      'vendas _1_/dataset.json',
      'vendas _1_/v.csv',
    ])
    const deep = zipSync({ v: { 'dataset.json': strToU8('{}') } })
    expect(paths(await chosenOf([file('vendas.zip', deep)]))).toEqual(['v/dataset.json'])
    const data = zipSync({ 'a.csv': strToU8('x'), 'b.csv': strToU8('x') })
    expect(paths(await chosenOf([file('dados.zip', data)]))).toEqual(['a.csv', 'b.csv'])
  })

  test.each([
    [[], /^Escolha arquivos CSV, XLSX ou Parquet/],
    [['a.pdf', 'b.pdf'], /^Escolha arquivos CSV, XLSX ou Parquet/],
    [['a.zip', 'b.csv'], /^Escolha o zip sozinho/],
    [['dataset.json', 'v.csv'], /^dataset\.json: escolha a pasta inteira/],
    [
      Array.from({ length: MAX_DATA_FILES + 1 }, (_, index) => `${index}.csv`),
      /até 10 arquivos.*Estes são 11/,
    ],
    [Array.from({ length: 101 }, (_, index) => `v/${index}.json`), /tem 101 arquivos; o limite é 100/],
  ])('chosenOf refuses %j', async (names, sentence) => {
    await expect(chosenOf(names.map((name) => file(name)))).rejects.toThrow(sentence)
  })

  test('chosenOf refuses a file that is too large for the portal, with its size', async () => {
    const large = file('v/v.csv', new Uint8Array(11 * 1024 * 1024))
    await expect(chosenOf([file('v/dataset.json'), large])).rejects.toThrow(
      /^v\/v\.csv tem 11 MB; o limite é 10 MB/,
    )
  })
})

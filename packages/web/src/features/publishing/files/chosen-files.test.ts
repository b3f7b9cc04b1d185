import { MOST_DATA_FILES } from '@bi-manager/contract'
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
  test('takes data files, also those of a folder, and leaves out the rest', async () => {
    const chosen = await chosenOf(
      ['a.csv', 'pasta/b.xlsx', 'pasta/leia.pdf', '.DS_Store'].map((path) => file(path)),
    )
    expect([chosen.kind, paths(chosen)]).toEqual(['data', ['a.csv', 'b.xlsx']])
    // The reader of data files says what is wrong with it.
    expect(paths(await chosenOf([file('a.pdf')]))).toEqual(['a.pdf'])
  })

  test('takes a folder with definitions', async () => {
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
  })

  test('opens a zip, and names the folder of one without any', async () => {
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
      Array.from({ length: MOST_DATA_FILES + 1 }, (_, index) => `${index}.csv`),
      /até 10 arquivos.*Estes são 11/,
    ],
    [Array.from({ length: 101 }, (_, index) => `v/${index}.json`), /tem 101 arquivos; o limite é 100/],
  ])('refuses %j', async (names, sentence) => {
    await expect(chosenOf(names.map((name) => file(name)))).rejects.toThrow(sentence)
  })

  test('refuses a file that is too large for the portal, with its size', async () => {
    const large = file('v/v.csv', new Uint8Array(11 * 1024 * 1024))
    await expect(chosenOf([file('v/dataset.json'), large])).rejects.toThrow(
      /^v\/v\.csv tem 11 MB; o limite é 10 MB/,
    )
  })
})

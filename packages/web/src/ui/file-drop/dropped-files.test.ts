import { expect, test } from 'vitest'
import { filesOfDrop, filesOfList } from './dropped-files.ts'

/* happy-dom has no file system entries: these do what browsers do. */

type Tree = { [name: string]: Tree | string }

const entryOf = (path: string, content: Tree | string): FileSystemEntry => {
  const name = path.split('/').at(-1) ?? ''
  if (typeof content === 'string')
    return {
      isDirectory: false,
      isFile: true,
      fullPath: path,
      name,
      file: (done: (file: File) => void) => done(new File([content], name)),
    } as unknown as FileSystemEntry
  const entries = Object.entries(content).map(([inner, value]) => entryOf(`${path}/${inner}`, value))
  const createReader = () => {
    const left = [...entries]
    // At most two at a time, as browsers return at most a hundred.
    return { readEntries: (done: (part: FileSystemEntry[]) => void) => done(left.splice(0, 2)) }
  }
  return {
    isDirectory: true,
    isFile: false,
    fullPath: path,
    name,
    createReader,
  } as unknown as FileSystemEntry
}

const dropOf = (tree: Tree, files: File[] = []) =>
  ({
    items: Object.entries(tree).map(([name, content]) => ({
      webkitGetAsEntry: () => entryOf(`/${name}`, content),
    })),
    files,
  }) as unknown as DataTransfer

test('a drop has its files, and those of its folders with their paths', async () => {
  const tree = { 'a.csv': '1', pasta: { x: { 'y.json': '{}' }, b: 'b', c: 'c', d: 'd' } }
  const found = await filesOfDrop(dropOf(tree))
  expect(found.map(({ path, file }) => [path, file.name])).toEqual([
    ['a.csv', 'a.csv'],
    ['pasta/x/y.json', 'y.json'],
    ['pasta/b', 'b'],
    ['pasta/c', 'c'],
    ['pasta/d', 'd'],
  ])
})

test('a drop without entries has its plain files', async () => {
  const [found] = await filesOfDrop(dropOf({}, [new File(['x'], 'a.csv')]))
  expect(found?.path).toBe('a.csv')
})

test('reading a drop ends after a thousand files', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, index) => [`${index}`, 'x']))
  expect((await filesOfDrop(dropOf({ many: { ...many } }))).length).toBeLessThanOrEqual(1_000)
})

test('files of a chosen folder have their paths', () => {
  const file = new File(['x'], 'dataset.json')
  Object.defineProperty(file, 'webkitRelativePath', { value: 'vendas/dataset.json' })
  expect(filesOfList([file, new File(['x'], 'b.csv')]).map(({ path }) => path)).toEqual([
    'vendas/dataset.json',
    'b.csv',
  ])
})

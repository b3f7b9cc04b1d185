import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles, readPackages, resolveSpecifier } from './read-imports.ts'

/*
 * Exports that no other file uses. A file that is imported as a whole, or while the program runs, has
 * no unused ones: what is taken from it is not in the import. Default exports are for tools.
 */

const clause = String.raw`(\{[^}]*\}|\*(?: as \w+)?|\w+(?:,\s*\{[^}]*\})?)`
const imports = new RegExp(String.raw`\b(import|export)\s+(?:type\s+)?${clause}\s*from\s*'([^'\n]+)'`, 'g')
const wholeImports = /\bimport\(\s*'([^'\n]+)'/g
const declarations =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+|\{[^}]*\})/gm
const lists = /^export (?:type )?\{([^}]*)\}/gm

const namesIn = (list: string, end: 'first' | 'last'): string[] =>
  list
    .replace(/\/\*.*?\*\/|\/\/.*|[{}]/gs, '')
    .split(',')
    .map((name) => name.replace(/^\s*type\s+(?=\w)/, '').trim())
    .filter(Boolean)
    .map((name) => name.split(/\s+as\s+|:\s*/).at(end === 'first' ? 0 : -1) ?? '')

const isNamed = (name: string): boolean => name !== 'default'

const exportedBy = (text: string): string[] => [
  ...[...text.matchAll(declarations)].flatMap(([, name = '']) => namesIn(name, 'last')),
  ...[...text.matchAll(lists)].flatMap(([, list = '']) => namesIn(list, 'last')).filter(isNamed),
]

/**
 * Returns 'file: name' of each export that no other file uses.
 * @param resolve returns the path of an imported file
 */
const unusedExports = (
  sources: ReadonlyMap<string, string>,
  resolve: (from: string, specifier: string) => string | undefined,
): string[] => {
  const whole = new Set<string>()
  const used = new Set<string>()
  /** File → the files that export all of its names. */
  const passedOn = new Map<string, string[]>()
  for (const [file, text] of sources) {
    for (const [, specifier = ''] of text.matchAll(wholeImports)) whole.add(resolve(file, specifier) ?? '')
    for (const [, word, what = '', specifier = ''] of text.matchAll(imports)) {
      const path = resolve(file, specifier) ?? ''
      if (word === 'export' && what === '*') passedOn.set(path, [...(passedOn.get(path) ?? []), file])
      else if (what.startsWith('*')) whole.add(path)
      else for (const name of namesIn(what.replace(/^\w+,/, ''), 'first')) used.add(`${path}: ${name}`)
    }
  }
  const isUsed = (file: string, name: string): boolean =>
    whole.has(file) ||
    used.has(`${file}: ${name}`) ||
    (passedOn.get(file) ?? []).some((other) => isUsed(other, name))
  return [...sources]
    .filter(([file]) => /(?<!\.d)\.tsx?$/.test(file))
    .flatMap(([file, text]) =>
      [...new Set(exportedBy(text))].filter((name) => !isUsed(file, name)).map((name) => `${file}: ${name}`),
    )
}

/** Returns those of the files that Git knows or would add. */
const unusedIn = (root: string): string[] => {
  const files = listFiles(root).filter((file) => /\.(tsx?|m?js)$/.test(file))
  const packages = readPackages(root)
  return unusedExports(
    new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')])),
    (from, to) => resolveSpecifier(from, to, packages),
  )
}

const unused = (files: Record<string, string>) =>
  unusedExports(new Map(Object.entries(files)), (from, to) => normalize(join(from, '..', to)))

test.each([
  ['a value', 'export const one = 1', "import { one } from './a.ts'"],
  ['a value under another name', 'export const one = 1', "import { other, one as first } from './a.ts'"],
  ['a type', 'export interface One {}', "import {\n  two,\n  type One,\n} from './a.ts'"],
  ['a value named type', 'export const type = 1', "import { type } from './a.ts'"],
  ['a part of a value', 'export const { one, a: two } = all', "import { one, two } from './a.ts'"],
  [
    'what another file passes on',
    'export async function one() {}',
    "export { one as default } from './a.ts'",
  ],
  ['a file as a whole', 'export class One {}', "import * as all from './a.ts'"],
  ['a file that is loaded later', 'export enum One {}', "const { One } = await import('./a.ts')"],
])('unusedExports finds the use of %s', (_, exported, imported) => {
  expect(unused({ 'a.ts': exported, 'b.ts': imported })).toEqual([])
})

test('unusedExports names what no other file uses, also what a door passes on', () => {
  expect(
    unused({
      'a.ts':
        'export const one = 1\nexport const two = one\nexport type Three = 3\nconst four = 4\nexport { four }',
      'door.ts': "export { two } from './a.ts'",
      'all.ts': "export * from './b.ts'",
      'b.ts': 'export const used = 1\nexport const unused = 2',
      'c.ts': "import { used } from './all.ts'",
    }),
  ).toEqual(['a.ts: one', 'a.ts: Three', 'a.ts: four', 'door.ts: two', 'b.ts: unused'])
})

test('no file exports what no other one uses: make it local, or delete it', () => {
  // Commands, which scripts/run.js starts.
  const found = unusedIn(join(import.meta.dirname, '../..')).filter(
    (name) => !/^scripts\/[^/]+\.ts: main$/.test(name),
  )
  expect(found).toEqual([])
})

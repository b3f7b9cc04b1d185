import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The files that each source file imports, also types; paths from the repository's root. */
export type Imports = Map<string, Set<string>>

/** Returns the files that Git knows or would add. */
export const listFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
    .split('\n')
    .filter((file) => file && existsSync(join(root, file)))

export const isTest = (file: string) => /\.(test|long|journey)\.tsx?$/.test(file)

const isSource = (file: string) => /^(packages|scripts|bench)\/.*\.tsx?$/.test(file)

/**
 * `imported` is each import; `inText` is what can change the behaviour of a file: each quoted path,
 * such as the program of a worker, without imports of types.
 */
const specifiers = {
  imported: /(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g,
  inText: /'([^'\n]+\.\w+|@bi-manager\/[^'\n]+)'/g,
}

const typeImport = /^(?:import|export) type [^']*'[^']*'/gm

/** Reads the imports of all source files. */
export function readImports(root: string, kind: keyof typeof specifiers = 'imported'): Imports {
  const files = listFiles(root)
  const known = new Set(files)
  const packages = readPackages(root)
  const sources = files.filter(isSource).map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { file, text: kind === 'inText' ? text.replace(typeImport, '') : text }
  })
  const barrel = namesOfBarrel(sources)
  const imports: Imports = new Map()
  for (const { file, text } of sources) {
    const found = new Set<string>()
    for (const [, specifier = ''] of text.matchAll(specifiers[kind])) {
      const path = resolveSpecifier(file, specifier, packages)
      if (path && path !== file && known.has(path)) found.add(path)
    }
    if (kind === 'inText' && found.delete(barrelFile))
      for (const path of importedOf(text, barrel)) found.add(path)
    imports.set(file, found)
  }
  return imports
}

interface WorkspacePackage {
  folder: string
  exports: Record<string, string>
}

export function readPackages(root: string): Map<string, WorkspacePackage> {
  const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  return new Map(
    folders.flatMap((folder) => {
      const manifest = join(root, folder, 'package.json')
      if (!existsSync(manifest)) return []
      const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
      return [[name, { folder, exports }]]
    }),
  )
}

export function resolveSpecifier(
  from: string,
  specifier: string,
  packages: Map<string, WorkspacePackage>,
): string | undefined {
  const [, name, rest] = /^(@bi-manager\/[^/]+)(\/.+)?$/.exec(specifier) ?? []
  if (!name) return specifier.startsWith('/') ? undefined : normalize(join(dirname(from), specifier))
  const { folder, exports } = packages.get(name) ?? { folder: '', exports: {} }
  const wanted = `.${rest ?? ''}`
  // As in Node, './test/*' goes before './*'.
  for (const [key, target] of Object.entries(exports).sort(([a], [b]) => b.length - a.length)) {
    const [start = '', end] = key.split('*')
    if (end === undefined ? key !== wanted : !wanted.startsWith(start)) continue
    return normalize(join(folder, target.replace('*', wanted.slice(start.length))))
  }
  return undefined
}

/** It exports the whole contract: an import from it is an import of the files that it names. */
const barrelFile = 'packages/contract/src/index.ts'

const namesOfBarrel = (sources: { file: string; text: string }[]): Map<string, string> =>
  new Map(
    sources
      .filter(({ file }) => file.startsWith(dirname(barrelFile)))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^export (?:const|function|async function|class) (\w+)/gm)].map(
          ([, name = '']): [string, string] => [name, file],
        ),
      ),
  )

const importedOf = (text: string, barrel: Map<string, string>): string[] =>
  [...text.matchAll(/\{([^{}]*)\}\s*from '@bi-manager\/contract'/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => !name.startsWith('type '))
    .flatMap((name) => barrel.get(name.split(/\s/)[0] ?? '') ?? [])

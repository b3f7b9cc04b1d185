import { dirname, join } from 'node:path'
import { type Imports, isTest, readImports } from './read-imports.ts'

/** A folder's imports from another one: an example for each, as `file imports file`. */
type FolderImports = Map<string, Map<string, string>>

/** Returns a sentence for each cycle of folders found; type imports count, tests do not. */
export function folderCycles(imports: Imports): string[] {
  const folders = byFolder(imports)
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (folder: string, path: string[]) => {
    const start = path.indexOf(folder)
    if (start >= 0) cycles.push(describeCycle([...path.slice(start), folder], folders))
    if (start >= 0 || done.has(folder)) return
    for (const imported of folders.get(folder)?.keys() ?? []) visit(imported, [...path, folder])
    done.add(folder)
  }
  for (const folder of folders.keys()) visit(folder, [])
  return cycles
}

function byFolder(imports: Imports): FolderImports {
  const folders: FolderImports = new Map()
  for (const [file, imported] of imports) {
    if (isTest(file)) continue
    const folder = folderOf(file)
    const found = folders.get(folder) ?? new Map<string, string>()
    folders.set(folder, found)
    for (const path of imported) {
      if (folderOf(path) !== folder) found.set(folderOf(path), `${file} imports ${path}`)
    }
  }
  return folders
}

/** The `index.ts` of an area is its door: other areas import it, and the area does not. */
const folderOf = (file: string): string => (file.endsWith('/index.ts') ? file : dirname(file))

const describeCycle = (path: string[], folders: FolderImports): string =>
  [
    `Import cycle of folders: ${path.join(' → ')}`,
    ...path.slice(1).map((folder, n) => `  ${folders.get(path[n] ?? '')?.get(folder)}`),
  ].join('\n')

if (import.meta.main) {
  const cycles = folderCycles(readImports(join(import.meta.dirname, '../..')))
  for (const cycle of cycles) console.error(cycle)
  process.exitCode = cycles.length > 0 ? 1 : 0
}

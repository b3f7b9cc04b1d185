import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTest, listFiles } from './read-imports.ts'

/*
 * `node scripts/rules/source-size.ts [COMMIT]` prints the size of the source in characters without white
 * space, so that neither short lines nor packed ones change it. Without a commit it reads the working tree.
 */

/** A file's path from the root, and its text. */
type SourceText = [file: string, text: string]

interface Size {
  files: number
  /** Files of at most `MAX_SHORT_LINES` lines. */
  shortFiles: number
  characters: number
}

/** The sizes of the areas of each package. */
type Sizes = Map<string, Map<string, Size>>

const MAX_SHORT_LINES = 30

/** Files directly in a package or in its `src`. */
const TOP = '(top)'

const counted = /^(packages|scripts|bench)\/.*\.(ts|tsx|css|sql|mjs|html)$/

/** What only tests use, or what runs them: journeys, stand-ins, samples, clusters of nodes. */
const helpers = /^(packages\/e2e|scripts\/vitest|scripts\/nodes)\/|\/(test|fixtures)\//

/** Tells whether the file counts as source. */
export const isCounted = (file: string): boolean => counted.test(file) && !isTest(file) && !helpers.test(file)

/** Returns the package of a file, and the folder of the package, or of its `src`, that the file is in. */
export function placeOf(file: string): { packageName: string; area: string } {
  const parts = file.split('/')
  const packageParts = parts.splice(0, parts[0] === 'packages' ? 2 : 1)
  if (parts[0] === 'src') parts.shift()
  return { packageName: packageParts.at(-1) ?? '', area: parts.length > 1 ? (parts[0] ?? TOP) : TOP }
}

/** Sums the sizes of the texts; texts that do not count as source must have been left out. */
export function sourceSizes(texts: Iterable<SourceText>): Sizes {
  const sizes: Sizes = new Map()
  for (const [file, text] of texts) {
    const { packageName, area } = placeOf(file)
    const areas = sizes.get(packageName) ?? new Map<string, Size>()
    sizes.set(packageName, areas)
    const size = areas.get(area) ?? { files: 0, shortFiles: 0, characters: 0 }
    areas.set(area, size)
    size.files += 1
    if (text.trimEnd().split('\n').length <= MAX_SHORT_LINES) size.shortFiles += 1
    size.characters += [...text.replace(/\s+/g, '')].length
  }
  return sizes
}

/** Returns the sizes as a table of Markdown: packages and areas by name, each package with its total. */
export function describeSizes(sizes: Sizes): string {
  const rows = [...sizes].sort(byName).flatMap(([packageName, areas]) => {
    const total = row(`**${packageName}**`, '', sum(areas.values()))
    return [total, ...[...areas].sort(byName).map(([area, size]) => row('', area, size))]
  })
  const all = sum([...sizes.values()].flatMap((areas) => [...areas.values()]))
  return [
    `| package | area | files | files of at most ${MAX_SHORT_LINES} lines | characters |`,
    '|---|---|--:|--:|--:|',
    ...rows,
    row('**all**', '', all),
  ].join('\n')
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]) => one.localeCompare(other, 'en')

function sum(sizes: Iterable<Size>): Size {
  const total = { files: 0, shortFiles: 0, characters: 0 }
  for (const size of sizes) {
    total.files += size.files
    total.shortFiles += size.shortFiles
    total.characters += size.characters
  }
  return total
}

const row = (packageName: string, area: string, { files, shortFiles, characters }: Size) =>
  `| ${packageName} | ${area} | ${files} | ${shortFiles} | ${characters.toLocaleString('en')} |`

/** Reads the source of the working tree, or of a commit. */
export function readSource(root: string, commit?: string): SourceText[] {
  if (!commit) {
    const files = listFiles(root).filter(isCounted)
    return files.map((file) => [file, readFileSync(join(root, file), 'utf8')])
  }
  const git = (args: string[], input = '') =>
    execFileSync('git', args, { cwd: root, input, maxBuffer: 2 ** 28 })
  const files = git(['ls-tree', '-r', '-z', '--name-only', commit]).toString().split('\0').filter(isCounted)
  const blobs = git(
    ['cat-file', '--batch=%(objectsize)'],
    files.map((file) => `${commit}:${file}\n`).join(''),
  )
  let at = 0
  return files.map((file) => {
    const start = blobs.indexOf('\n', at) + 1
    const end = start + Number(blobs.toString('utf8', at, start))
    at = end + 1
    return [file, blobs.toString('utf8', start, end)]
  })
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  console.log(describeSizes(sourceSizes(readSource(root, process.argv[2]))))
}

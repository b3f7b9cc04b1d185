import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Imports, isTest, readImports } from './read-imports.ts'

/*
 * The order of the code: a file imports its own layer and those before it, and a file of an area
 * only through the area's `index.ts`. Tests, and the folders `test` beside `src`, are free.
 */

export interface Layers {
  /** Below the areas, from the ground; a folder has all of its subfolders. */
  below: string[]
  /** From what is needed to what needs it. */
  areas: string[]
  /** Above the areas: the composition, which may import files of areas by their ending. */
  above: string[]
  /** Whether an area is imported through its `index.ts` alone. */
  hasDoors: boolean
}

/** In the field's words, the same in contract, server, web and journeys. */
const areas = [
  'accounts',
  'connections',
  'reports',
  'access',
  'publishing',
  'distribution',
  'clinical',
  'operations',
]

const platform = (...folders: string[]) => folders.map((folder) => `platform/${folder}`)

const layers: Record<string, Layers> = {
  'packages/contract/src': {
    below: ['calls'],
    areas,
    above: ['entities.ts', 'audit.ts', 'dependants.ts', 'api-key-groups.ts', 'index.ts'],
    hasDoors: false,
  },
  'packages/server/src': {
    below: platform(
      'lib',
      'config',
      'db',
      'jobs',
      'audit',
      'brand',
      'commands',
      'files',
      'installation',
      'http',
      'mail',
      'notifications',
    ),
    areas,
    above: [
      'all-services.ts',
      'demo',
      'mails.ts',
      'routes.ts',
      'background.ts',
      'app.ts',
      'start-server.ts',
      'main.ts',
    ],
    hasDoors: true,
  },
  'packages/web/src': { below: ['lib', 'ui'], areas, above: ['app', 'main.tsx'], hasDoors: true },
  'packages/reports/src': {
    below: ['http', 'definitions', 'wire'],
    areas: ['engine', 'embed-page', 'authoring', 'exports', 'archive', 'protocol'],
    above: ['demo', 'config.ts', 'health.ts', 'metrics.ts', 'app.ts', 'main.ts'],
    hasDoors: false,
  },
}

/** What the composition lists itself: routes, jobs, kinds of e-mail, screens that are loaded lazily. */
const LISTED = /\.(routes|job|mail)\.ts$|-(page|form|route)\.tsx$/

/** Returns a sentence for each file without a layer and each import against the order. */
export function layerFaults(imports: Imports, order: Record<string, Layers> = layers): string[] {
  const faults: string[] = []
  for (const [root, { below, areas, above, hasDoors }] of Object.entries(order)) {
    const names = [...below, ...areas, ...above]
    const layerOf = (file: string) => names.find((name) => isIn(file, `${root}/${name}`))
    for (const [file, imported] of imports) {
      if (!file.startsWith(`${root}/`) || isTest(file)) continue
      const layer = layerOf(file)
      if (!layer) faults.push(`${file} has no layer: name its folder in scripts/rules/layers.ts.`)
      for (const path of layer ? imported : []) {
        const needed = path.startsWith(`${root}/`) ? layerOf(path) : undefined
        if (!layer || !needed || needed === layer) continue
        if (names.indexOf(needed) > names.indexOf(layer))
          faults.push(`${file} imports ${path}: ${needed} stands after ${layer}.`)
        else if (
          hasDoors &&
          areas.includes(needed) &&
          path !== `${root}/${needed}/index.ts` &&
          !isStyle(path)
        ) {
          const isListed = above.includes(layer) && LISTED.test(path)
          if (!isListed) faults.push(`${file} imports ${path}: import it from ${needed}/index.ts.`)
        }
      }
    }
  }
  return faults
}

/** A style sheet in a door would be loaded with each import of it. */
const isStyle = (file: string): boolean => file.endsWith('.css')

const isIn = (file: string, name: string): boolean => file === name || file.startsWith(`${name}/`)

const START = '<!-- layers: written by `node scripts/rules/layers.ts --write` -->'
const END = '<!-- /layers -->'

/** Returns ARCHITECTURE.md with the paragraph of the layers as they are. */
export function withLayers(document: string): string {
  const [before, rest] = document.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`The document has no '${START}'.`)
  const lines = Object.entries(layers).map(([root, { below, areas: own, above }]) =>
    [`| \`${root}\``, names(below), own === areas ? 'the eight areas' : names(own), `${names(above)} |`].join(
      ' | ',
    ),
  )
  const table = ['| package | first | then | last |', '|---|---|---|---|', ...lines]
  const order = `The areas, in their order: ${areas.join(', ')}.`
  return `${before}${START}\n${order}\n\n${table.join('\n')}\n${END}${after}`
}

const names = (list: string[]): string => list.map((name) => `\`${name}\``).join(', ')

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const architecture = join(root, 'ARCHITECTURE.md')
  if (process.argv.includes('--write'))
    writeFileSync(architecture, withLayers(readFileSync(architecture, 'utf8')))
  const faults = layerFaults(readImports(root))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}

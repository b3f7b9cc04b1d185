import { dirname } from 'node:path'
import { type Imports, isTest } from './read-imports.ts'

/** Files that import every feature: a test that opens the app is not affected by each feature. */
const compositions = [
  /^packages\/server\/src\/(app|start-server|main)\.ts$/,
  /^packages\/reports\/src\/(app|main)\.ts$/,
  /^packages\/web\/src\/app\/(routes|portal|router)\.tsx?$/,
  /^packages\/contract\/src\/index\.ts$/,
]
const isComposition = (file: string) => compositions.some((pattern) => pattern.test(file))

const featureOf = (file: string) => /^packages\/\w+\/src\/features\/[^/]+\//.exec(file)?.[0]

/**
 * Returns the tests that a change affects: those that import a changed file, directly or through
 * others, and those next to a changed file or in an affected feature, which may reach it through
 * the whole app.
 */
export function affectedTests(changed: string[], imports: Imports): string[] {
  const affected = new Set(changed)
  const importers = reverse(imports)
  for (const file of affected) {
    if (isComposition(file) && !changed.includes(file)) continue
    for (const importer of importers.get(file) ?? []) affected.add(importer)
  }
  // The tests in scripts import or start what they test.
  const sources = changed.filter((file) => file.startsWith('packages/') && imports.has(file) && !isTest(file))
  const folders = new Set(sources.map(dirname))
  const features = new Set([...affected].filter((file) => !isTest(file)).map(featureOf))
  return [...imports.keys()].filter(
    (file) =>
      isTest(file) &&
      (affected.has(file) ||
        folders.has(dirname(file)) ||
        (featureOf(file) && features.has(featureOf(file)))),
  )
}

function reverse(imports: Imports): Imports {
  const importers: Imports = new Map()
  for (const [file, imported] of imports) {
    for (const path of imported) importers.set(path, (importers.get(path) ?? new Set()).add(file))
  }
  return importers
}

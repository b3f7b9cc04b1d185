import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { changedFiles } from './test-changed.ts'
import { checkTypes } from './types.ts'
import { run } from './vitest/run-step.ts'

/**
 * Checks format, lint, the order of imports and the types of the uncommitted change, or of the
 * change since a Git revision. `npm run lint` checks all files.
 */
export async function main(
  root = join(import.meta.dirname, '..'),
  args = process.argv.slice(3),
): Promise<void> {
  const changed = changedFiles(root, args).filter((file) => existsSync(join(root, file)))
  if (changed.length === 0) {
    console.log('Nothing has changed.')
    return
  }
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const rules = join(root, 'scripts/rules')
  const lint = run('format, lint and order of imports', [
    [biome, 'check', '--no-errors-on-unmatched', ...changed],
    [join(rules, 'folder-cycles.ts')],
    [join(rules, 'layers.ts')],
  ])
  const passed = await Promise.all([lint, checkTypes()])
  if (passed.includes(false)) process.exitCode = 1
}

import { join } from 'node:path'
import { requireTools } from './machines/find-tools.ts'
import { hasTestFiles } from './vitest/projects.ts'
import { runVitest } from './vitest/run-vitest.ts'

/** Runs the long tests: kills, races, fuzzing, soak. Verbose, so that their figures are printed. */
const root = join(import.meta.dirname, '..')
try {
  requireTools()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (!hasTestFiles('long', root)) {
  console.error('There are no long tests (*.long.ts).')
  process.exit(1)
}
const { passed, failed, failures, skipped } = await runVitest(root, ['long'], { reporter: 'verbose' })
for (const name of skipped) console.log(`skipped: ${name}`)
for (const name of failures) console.log(`failed: ${name}`)
const counts = `${passed} passed, ${failed} failed`
console.log(skipped.length > 0 ? `${counts}, ${skipped.length} skipped` : counts)
process.exit(failed > 0 ? 1 : 0)

import { join } from 'node:path'
import { requireToolsOrExit } from './machines/find-tools.ts'
import { hasTestFiles } from './vitest/projects.ts'
import { printOutcome, runVitest } from './vitest/run-vitest.ts'

/** Runs the long tests: kills, races, fuzzing, soak. Verbose, so that their figures are printed. */
const root = join(import.meta.dirname, '..')
requireToolsOrExit()
if (!hasTestFiles('long', root)) {
  console.error('There are no long tests (*.long.ts).')
  process.exit(1)
}
const outcome = await runVitest(root, ['long'], { reporter: 'verbose' })
printOutcome(outcome)
process.exit(outcome.failed > 0 ? 1 : 0)

import { join } from 'node:path'
import { requireToolsOrExit } from './machines/find-tools.ts'
import { checkTypes } from './types.ts'
import { hasTestFiles, quickProjects } from './vitest/projects.ts'
import { run } from './vitest/run-step.ts'
import { type Outcome, printOutcome, runVitest } from './vitest/run-vitest.ts'
import { isSelection } from './vitest/selection.ts'

const root = join(import.meta.dirname, '..')
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

const boundaries = ['style/noRestrictedImports', 'suspicious/noImportCycles']

const total: Outcome = { passed: 0, failed: 0, failures: [], skipped: [] }

const note = (title: string, passed: boolean) => {
  total[passed ? 'passed' : 'failed'] += 1
  if (!passed) total.failures.push(title)
  return passed
}

process.env.TESTS ??= 'selection'
requireToolsOrExit()

note('lint', await run('lint', [[biome, 'check', ...boundaries.map((rule) => `--skip=${rule}`)]]))
note('types', await checkTypes())
note(
  'boundaries',
  await run('boundaries', [
    [biome, 'lint', ...boundaries.map((rule) => `--only=${rule}`)],
    [join(root, 'scripts/rules/folder-cycles.ts')],
  ]),
)
await tests(quickProjects)
if (note('build', await run('build', [[join(root, 'scripts/launch/build-pages.ts')]]))) await tests(['e2e'])
else note('e2e, not run because the build failed', false)

if (isSelection()) console.log('\nThis was the selection of npm test; npm run test:all runs every test.')
printOutcome(total)
process.exit(total.failed > 0 ? 1 : 0)

async function tests(projects: Parameters<typeof runVitest>[1]): Promise<void> {
  const present = projects.filter((project) => hasTestFiles(project, root))
  for (const project of projects) {
    if (!present.includes(project)) console.log(`\n${project}: there are no test files`)
  }
  if (present.length === 0) return
  const outcome = await runVitest(root, present)
  total.passed += outcome.passed
  total.failed += outcome.failed
  total.failures.push(...outcome.failures)
  total.skipped.push(...outcome.skipped)
}

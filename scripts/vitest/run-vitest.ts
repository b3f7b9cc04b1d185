import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunCounts } from './counts-reporter.ts'
import type { ProjectName } from './projects.ts'

export interface Outcome {
  passed: number
  failed: number
  /** Failed tests, and other failures, such as a project without tests. */
  failures: string[]
  /** Names of the tests that did not run. */
  skipped: string[]
}

/**
 * Runs Vitest on projects that have test files, prints its report, and returns the counts. Without
 * `files`, it runs all tests of the projects.
 */
export async function runVitest(
  root: string,
  projects: readonly ProjectName[],
  { reporter = 'default', files = [] }: { reporter?: 'default' | 'verbose'; files?: string[] } = {},
): Promise<Outcome> {
  console.log(`\n── tests: ${projects.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'bi-manager-counts-'))
  const file = join(folder, 'counts.json')
  try {
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--configLoader=native',
        ...projects.map((project) => `--project=${project}`),
        `--reporter=${reporter}`,
        `--reporter=${join(import.meta.dirname, 'counts-reporter.ts')}`,
        ...files,
      ],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, VITEST_COUNTS: file } },
    )
    const [code] = (await once(child, 'exit')) as [number | null]
    return evaluate(projects, code, read(file))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints the names of what was skipped or failed, then the counts. */
export function printOutcome({ passed, failed, failures, skipped }: Outcome): void {
  printNames({ failures, skipped })
  const counts = `${passed} passed, ${failed} failed`
  console.log(skipped.length > 0 ? `${counts}, ${skipped.length} skipped` : counts)
}

export function printNames({ failures, skipped }: Pick<Outcome, 'failures' | 'skipped'>): void {
  for (const name of skipped) console.log(`skipped: ${name}`)
  for (const name of failures) console.log(`failed: ${name}`)
}

/** Evaluates a run: it passes only if every project ran tests and Vitest exited with 0. */
export function evaluate(
  projects: readonly ProjectName[],
  code: number | null,
  run: RunCounts | undefined,
): Outcome {
  if (!run) return only(`tests: Vitest ended with ${code} before it reported anything`)
  const outcome: Outcome = { passed: 0, failed: 0, failures: [...run.failed], skipped: run.skipped }
  for (const project of projects) {
    const { passed, failed, skipped } = run.projects[project] ?? { passed: 0, failed: 0, skipped: 0 }
    outcome.passed += passed
    outcome.failed += failed
    if (passed + failed + skipped === 0) addFailure(outcome, `${project}: its test files hold no test`)
  }
  if (run.unhandled > 0) addFailure(outcome, `tests: ${run.unhandled} errors outside any test`)
  if (code !== 0 && outcome.failed === 0) addFailure(outcome, `tests: Vitest ended with ${code}`)
  return outcome
}

function addFailure(outcome: Outcome, sentence: string): void {
  outcome.failed += 1
  outcome.failures.push(sentence)
}

const only = (sentence: string): Outcome => ({ passed: 0, failed: 1, failures: [sentence], skipped: [] })

function read(file: string): RunCounts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The counts of one Vitest run by project; Vitest's JSON report does not separate the projects. */
export interface RunCounts {
  projects: Record<string, Counts>
  /** `project › file › test: first line of its error` of every failed test. */
  failed: string[]
  /** `project › file › test` of every skipped or todo test. */
  skipped: string[]
  /** Errors outside any test, such as an unhandled rejection. */
  unhandled: number
}

/** Writes the run's counts to the file of VITEST_COUNTS. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const run: RunCounts = { projects: {}, failed: [], skipped: [], unhandled: unhandledErrors.length }
    for (const module of modules) {
      const project = run.projects[module.project.name] ?? { passed: 0, failed: 0, skipped: 0 }
      run.projects[module.project.name] = project
      const place = `${module.project.name} › ${module.relativeModuleId}`
      const fail = (name: string, errors: readonly { message: string }[]) => {
        project.failed += 1
        run.failed.push(`${name}: ${errors[0]?.message.split('\n', 1)[0] ?? 'no error given'}`)
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        const name = `${place} › ${test.fullName}`
        if (state === 'passed') project.passed += 1
        else if (state === 'failed') fail(name, errors)
        else {
          project.skipped += 1
          run.skipped.push(name)
        }
      }
      // A file that fails to load contains no failed test.
      if (module.errors().length > 0) fail(place, module.errors())
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) fail(`${place} › ${suite.fullName}`, suite.errors())
      }
    }
    const file = process.env.VITEST_COUNTS
    if (file) writeFileSync(file, JSON.stringify(run))
  }
}

import { join } from 'node:path'
import { run } from './vitest/run-step.ts'

const root = join(import.meta.dirname, '..')

/** The largest first: the others take about as long together, in the second process. */
const projects = ['.', 'packages/web', 'packages/e2e', 'packages/reports/src/embed-page']

/**
 * Checks the types of all projects, two at a time, and returns whether they are right. One checker
 * per project: each checker repeats a part of the work. Unchanged files are not checked again.
 */
export const checkTypes = (): Promise<boolean> =>
  run(
    'types',
    projects.map((project) => [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      join(root, project),
      '--checkers',
      '1',
      '--incremental',
      '--tsBuildInfoFile',
      join(root, 'node_modules/.cache/types', `${project.replaceAll('/', '-')}.json`),
    ]),
  )

export async function main(): Promise<void> {
  if (!(await checkTypes())) process.exitCode = 1
}

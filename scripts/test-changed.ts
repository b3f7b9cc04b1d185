import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { affectedTests } from './rules/affected-tests.ts'
import { listFiles, readImports } from './rules/read-imports.ts'
import { type ProjectName, projectNames } from './vitest/projects.ts'
import { printNames, runVitest } from './vitest/run-vitest.ts'

/**
 * Runs the tests that a change affects. Without arguments, that is the uncommitted change;
 * otherwise the change since a Git revision, or the given files and folders.
 */
export async function main(
  root = join(import.meta.dirname, '..'),
  args = process.argv.slice(3),
): Promise<void> {
  // Every test counts, also when npm test itself runs this.
  process.env.TESTS = 'all'
  const changed = changedFiles(root, args)
  const imports = readImports(root, 'inText')
  const tests = affectedTests(changed, imports)
  const { runs, notes } = selectTests(tests, configuredTests(root))
  const files = [...new Set([...runs.values()].flat())]
  console.log(`${changed.length} changed files affect ${tests.length} test files; ${files.length} run here.`)
  for (const file of changed.filter((path) => !imports.has(path))) {
    if (affectedTests([file], imports).length === 0)
      notes.push(`${file}: no test imports it; npm test may check it.`)
  }
  for (const note of notes) console.log(note)
  if (files.length === 0) return
  const outcome = await runVitest(root, [...runs.keys()], { files })
  printNames(outcome)
  process.exitCode = outcome.failed > 0 ? 1 : 0
}

export function changedFiles(root: string, args: string[]): string[] {
  const files = listFiles(root)
  if (args.length > 0 && args.every((arg) => existsSync(join(root, arg)))) {
    const paths = args.map((arg) => relative(root, join(root, arg)))
    return files.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)))
  }
  const git = (...command: string[]) =>
    execFileSync('git', command, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const untracked = git('ls-files', '--others', '--exclude-standard')
  return [...new Set([...git('diff', '--name-only', args[0] ?? 'HEAD'), ...untracked])]
}

/** The projects whose configuration includes a test file. */
export type Configured = Map<string, ProjectName[]>

function configuredTests(root: string): Configured {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const list = execFileSync(
    process.execPath,
    [vitest, 'list', '--configLoader=native', '--filesOnly', '--json'],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  const found: Configured = new Map()
  for (const { file, projectName } of JSON.parse(list) as { file: string; projectName: ProjectName }[]) {
    const path = relative(root, file)
    found.set(path, [...(found.get(path) ?? []), projectName])
  }
  return found
}

/**
 * Returns the test files of each project to run, and one sentence for each test that does not run,
 * or that vitest.config.ts excludes from one of two projects.
 */
export function selectTests(tests: string[], configured: Configured) {
  const runs = new Map<ProjectName, string[]>()
  const notes: string[] = []
  for (const file of tests) {
    const projects = configured.get(file) ?? []
    for (const project of projects) {
      if (project === 'e2e' || project === 'long')
        notes.push(`${file}: not run here; ${commandOf(project, file)}`)
      else runs.set(project, [...(runs.get(project) ?? []), file])
    }
    if (projects.length === 0) notes.push(`${file}: excluded from every project by vitest.config.ts.`)
    const server = projectNames.filter((name) => name.startsWith('server-'))
    const missing = server.filter((name) => !projects.includes(name))
    if (missing.length === 1 && projects.some((name) => server.includes(name)))
      notes.push(`${file}: excluded from ${missing[0]} by vitest.config.ts.`)
  }
  return { runs, notes }
}

const commandOf = (project: ProjectName, file: string) =>
  `${project === 'e2e' ? 'npm run build && ' : ''}npx vitest run --project ${project} ${file}`

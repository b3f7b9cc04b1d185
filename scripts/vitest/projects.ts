import { globSync } from 'node:fs'

/** The test files of each Vitest project; vitest.config.ts says how they run. */
export const testFiles = {
  contract: ['packages/contract/**/*.test.ts', 'packages/telemetry/**/*.test.ts'],
  'server-embedded': ['packages/server/**/*.test.ts'],
  'server-postgres': ['packages/server/**/*.test.ts'],
  reports: ['packages/reports/**/*.test.ts'],
  embed: ['packages/reports/src/embed-page/**/*.test.ts'],
  web: ['packages/web/**/*.test.{ts,tsx}'],
  scripts: ['scripts/**/*.test.ts'],
  e2e: ['packages/e2e/**/*.journey.ts'],
  long: ['packages/**/*.long.ts', 'scripts/**/*.long.ts'],
} as const

export type ProjectName = keyof typeof testFiles

export const projectNames = Object.keys(testFiles) as ProjectName[]

/** The projects of `npm test` that need no built pages: not `e2e`, nor the separate `long`. */
export const quickProjects = projectNames.filter((name) => name !== 'e2e' && name !== 'long')

export const hasTestFiles = (name: ProjectName, root: string) =>
  testFiles[name].some(
    (pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).length > 0,
  )

import { globSync } from 'node:fs'

/** Where each Vitest project finds its tests; vitest.config.ts says how they run. */
export const testFiles = {
  contract: ['packages/contract/**/*.test.ts', 'packages/telemetry/**/*.test.ts'],
  'server-embedded': ['packages/server/**/*.test.ts'],
  'server-postgres': ['packages/server/**/*.test.ts'],
  reports: ['packages/reports/**/*.test.ts'],
  web: ['packages/web/**/*.test.{ts,tsx}'],
  scripts: ['scripts/**/*.test.ts'],
  e2e: ['packages/e2e/**/*.journey.ts'],
  long: ['packages/**/*.long.ts', 'scripts/**/*.long.ts'],
} as const

export type ProjectName = keyof typeof testFiles

export const projectNames = Object.keys(testFiles) as ProjectName[]

/** The projects of `npm test` that need no built pages; `e2e` follows them, `long` is a command of its own. */
export const quickProjects = projectNames.filter((name) => name !== 'e2e' && name !== 'long')

export const hasTestFiles = (name: ProjectName, root: string) =>
  testFiles[name].some(
    (pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).length > 0,
  )

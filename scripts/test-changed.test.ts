import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Configured, changedFiles, selectTests } from './test-changed.ts'

const root = join(import.meta.dirname, '..')

describe('selectTests', () => {
  const configured: Configured = new Map([
    ['packages/server/src/a.test.ts', ['server-embedded', 'server-postgres']],
    ['packages/server/src/b.test.ts', ['server-embedded']],
    ['packages/e2e/src/journeys/c.journey.ts', ['e2e']],
    ['scripts/d.long.ts', ['long']],
  ])
  test('selectTests runs a test in each of its projects', () => {
    const { runs, notes } = selectTests(['packages/server/src/a.test.ts'], configured)
    expect([...runs.keys()]).toEqual(['server-embedded', 'server-postgres'])
    expect(notes).toEqual([])
  })
  test.each([
    ['packages/server/src/b.test.ts', 'excluded from server-postgres by vitest.config.ts.'],
    [
      'packages/e2e/src/journeys/c.journey.ts',
      'not run here; npm run build && npx vitest run --project e2e packages/e2e/src/journeys/c.journey.ts',
    ],
    ['scripts/d.long.ts', 'not run here; npx vitest run --project long scripts/d.long.ts'],
    ['packages/web/src/e.test.ts', 'excluded from every project by vitest.config.ts.'],
  ])('selectTests reports %s', (file, note) => {
    expect(selectTests([file], configured).notes).toEqual([`${file}: ${note}`])
  })
})

test('changedFiles returns the files of a folder, or of a Git revision', () => {
  expect(changedFiles(root, ['packages/telemetry'])).toContain('packages/telemetry/package.json')
  const [empty] = execFileSync('git', ['hash-object', '-t', 'tree', '/dev/null'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n')
  expect(changedFiles(root, [empty ?? ''])).toContain('scripts/test-changed.ts')
})

test('npm run test:changed runs what it can and reports what it does not', () => {
  const [run, notRun] = [
    'packages/contract/src/without-eval.test.ts',
    'packages/e2e/src/journeys/operations/api-docs.journey.ts',
  ]
  const { stdout, status } = spawnSync(process.execPath, ['scripts/run.js', 'test-changed', run, notRun], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  expect(stdout).toContain(`|contract| ${run}`)
  expect(stdout).toContain(`${notRun}: not run here`)
  expect(status).toBe(0)
})

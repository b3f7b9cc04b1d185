import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasTestFiles, projectNames } from './projects.ts'
import { evaluate } from './run-vitest.ts'

const run = (projects = {}, rest = {}) => ({ projects, failed: [], skipped: [], unhandled: 0, ...rest })
const good = { passed: 2, failed: 0, skipped: 0 }

describe('evaluate', () => {
  test('evaluate adds up the projects', () => {
    expect(evaluate(['contract', 'web'], 0, run({ contract: good, web: good }))).toEqual({
      passed: 4,
      failed: 0,
      failures: [],
      skipped: [],
    })
  })

  test.each([
    [
      'a failed test',
      1,
      run({ web: { passed: 1, failed: 1, skipped: 0 } }, { failed: ['web › a.test.ts › adds: 1 is not 2'] }),
      ['web › a.test.ts › adds: 1 is not 2'],
    ],
    ['no tests', 0, run(), ['web: its test files hold no test']],
    [
      'an error outside any test',
      1,
      run({ web: good }, { unhandled: 1 }),
      ['tests: 1 errors outside any test'],
    ],
    ['a failing exit code without a reason', 1, run({ web: good }), ['tests: Vitest ended with 1']],
    ['no report', 134, undefined, ['tests: Vitest ended with 134 before it reported anything']],
  ])('evaluate counts %s as a failure', (_case, code, counts, failures) => {
    expect(evaluate(['web'], code, counts)).toMatchObject({ failed: 1, failures })
  })

  test('evaluate names what was skipped', () => {
    const skipped = ['web › src/a.test.ts › waits']
    expect(evaluate(['web'], 0, run({ web: { ...good, skipped: 1 } }, { skipped }))).toMatchObject({
      failed: 0,
      skipped,
    })
  })
})

test('hasTestFiles is true when the patterns match files outside node_modules', () => {
  const root = mkdtempSync(join('/tmp', 'bi-manager-projects-'))
  const write = (folder: string, name: string) => {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, name), '')
  }
  write('packages/web/src/ui', 'table.test.tsx')
  write('packages/reports/node_modules/other', 'other.test.ts')
  write('packages/server/src', 'kill.long.ts')
  expect(projectNames.filter((name) => hasTestFiles(name, root))).toEqual(['web', 'long'])
  rmSync(root, { recursive: true })
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeSizes, isCounted, placeOf, readSource, sourceSizes } from './source-size.ts'

describe('isCounted', () => {
  test.each([
    'packages/server/src/main.ts',
    'packages/server/migrations/0001_start.sql',
    'packages/web/src/ui/data-table.tsx',
    'packages/web/src/ui/data-table.module.css',
    'packages/web/index.html',
    'scripts/rules/source-size.ts',
    'bench/src/data/make-rows.mjs',
  ])('isCounted accepts %s', (file) => expect(isCounted(file)).toBe(true))

  test.each([
    'packages/server/src/main.test.ts',
    'packages/server/src/http/fuzz.long.ts',
    'packages/web/src/ui/data-table.test.tsx',
    'packages/server/test/test-app.ts',
    'packages/reports/src/embed/test/page.ts',
    'packages/e2e/src/journeys/sign-in.journey.ts',
    'packages/e2e/src/browser/open-browser.ts',
    'scripts/nodes/cluster.ts',
    'scripts/vitest/run-vitest.ts',
    'scripts/run.js',
    'packages/web/package.json',
    'docs/example.html',
    'vitest.config.ts',
  ])('isCounted refuses %s', (file) => expect(isCounted(file)).toBe(false))
})

test.each([
  ['packages/server/src/http/errors/problem.ts', 'server', 'http'],
  ['packages/server/src/main.ts', 'server', '(top)'],
  ['packages/server/migrations/0001_start.sql', 'server', 'migrations'],
  ['packages/web/index.html', 'web', '(top)'],
  ['scripts/rules/source-size.ts', 'scripts', 'rules'],
  ['bench/src/data/rows.ts', 'bench', 'data'],
])('%s is of the package %s and its area %s', (file, packageName, area) => {
  expect(placeOf(file)).toEqual({ packageName, area })
})

test('white space of every kind does not count, and a character outside the basic plane counts once', () => {
  const sizes = sourceSizes([['scripts/a.ts', 'const a =\r\n\t"é 😀"\u00a0\n']])
  expect(sizes.get('scripts')?.get('(top)')).toEqual({ files: 1, shortFiles: 1, characters: 11 })
})

test('a file of 30 lines is short, and one of 31 lines is not', () => {
  const sizes = sourceSizes([
    ['scripts/short.ts', 'a\n'.repeat(30)],
    ['scripts/long.ts', 'a\n'.repeat(31)],
  ])
  expect(sizes.get('scripts')?.get('(top)')).toEqual({ files: 2, shortFiles: 1, characters: 61 })
})

test('the table has a total for each package and for all', () => {
  const sizes = sourceSizes([
    ['scripts/rules/a.ts', 'abc'],
    ['packages/web/src/ui/b.tsx', 'a'.repeat(1000)],
    ['packages/web/src/main.tsx', 'ab'],
  ])
  expect(describeSizes(sizes)).toBe(
    [
      '| package | area | files | files of at most 30 lines | characters |',
      '|---|---|--:|--:|--:|',
      '| **scripts** |  | 1 | 1 | 3 |',
      '|  | rules | 1 | 1 | 3 |',
      '| **web** |  | 2 | 2 | 1,002 |',
      '|  | (top) | 1 | 1 | 2 |',
      '|  | ui | 1 | 1 | 1,000 |',
      '| **all** |  | 3 | 3 | 1,005 |',
    ].join('\n'),
  )
})

test('the working tree and a commit are read, both without what does not count', () => {
  const folder = mkdtempSync(join(tmpdir(), 'source-size-'))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
  try {
    git('init', '--quiet')
    write('scripts/á.ts', 'é\n')
    write('scripts/b.ts', '')
    write('scripts/c.test.ts', 'c')
    git('add', '.')
    git('commit', '--quiet', '--message', 'a')
    write('scripts/b.ts', 'later')
    expect(readSource(folder, 'HEAD')).toEqual([
      ['scripts/b.ts', ''],
      ['scripts/á.ts', 'é\n'],
    ])
    expect(new Map(readSource(folder)).get('scripts/b.ts')).toBe('later')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

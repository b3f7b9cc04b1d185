import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '*.long.ts'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const [, table = ''] = page.split('| the change touches | long tests |')
const names = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| [^|]+ \| ([^|]+) \|$/gm)].flatMap(
  ([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
)

test('CONTRIBUTING names, for some kind of change, each long test', () => {
  expect(files.length).toBeGreaterThan(20)
  // As Vitest chooses files: by a part of the path.
  expect(files.filter((file) => !names.some((name) => file.includes(name)))).toEqual([])
})

test('each name there is one of a long test', () => {
  expect(names.filter((name) => !files.some((file) => file.includes(name)))).toEqual([])
})

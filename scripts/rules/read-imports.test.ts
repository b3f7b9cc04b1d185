import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readImports } from './read-imports.ts'

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'bi-manager-imports-'))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const manifest = (name: string, exports: object) =>
    write(`packages/${name}/package.json`, JSON.stringify({ name: `@bi-manager/${name}`, exports }))
  manifest('contract', { '.': './src/index.ts' })
  manifest('server', { './*': './src/*.ts', './test/*': './test/*.ts' })
  write('packages/contract/src/index.ts', "export * from './menus.ts'\nexport * from './users.ts'")
  write('packages/contract/src/menus.ts', 'export const menusApi = 1')
  write('packages/contract/src/users.ts', 'export type User = string\nexport const User = String')
  write('packages/server/src/worker.ts', 'export const worker = 1')
  write('packages/server/test/users.ts', 'export const users = 1')
  write(
    'packages/server/src/app.ts',
    [
      "import { type menusApi, User } from '@bi-manager/contract'",
      "import type { start } from '../../../scripts/start.ts'",
      "const program = new URL('./worker.ts', import.meta.url)",
    ].join('\n'),
  )
  write(
    'scripts/start.ts',
    "import type { worker } from '@bi-manager/server/worker'\nimport { users } from '@bi-manager/server/test/users'\nimport './missing.ts'",
  )
  execFileSync('git', ['init', '-q'], { cwd: root })
})
afterAll(() => rmSync(root, { recursive: true }))

test('readImports follows paths, packages and type imports', () => {
  const imports = readImports(root)
  expect([...(imports.get('scripts/start.ts') ?? [])]).toEqual([
    'packages/server/src/worker.ts',
    'packages/server/test/users.ts',
  ])
  expect([...(imports.get('packages/server/src/app.ts') ?? [])]).toEqual([
    'packages/contract/src/index.ts',
    'scripts/start.ts',
  ])
  expect([...(imports.get('packages/contract/src/index.ts') ?? [])]).toEqual([
    'packages/contract/src/menus.ts',
    'packages/contract/src/users.ts',
  ])
})

test('readImports in text adds programs of workers, resolves names of the contract, and leaves types out', () => {
  expect([...(readImports(root, 'inText').get('packages/server/src/app.ts') ?? [])].sort()).toEqual([
    'packages/contract/src/users.ts',
    'packages/server/src/worker.ts',
  ])
})

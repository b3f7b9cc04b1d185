import { describe, expect, test } from 'vitest'
import { affectedTests } from './affected-tests.ts'

const server = 'packages/server/src'
const imports = new Map(
  Object.entries({
    [`${server}/app.ts`]: [
      `${server}/features/users/users.routes.ts`,
      `${server}/features/menus/menus.routes.ts`,
    ],
    [`${server}/features/users/users.routes.ts`]: [`${server}/names/names-in-use.ts`],
    [`${server}/features/users/users.routes.test.ts`]: ['packages/server/test/test-app.ts'],
    [`${server}/features/menus/menus.routes.ts`]: [],
    [`${server}/features/menus/menus.routes.test.ts`]: ['packages/server/test/test-app.ts'],
    [`${server}/names/names-in-use.ts`]: [],
    [`${server}/names/names-in-use.test.ts`]: [`${server}/names/names-in-use.ts`],
    'packages/server/test/test-app.ts': [`${server}/app.ts`],
  }).map(([file, imported]) => [file, new Set(imported)]),
)
const affected = (...changed: string[]) =>
  affectedTests(changed, imports).map((file) => file.split('/').at(-1))

describe('affectedTests', () => {
  test('affectedTests returns the tests of the feature, which reach it through the app', () => {
    expect(affected(`${server}/features/users/users.routes.ts`)).toEqual(['users.routes.test.ts'])
  })
  test('affectedTests returns the tests that import the file and those of the features that do', () => {
    expect(affected(`${server}/names/names-in-use.ts`)).toEqual([
      'users.routes.test.ts',
      'names-in-use.test.ts',
    ])
  })
  test('affectedTests returns all tests that open the app when the app itself changes', () => {
    expect(affected(`${server}/app.ts`)).toEqual(['users.routes.test.ts', 'menus.routes.test.ts'])
  })
  test('affectedTests returns a changed test', () => {
    expect(affected(`${server}/names/names-in-use.test.ts`)).toEqual(['names-in-use.test.ts'])
  })
})

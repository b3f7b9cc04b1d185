import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Returns how often zod calls `Function` while the contract loads after `before` has run. */
const functionsMade = (before: string): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `let made = 0
      globalThis.Function = new Proxy(Function, { construct: (...given) => (made++, Reflect.construct(...given)) })
      ${before}
      await import(${JSON.stringify(new URL('./index.ts', import.meta.url))})
      console.log(made)`,
    ],
    { encoding: 'utf8' },
  ).trim()

test("the contract's schemas are built without eval in a browser, whose CSP forbids it", () => {
  expect(functionsMade('globalThis.document = {}')).toBe('0')
})

test("the contract's schemas are compiled on a server", () => {
  expect(functionsMade('')).not.toBe('0')
})

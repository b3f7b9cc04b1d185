import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** How often zod makes a function of a text while the contract is loaded, where this code ran before. */
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

test('a page makes the schemas of the contract without eval, which its policy forbids', () => {
  expect(functionsMade('globalThis.document = {}')).toBe('0')
})

test('a server compiles the schemas of the contract', () => {
  expect(functionsMade('')).not.toBe('0')
})

import { expect, test } from 'vitest'
import { isNewer } from './new-version.ts'

test.each([
  ['a later build of other content', '200-bb', '100-aa', true],
  ['the same build', '100-aa', '100-aa', false],
  ['an earlier build, which another node still has', '100-aa', '200-bb', false],
  ['a later build of the same content, which another node made itself', '200-aa', '100-aa', false],
  ['no build, as in development', null, '100-aa', false],
  ['a page without a build', '200-bb', undefined, false],
  ['nonsense', 'x', '100-aa', false],
])('%s is news: %j to %j is %j', (_, answered, page, expected) => {
  expect(isNewer(answered, page)).toBe(expected)
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Returns the text up to the parenthesis that closes the open one around it. */
const untilClosed = (text: string): string => {
  let depth = 1
  for (const [at, character] of [...text].entries()) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth === 0) return text.slice(0, at)
  }
  return text
}

/** Returns the conditions `id in (select … skip locked …)` of a source, as SQL or as Kysely's calls. */
const repeatableClaims = (source: string): string[] =>
  [...source.matchAll(/'in',|\bin \((?=\s*select)/g)]
    .map(({ 0: start, index }) => untilClosed(source.slice(index + start.length)))
    .filter((subquery) => /skipLocked|skip locked/.test(subquery))

test.each([
  ["db.where('id', 'in', (due) => due.selectFrom('x').select('id').limit(n).forUpdate().skipLocked())", 1],
  ['sql`update x set y = 1 where id in (select id from x where (y > 0) limit 5 for update skip locked)`', 1],
  ["db.where('id', 'in', ids).forUpdate().skipLocked()", 0],
  ["isClaimed('id', db.selectFrom('x').where('id', 'in', some(db)).limit(n).forUpdate().skipLocked())", 0],
])('the rule counts the claims in %s', (source, count) => {
  expect(repeatableClaims(source)).toHaveLength(count)
})

test('every claim uses `isClaimed`, whose size does not depend on the query plan', () => {
  const files = globSync('packages/server/src/**/*.ts', { cwd: root })
  const found = files.filter((file) => repeatableClaims(readFileSync(join(root, file), 'utf8')).length > 0)
  expect(found).toEqual([])
  expect(files.length).toBeGreaterThan(500)
})

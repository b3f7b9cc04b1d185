import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Errors of the language and of pg-protocol, and a code of the operating system. */
const known = ['Error', 'AggregateError', 'RangeError', 'TypeError', 'DatabaseError', 'EEXIST']

test('each `@throws` names a class that exists', () => {
  const files = globSync('{packages/*/{src,test},scripts,bench/src}/**/*.{ts,tsx}', { cwd: root })
  const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const classes = new Set(known)
  for (const { text } of sources)
    for (const [, name = ''] of text.matchAll(/\bclass (\w+)/g)) classes.add(name)
  const unknown = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/@throws (?:the )?([A-Z]\w+)/g)]
      .filter(([, name = '']) => !classes.has(name))
      .map(([, name]) => `${file}: ${name}`),
  )
  expect(unknown).toEqual([])
  expect(classes.size).toBeGreaterThan(50)
})

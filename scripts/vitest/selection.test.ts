import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { alsoOnEmbedded, mainJourneys, slowFiles } from './selection.ts'

const root = join(import.meta.dirname, '../..')

test.each([...mainJourneys, ...alsoOnEmbedded, ...slowFiles])('%s matches test files', (pattern) => {
  expect(globSync(pattern, { cwd: root })).not.toEqual([])
})

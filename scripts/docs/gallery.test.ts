import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/* docs/galeria.md shows the screenshots of `npm run screenshots -- gallery`. */

test('the gallery shows every image of its folder, and no missing one', () => {
  const docs = join(import.meta.dirname, '../../docs')
  const page = readFileSync(join(docs, 'galeria.md'), 'utf8')
  const shown = [...page.matchAll(/(?:\]\(|src=")([^)"]+\.(?:webp|png))[)"]/g)].map(([, path = '']) => path)
  const taken = readdirSync(join(docs, 'images/galeria')).map((name) => `images/galeria/${name}`)
  expect(taken.length).toBeGreaterThan(20)
  expect([...new Set(shown)].sort()).toEqual(taken.sort())
})

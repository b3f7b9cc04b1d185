import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

/* A window of exactly 1,024 px has the desktop's layout, and one of 1,023 px the phone's, in every rule. */

const root = join(import.meta.dirname, '../../packages/web/src')
/** Widths in em at which one layout ends and the next one begins: those of the theme, and of the panel. */
const widths = [30, 48, 64, 80, 96, 100]

test('a layout ends just below the width at which the next one begins', () => {
  const files = globSync('**/*.{css,ts,tsx}', { cwd: root }).map((name) => join(root, name))
  const overlapping = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\(max-width: ([\d.]+)em\)/g)]
      .filter(([, width]) => widths.includes(Number(width)))
      .map(([query]) => `${relative(root, file)}: ${query}`),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(overlapping, 'write 63.99em, so that no width has both layouts').toEqual([])
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Verbs that no plural noun looks like: "names" or "answers" may be a subject. */
const verbs = [
  'accepts adds allows applies asks becomes closes creates decides deletes draws ends explains fails finds gives has',
  'ignores includes is keeps lets loses makes notifies offers opens puts refuses registers removes repeats',
  'replaces resets restores returns runs saves says sends shows starts stops stores takes tells waits warns',
].flatMap((line) => line.split(' '))

/** A title of `test(…)`, or of what `each(…)` or `skipIf(…)` returned. */
const title = new RegExp(`(?:\\btest|\\))\\(\\s*(['"\`])(?:${verbs.join('|')})[ ,].*`, 'g')

test('each title of a test begins with its subject', () => {
  const files = globSync('{packages/*/{src,test},scripts}/**/*.ts{,x}', { cwd: root })
  const verbsFirst = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(title)].map(([found]) => `${file}: ${found}`),
  )
  expect(verbsFirst).toEqual([])
  expect(files.length).toBeGreaterThan(1_000)
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unusedPalettes } from '../../unused-palettes.ts'

const names = unusedPalettes.join('|')
/** Matches a component's property (`color="blue"`) and a CSS variable. */
const use = new RegExp(`\\b(?:c|bg|color|iconColor)=[{"'\`]+(?:${names})\\b|--mantine-color-(?:${names})-`)

test('no page uses a palette that the build drops', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('**/*.{tsx,ts,css}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => use.test(readFileSync(`${root}/${file}`, 'utf8')))).toEqual([])
  expect(use.test('<Badge color="blue">')).toBe(true)
  expect(use.test('color: var(--mantine-color-orange-6)')).toBe(true)
})

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/* Checks the names of files in what developers read; security-docs.test.ts checks docs/security.md. */

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

const decisions = globSync('docs/decisions/0*.md', { cwd: repository }).toSorted()
const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', ...decisions]

/** Each source file, after a slash, so that a page may leave out the first folders of its path. */
const sources = globSync('{packages,scripts,bench,deploy}/**/*.{ts,tsx,js,mjs,css,sql,grit}', {
  cwd: repository,
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
}).map((path) => `/${path}`)

/** Templates such as `contract/src/AREA/x.ts` name no file. */
const isTemplate = (path: string) => /AREA|00NN/.test(path)

test.each(pages)('%s names existing source files', (page) => {
  const named = [...read(page).matchAll(/`([\w@.\-/]+\/[\w@.-]+\.(?:tsx?|m?js|css|sql|grit))`/g)].map(
    ([, path = '']) => path,
  )
  const lost = named.filter(
    (path) => !isTemplate(path) && !sources.some((source) => source.endsWith(`/${path}`)),
  )
  expect(lost).toEqual([])
})

/** What tools and readers look for at the top. A file of another name there was written by mistake. */
const atTheTop = `
  .dockerignore .editorconfig .gitignore ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md Dockerfile GLOSSARY.md
  LICENSE README.md SECURITY.md biome.boundaries.json biome.json compose.yaml package-lock.json package.json
  tsconfig.base.json tsconfig.json vitest.config.ts`

test('the top of the repository holds the files that are looked for there', () => {
  const tracked = execFileSync('git', ['ls-files', '--', ':(glob)*'], { cwd: repository, encoding: 'utf8' })
  expect(tracked.trim().split('\n').toSorted()).toEqual(atTheTop.trim().split(/\s+/).toSorted())
})

/** Returns '0087-kinds-and-digits' for '# 0087 Kinds and digits, and their clock'. */
const nameOf = (heading: string): string =>
  heading
    .split(/[,:;]/)[0]
    ?.toLowerCase()
    .replaceAll(/['`]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') ?? ''

test.each(decisions)('%s is named after its title', (path) => {
  const [heading = ''] = read(path).split('\n')
  expect(path).toBe(`docs/decisions/${nameOf(heading)}.md`)
})

test('the index of decisions lists each file with its title', () => {
  const rows = decisions.map((path) => {
    const [, number, title] = /^# (\d{4}) (.+)/.exec(read(path)) ?? []
    return `| [${number}](${path.replace('docs/decisions/', '')}) | ${title} |`
  })
  const listed = read('docs/decisions/README.md').match(/^\| \[.*$/gm)
  expect(listed).toEqual(rows)
})

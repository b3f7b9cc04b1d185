import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * Identifiers are English, but for columns and fields of the contract. A word is Portuguese if the
 * manual uses it often, and the decision records and the comments far less.
 */

const root = join(import.meta.dirname, '../..')
const list = (...paths: string[]): string[] =>
  execFileSync('git', ['ls-files', ...paths], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .match(/[a-z]+/g) ?? []
const textsOf = (files: string[]): string =>
  files
    .filter((file) => file.endsWith('.md'))
    .map(read)
    .join('\n')

/** Not the // of an address. */
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm
/** Names of code, and Portuguese texts that a comment quotes; an apostrophe in a word is not a quote. */
const quoted = /`[^`]*`|(?<!\w)'[^']*'(?!\w)|"[^"]*"|“[^”]*”|\{[^}]*\}/g

/** Columns of the demo's tables are made by functions with their names. */
const isProduct = ({ file }: { file: string }): boolean =>
  !/\.(test|journey|long)\.tsx?$|\/test\/|\/e2e\/|\/demo\//.test(file)

const sources = list('packages', 'scripts', 'bench')
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: read(file) }))
const commentTexts = sources
  .filter(isProduct)
  .map(({ text }) => (text.match(comments) ?? []).join('\n'))
  .join('\n')

/** How often each word is used. */
const countWords = (text: string): Map<string, number> => {
  const uses = new Map<string, number>()
  for (const word of wordsOf(text)) uses.set(word, (uses.get(word) ?? 0) + 1)
  return uses
}
const code = /```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g
const portuguese = countWords(textsOf(list('docs/manual', 'docs/relatorios.md')).replace(code, ''))
const englishUses = countWords(
  [textsOf([...list('docs/decisions'), 'ARCHITECTURE.md', 'CONTRIBUTING.md']), commentTexts]
    .map((text) => text.replace(quoted, ''))
    .join('\n'),
)
/** English texts name a Portuguese field now and then; the manual uses it far more often. */
const isEnglish = (word: string): boolean =>
  (englishUses.get(word) ?? 0) * 20 >= (portuguese.get(word) ?? 0) || alsoEnglish.has(word)
/** The manual quotes a few English words once or twice. */
const isPortuguese = (word: string): boolean => (portuguese.get(word) ?? 0) >= 3 && !isEnglish(word)
/** Words that the manual has too, and that no English text here happens to use. */
const alsoEnglish = new Set(['mouse'])

/** Columns, fields of the contract, and the identifiers that hold one for an object with that field. */
const isField = (name: string, text: string): boolean =>
  fields.has(name) || new RegExp(`[{,]\\s*${name}\\s*[,}]`).test(text.replace(/import[^;]*?from/g, ''))
const fields = new Set(
  sources
    .filter(({ file }) => file.startsWith('packages/contract/src/') || file.includes('/db/t'))
    .flatMap(({ text }) => [...text.matchAll(/^\s+(\w+)\??:/gm)].map(([, name = '']) => name)),
)

const found = sources.filter(isProduct).flatMap(({ file, text }) => {
  const withoutComments = text.replace(comments, '')
  const declared = [
    ...withoutComments.matchAll(/\b(?:const|let|function|class|interface|type|enum)\s+(\w+)/g),
  ]
  return declared.flatMap(([, name = '']) => {
    const words = wordsOf((name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).join(' '))
    const foreign = words.filter((word) => word.length > 2 && isPortuguese(word))
    return foreign.length > 0 && !isField(name, withoutComments)
      ? [`${file}: ${name} (${foreign.join(', ')})`]
      : []
  })
})

test('identifiers that are neither columns nor fields of the contract are English', () => {
  expect(found).toEqual([])
})

test.each(['senha', 'relatorio', 'usuario', 'prontuario'])('%s is Portuguese', (word) => {
  expect(isPortuguese(word)).toBe(true)
})

test.each(['report', 'visual', 'token'])('%s is English', (word) => {
  expect(isPortuguese(word)).toBe(false)
})

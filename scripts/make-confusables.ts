import { readFileSync, writeFileSync } from 'node:fs'

/*
 * Writes packages/server/src/accounts/names/confusables.txt from Unicode's table of look-alikes (UTS #39):
 * https://www.unicode.org/Public/security/latest/confusables.txt
 * A new table needs a migration that empties usuario.nome_semelhante; the next start refills it.
 */

const [source] = process.argv.slice(2)
if (!source) throw new Error('Usage: node scripts/make-confusables.ts <confusables.txt of Unicode>')
const text = readFileSync(source, 'utf8')

const ofCodes = (codes: string): string =>
  codes
    .trim()
    .split(/\s+/)
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join('')
const codesOf = (characters: string): string =>
  [...characters].map((character) => character.codePointAt(0)?.toString(16)).join(' ')
const withoutMarks = (characters: string): string => characters.normalize('NFKD').replace(/\p{M}/gu, '')

const lookAlikes = new Map<string, string[]>()
for (const line of text.split('\n')) {
  const [from, to] = line
    .replace(/#.*/, '')
    .split(';')
    .map((part) => part.trim())
  if (!from || !to || !/^[\dA-F]/.test(from)) continue
  const [character, prototype] = [ofCodes(from), withoutMarks(ofCodes(to)).replace(/[^\p{L}\p{N}]/gu, '')]
  // Names are decomposed, without marks and punctuation, before they are compared.
  if (withoutMarks(character) !== character || prototype === character) continue
  if (prototype === '' && !/[\p{L}\p{N}]/u.test(character)) continue
  lookAlikes.set(prototype, [...(lookAlikes.get(prototype) ?? []), character])
}

const version = /Version: ([\d.]+)/.exec(text)?.[1]
const head = [
  `# Characters that look alike, from Unicode's confusables.txt, version ${version}; made by scripts/make-confusables.ts.`,
  '# © Unicode, Inc. For terms of use and licence, see https://www.unicode.org/terms_of_use.html',
  '# What they look like = the characters, in hexadecimal code points; none: letters that look like punctuation.',
]
const lines = [...lookAlikes].map(
  ([prototype, characters]) => `${codesOf(prototype) || 'none'} = ${codesOf(characters.join(''))}`,
)
writeFileSync(
  new URL('../packages/server/src/accounts/names/confusables.txt', import.meta.url),
  `${[...head, ...lines.sort()].join('\n')}\n`,
)

import { readFileSync } from 'node:fs'

const characterOf = (code: string): string => String.fromCodePoint(Number.parseInt(code, 16))

/** Character → the character it looks like. */
const looks = new Map<string, string>()
for (const line of readFileSync(new URL('confusables.txt', import.meta.url), 'utf8').split('\n')) {
  const [prototype, characters] = line.split(' = ')
  if (!prototype || !characters || line.startsWith('#')) continue
  const look = prototype === 'none' ? '' : prototype.split(' ').map(characterOf).join('')
  for (const code of characters.split(' ')) looks.set(characterOf(code), look)
}

const ascii = /^[\x20-\x7e]+$/

/** Small Cyrillic and Cherokee letters look like a Latin letter when their capital does. */
const lookOf = (character: string): string => {
  const look = looks.get(character) ?? character
  const capital = looks.get(character.toUpperCase())
  return look !== '' && !ascii.test(look) && capital !== undefined && ascii.test(capital) ? capital : look
}

const seen = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/./gsu, lookOf)

/**
 * Returns the skeleton of a name (UTS #39): names with equal skeletons look alike. Case, accents,
 * spaces and punctuation are ignored, and i counts as l, which its capital looks like.
 */
export const nameSkeleton = (name: string): string => {
  // Applied twice: a capital may look like another letter than its small form.
  const letters = seen(seen(name).toLowerCase())
    .replace(/i/g, 'l')
    .replace(/[^\p{L}\p{N}]|\p{Lm}/gu, '')
  return letters || name.toLowerCase()
}

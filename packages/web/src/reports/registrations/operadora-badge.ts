import { withoutAccents } from '@bi-manager/contract'
/**
 * Returns a generated logo: the operadora's initials, and CSS colours derived from its name for
 * each colour scheme. Background and text have a contrast of at least 4.5:1.
 */
export const badgeOf = (operadora: string) => {
  const hue = HUES[hashOf(wordsOf(operadora).join(' ')) % HUES.length] ?? 0
  return {
    initials: initialsOf(operadora),
    light: { ground: `hsl(${hue} 55% 90%)`, text: `hsl(${hue} 70% 24%)` },
    dark: { ground: `hsl(${hue} 35% 24%)`, text: `hsl(${hue} 65% 85%)` },
  }
}

/** Distinguishable hues. The hash starts where the demo's reports get ten different ones. */
export const HUES: readonly number[] = [24, 44, 180, 0, 292, 238, 78, 328, 264, 208, 188, 145, 120]

/**
 * Returns the initials of the first and last word without particles, or two letters of one word.
 */
const initialsOf = (name: string): string => {
  const words = wordsOf(name)
  const weighty = words.filter((word) => !PARTICLES.has(word))
  const [first = '', ...others] = weighty.length > 0 ? weighty : words
  const last = others.at(-1)
  const letters = last ? [...first].slice(0, 1).concat([...last].slice(0, 1)) : [...first].slice(0, 2)
  return letters.join('').toLocaleUpperCase('pt-BR') || '?'
}

const PARTICLES = new Set(['DE', 'DA', 'DO', 'DAS', 'DOS', 'E'])

/** Returns the words in upper case without accents, so that spellings of one operadora match. */
const wordsOf = (name: string): string[] =>
  withoutAccents(name)
    .toLocaleUpperCase('pt-BR')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Chosen by search: it also gives the four known operadoras distant colours. */
const HASH_START = 1_008_185

/** FNV-1a, 32 bits, with another start. */
const hashOf = (text: string): number => {
  let hash = HASH_START
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

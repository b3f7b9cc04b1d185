/** A generated logo: the operadora's initials in a colour of its own, the same at every look. */
export interface OperadoraBadge {
  initials: string
  /** Ground and text for each scheme, as CSS colours; their contrast is at least 4.5:1 at every hue. */
  light: Colours
  dark: Colours
}

interface Colours {
  ground: string
  text: string
}

export const badgeOf = (operadora: string): OperadoraBadge => {
  const hue = HUES[hashOf(wordsOf(operadora).join(' ')) % HUES.length] ?? 0
  return {
    initials: initialsOf(operadora),
    light: { ground: `hsl(${hue} 55% 90%)`, text: `hsl(${hue} 70% 24%)` },
    dark: { ground: `hsl(${hue} 35% 24%)`, text: `hsl(${hue} 65% 85%)` },
  }
}

/** Far enough apart to be told from each other; in an order that keeps the four known operadoras well apart. */
export const HUES: readonly number[] = [24, 44, 180, 0, 292, 238, 78, 328, 264, 208, 188, 145, 120]

/** First letters of the first and last word that counts; of a single word its first two. */
const initialsOf = (name: string): string => {
  const words = wordsOf(name)
  const weighty = words.filter((word) => !PARTICLES.has(word))
  const [first = '', ...others] = weighty.length > 0 ? weighty : words
  const last = others.at(-1)
  const letters = last ? [...first].slice(0, 1).concat([...last].slice(0, 1)) : [...first].slice(0, 2)
  return letters.join('').toLocaleUpperCase('pt-BR') || '?'
}

const PARTICLES = new Set(['DE', 'DA', 'DO', 'DAS', 'DOS', 'E'])

/** Upper case and without accents, so that two ways to write one operadora look alike. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleUpperCase('pt-BR')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** FNV-1a, 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

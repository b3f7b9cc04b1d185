/*
 * The text that searches compare, as the SQL function `texto_busca` makes it (ADR 0094). The
 * tests of both run the pairs of fold-pairs.ts and every letter of Latin, Greek and Cyrillic.
 */

/** Letters without a decomposition in Unicode, after the letter that people type for them. */
const LETTERS = [
  'aªⱥȺ',
  'bƀɃɓƁƃƂ',
  'cƈƇȼȻ',
  'dđĐðÐɖƉɗƊƌƋ',
  'eɇɆǝƎəƏɛƐ',
  'fƒƑ',
  'gǥǤɠƓ',
  'hħĦ',
  'iıɨƗ',
  'jɉɈ',
  'kĸƙƘ',
  'lłŁŀĿƚȽ',
  'nŋŊŉɲƝƞȠ',
  'oºøØɵƟɔƆ',
  'pƥƤ',
  'qɋɊ',
  'rɍɌʀƦ',
  'sſȿⱾ',
  'tŧŦƭƬʈƮȾⱦ',
  'uʉɄ',
  'vʋƲ',
  'yɏɎƴƳ',
  'zƶƵȥȤɀⱿ',
  'σς',
] as const

/** Each letter without case and marks, and the one that people type for it. */
export const FOLDED_LETTERS: readonly (readonly [letter: string, typed: string])[] = LETTERS.flatMap(
  ([typed = '', ...others]) => others.map((letter) => [letter, typed] as const),
)

/** Each letter without case for which people type two. */
export const FOLDED_PAIRS: readonly (readonly [letter: string, typed: string])[] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ﬁ', 'fi'],
  ['ﬂ', 'fl'],
]

/** What people leave out. */
export const FOLDED_APOSTROPHES = "'’‘‛ʼʻʹ′ʾʿ‵´`"

const typed = new Map([...FOLDED_LETTERS, ...FOLDED_PAIRS])
const untyped = new RegExp(`[${[...typed.keys()].join('')}]`, 'gu')
const marks = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g
const apostrophes = new RegExp(`[${FOLDED_APOSTROPHES}]`, 'g')

/** Returns the text without accents, for comparisons of what people name; searches compare more loosely. */
export const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{Diacritic}/gu, '')

/** Returns the text for searches: without case, marks and apostrophes, in letters that people type. */
export const foldForSearch = (text: string): string =>
  text
    .normalize('NFD')
    .replace(marks, '')
    .toLowerCase()
    .replace(untyped, (letter) => typed.get(letter) ?? letter)
    .replace(apostrophes, '')

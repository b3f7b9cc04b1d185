import { FOLDED_APOSTROPHES, FOLDED_LETTERS, FOLDED_PAIRS } from '@bi-manager/contract/fold-text'

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const letters = literal(FOLDED_LETTERS.map(([letter]) => letter).join('') + FOLDED_APOSTROPHES)
const typed = literal(FOLDED_LETTERS.map(([, letter]) => letter).join(''))

/**
 * Returns SQL for the text that a search compares, as the portal's searches fold it: without case,
 * marks and apostrophes, in letters that people type (record 0094).
 * @param text SQL
 */
export const foldedText = (text: string): string =>
  FOLDED_PAIRS.reduce(
    (folded, [letter, two]) => `replace(${folded}, ${literal(letter)}, ${literal(two)})`,
    // `translate` removes a letter without a counterpart: the apostrophes.
    `translate(lower(strip_accents(${text})), ${letters}, ${typed})`,
  )

import { withoutAccents } from '@bi-manager/contract/fold-text'
import { isInheritedName } from '@bi-manager/contract/own-value'

/** Greatest number of characters of a name in a definition. */
const LONGEST = 63

/**
 * Returns a name that SQL takes without quotes: 'Duração (min)' → 'Duracao_min', or `otherwise` if
 * nothing remains. Equal texts have equal names.
 */
export const plainName = (text: string, otherwise: string): string => {
  const plain = withoutAccents(text)
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    // The prefix 'c_', or a number that tells equal names apart, takes up to four characters.
    .slice(0, LONGEST - 4)
  if (!plain) return otherwise
  return /^[0-9]/.test(plain) || isReserved(plain) ? `c_${plain}` : plain
}

/** Definitions, which are JSON objects, accept no field of an inherited name. */
const isReserved = (name: string) =>
  RESERVED.has(name.toLowerCase()) || isInheritedName(name) || name === 'prototype'

/** DuckDB's reserved words. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
  deferrable desc describe distinct do else end except false fetch for foreign from group having in initially
  intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider placing
  primary qualify references returning select show some summarize symmetric table then to trailing true union unique
  unpivot using variadic when where window with`.split(/\s+/),
)

/** Returns a plain name for each heading; equal names get a number. */
export const columnNames = (headings: string[]): string[] => {
  const taken = new Set<string>()
  return headings.map((heading, index) => {
    const wanted = plainName(heading, `coluna_${index + 1}`)
    let name = wanted
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${wanted}_${count}`
    taken.add(name.toLowerCase())
    return name
  })
}

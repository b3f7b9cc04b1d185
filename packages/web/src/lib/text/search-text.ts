import { foldForSearch, withoutAccents, withUnicodeDomains } from '@bi-manager/contract'

/**
 * Returns the text in lower case, trimmed and without accents: two names that are equal so are one
 * entity. Searches find more, by `foldForSearch`.
 */
export const normalised = (text: string): string => withoutAccents(text).toLocaleLowerCase('pt-BR').trim()

const searchable = (text: string): string => foldForSearch(text).trim()

/** Returns whether the text has every word of the search, in any order, with domains in either form. */
export const matchesSearch = (text: string, search: string): boolean => {
  const written = searchable(text)
  const inUnicode = searchable(withUnicodeDomains(text))
  return search
    .trim()
    .split(/\s+/)
    .every(
      (word) =>
        written.includes(searchable(word)) || inUnicode.includes(searchable(withUnicodeDomains(word))),
    )
}

/** Returns whether the name has every word of the search, or the id has the search as a whole. */
export const matchesNameOrId = (name: string, id: string, search: string): boolean =>
  matchesSearch(name, search) || searchable(id).includes(searchable(search))

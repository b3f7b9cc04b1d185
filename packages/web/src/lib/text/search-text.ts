/** Returns the text in lower case, trimmed and without accents. */
export const normalised = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase('pt-BR')
    .trim()

/** Returns whether the text has every word of the search, in any order. */
export const matchesSearch = (text: string, search: string): boolean => {
  const searched = normalised(text)
  return normalised(search)
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

/** Returns whether the name has every word of the search, or the id has the search as a whole. */
export const matchesNameOrId = (name: string, id: string, search: string): boolean =>
  matchesSearch(name, search) || normalised(id).includes(normalised(search))

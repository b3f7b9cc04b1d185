/** Returns the text in lower case, trimmed and without accents. */
export const normalised = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase('pt-BR')
    .trim()

export const matchesSearch = (text: string, search: string): boolean =>
  normalised(text).includes(normalised(search))

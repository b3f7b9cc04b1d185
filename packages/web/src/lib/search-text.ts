/** Lower case and without accents, as people type when they search. */
export const normalised = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase('pt-BR')
    .trim()

export const matchesSearch = (text: string, search: string): boolean =>
  normalised(text).includes(normalised(search))

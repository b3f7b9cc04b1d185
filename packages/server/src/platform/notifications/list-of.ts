/**
 * Returns the names as a Portuguese list; `more` others are counted.
 * @example “A”, “B” e mais 4
 */
export const listOf = (names: string[], more = 0): string =>
  new Intl.ListFormat('pt-BR').format(more > 0 ? [...names, `mais ${more}`] : names)

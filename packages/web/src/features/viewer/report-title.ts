/** The viewer's title: a name as the route writes it, dashes as spaces, each word capitalised. */
export const titleOfSlug = (slug: string): string =>
  slug
    .replaceAll('-', ' ')
    .split(' ')
    .filter(Boolean)
    .map((word) => word.charAt(0).toLocaleUpperCase('pt-BR') + word.slice(1))
    .join(' ')

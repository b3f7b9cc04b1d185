/** Returns a title from a slug: hyphens become spaces, each word is capitalised. */
export const titleOfSlug = (slug: string): string =>
  slug
    .replaceAll('-', ' ')
    .split(' ')
    .filter(Boolean)
    .map((word) => word.charAt(0).toLocaleUpperCase('pt-BR') + word.slice(1))
    .join(' ')

/**
 * Returns the viewer's title: the workspace's name as registered if the menu knows it. A name in the
 * URL can be forged by the author of a link, and its slug has lost case.
 */
export const titleOfReport = (groupName: string, workspace: string | undefined): string =>
  workspace ?? titleOfSlug(groupName)

import { slug } from '@bi-manager/contract'

/** Returns a title from a slug: hyphens become spaces, each word is capitalised. */
export const titleOfSlug = (slug: string): string =>
  slug
    .replaceAll('-', ' ')
    .split(' ')
    .filter(Boolean)
    .map((word) => word.charAt(0).toLocaleUpperCase('pt-BR') + word.slice(1))
    .join(' ')

/**
 * Returns the viewer's title, from the workspace's name if the menu knows it: a name in the URL can
 * be forged by the author of a link.
 */
export const titleOfReport = (groupName: string, workspace: string | undefined): string =>
  titleOfSlug(workspace === undefined ? groupName : slug(workspace))

import { slug } from '../../lib/report-path.ts'

/** The viewer's title: a name as the route writes it, dashes as spaces, each word capitalised. */
export const titleOfSlug = (slug: string): string =>
  slug
    .replaceAll('-', ' ')
    .split(' ')
    .filter(Boolean)
    .map((word) => word.charAt(0).toLocaleUpperCase('pt-BR') + word.slice(1))
    .join(' ')

/** The names in an address are anybody's to write: where the menu knows the group, the title is of its own name. */
export const titleOfReport = (groupName: string, workspace: string | undefined): string =>
  titleOfSlug(workspace === undefined ? groupName : slug(workspace))

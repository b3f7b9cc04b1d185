/*
 * What a load may read and say. A dry run on published rows would be a read that no gate, no role
 * and no audit line covers: it loads their columns only, so that no text or timing can depend on
 * them. A load of published rows never quotes the database.
 */
export type AuthorRights = {
  /** Whether the author brings this file, of which the path is relative to the data folder. */
  isAuthored: (path: string) => boolean
  /** Whether the rows of other files are loaded too. */
  readsPublished: boolean
  /** Whether sentences may contain values of what is loaded. */
  quotesData: boolean
}

/** Of the service and of a publication: all rows, and no value in any sentence. */
export const PUBLISHED_ROWS: AuthorRights = {
  isAuthored: () => false,
  readsPublished: true,
  quotesData: false,
}

/** Of a dry run: the rows of the author's own files, and of others only the columns. */
export const ownRows = (isAuthored: AuthorRights['isAuthored'], quotesData = true): AuthorRights => ({
  isAuthored,
  readsPublished: false,
  quotesData,
})

/* Names and limits shared with the embed page, so this must not import zod. */

/** The column of the current level in the rows of a visual with a hierarchy. */
export const LEVEL_COLUMN = 'nivel'

/** Characters of one value; the rest is replaced by an ellipsis. */
export const MAX_LETTERS = 2000

/** Maximum characters of a bookmark state. */
export const LONGEST_STATE = 32 * 1024

/** Rows of one exported visual: Power BI's own limit. */
export const MAX_EXPORTED = 30_000

/** Empty visuals that one request asks about; further ones keep their general sentence. */
export const MAX_EXPLAINED = 12

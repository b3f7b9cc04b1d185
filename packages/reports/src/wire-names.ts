/* What the service and its embed page must agree on. Without zod, because the page reads this too. */

/** What the column of the level is called in the rows of a visual with a hierarchy, whichever level they show. */
export const LEVEL_COLUMN = 'nivel'

/** Letters of one value: the rest is cut, and an ellipsis follows. */
export const MOST_LETTERS = 2000

/** Characters of a bookmark's state. */
export const LONGEST_STATE = 32 * 1024

/**
 * Characters of the longest statement that is kept parsed: with its plan it takes hundreds of times as much, for as long as the
 * connection lives, and such a text is seldom sent again.
 */
export const LONGEST_KEPT = 8_192

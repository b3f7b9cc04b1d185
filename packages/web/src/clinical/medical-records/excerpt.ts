/** Longest excerpt, in characters: about three lines of the panel. */
const EXCERPT = 140

/** Returns the beginning of a text on one line, cut at the end of a word. */
export const excerptOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= EXCERPT) return line
  const start = line.slice(0, EXCERPT + 1)
  const end = start.lastIndexOf(' ')
  return `${(end > EXCERPT / 2 ? start.slice(0, end) : start.slice(0, EXCERPT)).replace(/[\s.,;:–-]+$/, '')}…`
}

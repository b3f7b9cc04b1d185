/** Characters of one cell: Excel's limit. */
const LONGEST = 32_767

/**
 * Returns a text for an element or an attribute of a spreadsheet file. Characters that XML does not
 * allow or changes become `_xHHHH_`, as spreadsheet programs write them; so does an underscore that
 * a program would take for the beginning of one.
 */
export const xmlText = (text: string): string =>
  text
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, coded)
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const coded = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

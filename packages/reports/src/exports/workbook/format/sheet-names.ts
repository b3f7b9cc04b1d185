/** Excel's limit, in UTF-16 units. */
const LONGEST = 31

/**
 * Returns a function that gives each title a name that every spreadsheet program accepts: without
 * the refused characters, short, and unlike the names before it, ignoring case.
 */
export const sheetNames = (taken: readonly string[]): ((title: string) => string) => {
  const used = new Set(taken.map(folded))
  return (title) => {
    const base = cleaned(title)
    let name = shortened(base, LONGEST)
    for (let count = 2; used.has(folded(name)); count += 1) {
      const ending = ` (${count})`
      name = shortened(base, LONGEST - ending.length) + ending
    }
    used.add(folded(name))
    return name
  }
}

const folded = (name: string) => name.normalize('NFC').toLowerCase()

/** Excel keeps the name History for itself, and refuses an apostrophe at the ends. */
const cleaned = (title: string): string => {
  const name = title
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\ufffd-\uffff[\]:*?/\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s']+|[\s']+$/g, '')
  if (!name) return 'Planilha'
  return /^(history|histórico)$/i.test(name) ? `${name} -` : name
}

/** Never ends within a character of two units, nor with an apostrophe. */
const shortened = (name: string, most: number) =>
  name.length <= most
    ? name
    : name
        .slice(0, most)
        .replace(/[\ud800-\udbff]$/, '')
        .replace(/[\s']+$/, '')

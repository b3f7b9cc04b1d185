/** The parts of a DAX query: comments, names, texts (also one without its end), and numbers. */
const PARTS =
  /(?:\/\/|--)[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*(?:"|$)|\b\d[\w.]*/g

/** Returns a DAX query for the audit trail, without what may name a patient: comments, texts and numbers. */
export const withoutLiterals = (query: string): string =>
  query.replace(PARTS, (part) => {
    if (/^(?:\/[/*]|--)/.test(part)) return '/*…*/'
    if (part.startsWith('"')) return '"…"'
    return /^\d/.test(part) ? '…' : part
  })

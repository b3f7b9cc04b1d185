/** Names of tables and columns, texts, and numbers of a DAX query. */
const PARTS = /'(?:[^']|'')*'|\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*"|\b\d+(?:\.\d+)?\b/g

/** Returns a DAX query for the audit trail: without its texts and numbers, which may name a patient. */
export const withoutLiterals = (query: string): string =>
  query.replace(PARTS, (part) => (part.startsWith('"') ? '"…"' : /^\d/.test(part) ? '…' : part))

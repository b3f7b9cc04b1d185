/** What a document is made of, in order. */
export type PdfPart =
  /** Starts a section, and is never left alone at the foot of a page. */
  | { heading: string }
  /** Short values beside their labels. */
  | { rows: readonly (readonly [label: string, value: string])[] }
  /** A text of any length and of several lines, under its label. */
  | { label?: string; text: string }

export interface PdfHead {
  /** Stands at the top, and in the file's metadata, which indexes and file lists read: never a patient's name or id. */
  title: string
  /** Whom it is about, at the head of each page: one alone must not be taken for somebody else's. */
  about: string
  /** Who asked for it, and when: at the foot of each page. */
  by: string
  at: Date
}

export interface PdfDocument extends PdfHead {
  /** Read as they are drawn: an export need not hold them all. */
  parts: Iterable<PdfPart> | AsyncIterable<PdfPart>
}

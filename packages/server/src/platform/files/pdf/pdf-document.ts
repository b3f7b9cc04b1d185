import type { Letterhead } from '../../brand/brand.ts'

/** What a document is made of, in order. */
export type PdfPart =
  /** Starts a section, and is never left alone at the foot of a page. */
  | { heading: string }
  /** Short values next to their labels. */
  | { rows: readonly (readonly [label: string, value: string])[] }
  /** A text of any length and of several lines, under its label. */
  | { label?: string; text: string }

export interface PdfHead {
  /** The title, also in the metadata, which search indexes read: never a patient's name or id. */
  title: string
  /** The patient, at the head of each page, so that a single page is not attributed to another. */
  about: string
  /** Who asked for it, and when: at the foot of each page. */
  by: string
  at: Date
  /** Name, logo and colour of the company, at the head of each page. */
  letterhead: Letterhead
}

export interface PdfDocument extends PdfHead {
  /** Read as they are drawn: an export need not hold them all. */
  parts: Iterable<PdfPart> | AsyncIterable<PdfPart>
}

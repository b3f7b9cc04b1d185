export interface PastedEmail {
  email: string
  /** Its line in the pasted text, from 1. */
  line: number
}

/**
 * Returns the e-mails of a pasted text: one for each line or part between `;` and `,`. A part such
 * as `Lima, Bia <bia@x.com>` is one, whose name may contain commas.
 */
export const pastedEmails = (text: string): PastedEmail[] =>
  text.split(/\r\n|\n|\r/).flatMap((line, index) =>
    line
      .split(';')
      .flatMap((part) => part.match(/[^<@]*<[^>]*>|[^,]+/g) ?? [])
      .map((part) => address.exec(part)?.[0] ?? part.replace(/^[\s,]+/, '').trim())
      .filter(Boolean)
      .map((email) => ({ email, line: index + 1 })),
  )

/** An apostrophe is part of an address such as `d'avila@x.com`, but not at its ends. */
const address = /[^\s<>"',;][^\s<>",;]*@[^\s<>",;]*[^\s<>"',;]/

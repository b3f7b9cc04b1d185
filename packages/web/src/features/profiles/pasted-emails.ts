/**
 * Returns the e-mails of a pasted text: one for each line or part between `;` and `,`. A part such
 * as `Lima, Bia <bia@x.com>` is one, whose name may contain commas.
 */
export const pastedEmails = (text: string): string[] =>
  text
    .split(/[\n\r;]+/)
    .flatMap((line) => line.match(/[^<@]*<[^>]*>|[^,]+/g) ?? [])
    .map((part) => address.exec(part)?.[0] ?? part.replace(/^[\s,]+/, '').trim())
    .filter(Boolean)

/** An apostrophe is part of an address such as `d'avila@x.com`, but not at its ends. */
const address = /[^\s<>"',;][^\s<>",;]*@[^\s<>",;]*[^\s<>"',;]/

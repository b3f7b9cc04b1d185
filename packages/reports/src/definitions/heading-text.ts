/*
 * The headings of columns. The embed page reads this too, so it must not import zod.
 */

/** Returns a heading in one line: spreadsheets break long ones, 'Valor⏎pago'. */
export const headingText = (heading: string): string =>
  heading.replace(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ').trim() || heading

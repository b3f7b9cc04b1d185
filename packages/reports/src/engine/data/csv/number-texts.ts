/* What texts with numbers look like, for all readers: it needs no database. */

/**
 * Dashes that people and programs write for a minus: those of typesetting, the mathematical one, and
 * those of Asian keyboards.
 */
export const LONG_DASHES = '‐‑‒–—−﹣－'

/** Returns a text with a hyphen for each dash. */
export const withHyphens = (text: string): string => text.replace(new RegExp(`[${LONG_DASHES}]`, 'g'), '-')

/** Whether a text may be a number, in whatever notation: 1.234,5 or (R$ 10) or 8%. */
export const looksLikeNumber = (text: string): boolean =>
  /^[-+(]?\s*(R\$\s*)?[-+]?\d[\d.,]*\s*%?\)?$/.test(withHyphens(text))

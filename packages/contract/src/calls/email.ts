/** As the HTML standard accepts it in an e-mail field. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]+$/
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const MAX_DOMAIN = 253
const ASCII = /^[\x21-\x7e]*$/
/** Marks that would end the host of a URL, or that are ignored in it. */
const NOT_OF_DOMAIN = /[\s/?#:@%[\]\\]/

/**
 * Returns the one form of a domain, in ASCII and lower case: `xn--aa-4iaz.com.br` for `Açaí.com.br`;
 * undefined when it is not a domain.
 */
export const domainOf = (text: string): string | undefined => {
  const domain = ASCII.test(text) ? text.toLowerCase() : domainInAscii(text)
  if (domain === undefined || domain.length > MAX_DOMAIN) return undefined
  return domain.split('.').every((label) => LABEL.test(label)) ? domain : undefined
}

const domainInAscii = (text: string): string | undefined => {
  if (NOT_OF_DOMAIN.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const { hostname } = new URL(`http://${text}`)
  // The URL standard reads a last label of digits as an IPv4 address.
  return /(?:^|\.)\d+$/.test(hostname) ? undefined : hostname
}

/**
 * Returns the one form in which an e-mail is stored and compared; undefined when it is not an
 * e-mail. The local part keeps its case: the database compares addresses without it.
 */
export const emailOf = (text: string): string | undefined => {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = domainOf(text.slice(at + 1))
  return LOCAL_PART.test(local) && domain !== undefined ? `${local}@${domain}` : undefined
}

/** Returns one key for all spellings of an e-mail; for another text, the text in lower case. */
export const emailKey = (text: string): string => (emailOf(text.trim()) ?? text).toLowerCase()

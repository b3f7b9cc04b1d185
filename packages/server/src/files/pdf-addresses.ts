/*
 * Texts come as pdf-tokens.ts gives strings: printed ASCII only, so that nothing hides a scheme.
 */

/** Of a text at any place: it may be an address by way of another object. `isAlone`: it is an object by itself. */
export const isHostileText = (text: string, isAlone: boolean): boolean =>
  // 'Data:' begins many a Portuguese text.
  /^((java|vb|live)script:|data:([a-z]+\/[a-z]|[;,]))/i.test(text) ||
  (isAlone && /^((file|search|search-ms|ms-[\w-]+|smb):|[\\/]{2})/i.test(text))

/** Of a link: another scheme than these starts a program, two slashes lead to another machine's files. */
export const isHostileAddress = (address: string): boolean => {
  if (/^[\\/]{2}/.test(address)) return true
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]
  return scheme !== undefined && !/^(https?|mailto|tel|sms|whatsapp|geo)$/i.test(scheme)
}

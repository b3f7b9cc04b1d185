/**
 * Returns whether a text contains, in printable ASCII, an address that runs scripts or opens files.
 * @param isAlone it is an object by itself, so a link may refer to it
 */
export const isHostileText = (text: string, isAlone: boolean): boolean =>
  // 'Data:' begins many a Portuguese text.
  /^((java|vb|live)script:|data:([a-z]+\/[a-z]|[;,]))/i.test(text) ||
  (isAlone && /^((file|search|search-ms|ms-[\w-]+|smb):|[\\/]{2})/i.test(text))

/** Returns whether a link's address starts a program or opens a file of another machine. */
export const isHostileAddress = (address: string): boolean => {
  if (/^[\\/]{2}/.test(address)) return true
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]
  return scheme !== undefined && !/^(https?|mailto|tel|sms|whatsapp|geo)$/i.test(scheme)
}

import { createHash } from 'node:crypto'

/** Returns the same GUID for the same texts (version 8 of RFC 9562). */
export const derivedGuid = (...texts: string[]): string => {
  const bytes = createHash('sha256').update(JSON.stringify(texts)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

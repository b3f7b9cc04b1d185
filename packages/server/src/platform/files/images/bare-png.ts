/** Chunks that define the picture; the first of each is kept, and all pixel data. */
const kept: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'eXIf',
  'IDAT',
])

/**
 * Returns a PNG with only picture, colours and orientation. Each text chunk inflates to 8 MB when
 * read, and a small file can hold a thousand, which no pixel limit catches.
 * @returns undefined for an incomplete PNG
 */
export const stripPngMetadata = (bytes: Buffer): Buffer | undefined => {
  const parts: Buffer[] = [bytes.subarray(0, 8)]
  const seen = new Set<string>()
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    const chunk = bytes.subarray(at, end)
    if (type === 'IEND') return Buffer.concat([...parts, chunk])
    if (kept.has(type) && (type === 'IDAT' || !seen.has(type))) parts.push(chunk)
    seen.add(type)
    at = end
  }
  return undefined
}

/** Returns whether a PNG says, before its pixels, that more frames follow (APNG). */
export const isAnimatedPng = (bytes: Buffer): boolean => {
  for (let at = 8; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
    at += 12 + bytes.readUInt32BE(at)
  }
  return false
}

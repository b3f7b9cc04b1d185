/** What a picture is drawn from; the first of each of these alone is kept, but for the pixels, which come in parts. */
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
 * A PNG with nothing but its picture, colours and turn. Each text chunk unfolds to 8 MB where it is read, and a small file has
 * room for a thousand of them: no limit of pixels sees that.
 * @returns undefined for what is no whole PNG
 */
export const barePng = (bytes: Buffer): Buffer | undefined => {
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

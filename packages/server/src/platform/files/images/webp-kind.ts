/**
 * Returns whether a WebP has a lossless picture, by the chunk of the picture: libvips does not tell.
 * @see https://developers.google.com/speed/webp/docs/riff_container
 */
export const isLosslessWebp = (bytes: Buffer): boolean => {
  for (let at = 12; at + 8 <= bytes.length; ) {
    const chunk = bytes.toString('latin1', at, at + 4)
    if (chunk === 'VP8L') return true
    if (chunk === 'VP8 ') return false
    const size = bytes.readUInt32LE(at + 4)
    // A chunk of odd size is padded.
    at += 8 + size + (size % 2)
  }
  return false
}

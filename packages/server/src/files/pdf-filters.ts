import { constants, createInflate } from 'node:zlib'
import { RefusedPdf, UNREADABLE } from './refused-pdf.ts'

/** Told of each piece by its length; ends the work by throwing. */
export type Count = (bytes: number) => void

/** Up to its end mark; what is no digit is passed over. */
export const decodeHex = (packed: Buffer): Buffer => {
  const end = packed.indexOf('>')
  const digits = packed.toString('latin1', 0, end < 0 ? packed.length : end).replace(/[^\da-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

/** @throws RefusedPdf where it begins as readers do not agree on */
export const decodeAscii85 = (packed: Buffer): Buffer => {
  const mark = packed.indexOf('~')
  const digits = packed.toString('latin1', 0, mark < 0 ? packed.length : mark).replace(/[\s\0]/g, '')
  if (digits === '<') throw new RefusedPdf(UNREADABLE)
  const bytes = Buffer.alloc(digits.length * 4 + 4)
  let [length, value, count] = [0, 0, 0]
  for (const digit of digits) {
    if (digit === 'z' && count === 0) {
      length += 4
      continue
    }
    value = value * 85 + digit.charCodeAt(0) - 0x21
    if (++count < 5) continue
    length = bytes.writeUInt32BE(value >>> 0, length)
    value = 0
    count = 0
  }
  if (count < 2) return bytes.subarray(0, length)
  for (let missing = count; missing < 5; missing += 1) value = value * 85 + 84
  bytes.writeUInt32BE(value >>> 0, length)
  return bytes.subarray(0, length + count - 1)
}

/** @returns false where it is malformed: readers show what there is up to there */
export const inflate = async (
  packed: Buffer,
  count: Count,
  onChunk: (chunk: Buffer) => void = () => {},
): Promise<boolean> => {
  const unpacking = createInflate({ chunkSize: 256 * 1024, finishFlush: constants.Z_SYNC_FLUSH })
  unpacking.end(packed)
  try {
    for await (const chunk of unpacking) {
      count(chunk.length)
      onChunk(chunk)
    }
    return true
  } catch (error) {
    if (error instanceof RefusedPdf) throw error
    return false
  }
}

export const measureRunLength = (packed: Buffer, count: Count): void => {
  for (let at = 0; at < packed.length; ) {
    const length = packed[at] ?? 128
    if (length === 128) return
    count(length < 128 ? length + 1 : 257 - length)
    at += length < 128 ? length + 2 : 2
  }
}

const CLEAR = 256
const END = 257

/** Only how long each code's text is, not the text. */
export const measureLzw = (packed: Buffer, earlyChange: 0 | 1, count: Count): void => {
  const lengths = new Uint32Array(4096).fill(1, 0, 256)
  let [next, width, last] = [258, 9, 0]
  for (let bit = 0; bit + width <= packed.length * 8; ) {
    const at = bit >> 3
    const read = ((packed[at] ?? 0) << 16) | ((packed[at + 1] ?? 0) << 8) | (packed[at + 2] ?? 0)
    const code = (read >> (24 - width - (bit & 7))) & ((1 << width) - 1)
    bit += width
    if (code === END) return
    if (code === CLEAR) {
      next = 258
      width = 9
      last = 0
      continue
    }
    // A code that is not known yet is the last text and its first letter.
    const length = code < next ? (lengths[code] ?? 1) : last + 1
    if (last > 0 && next < 4096) {
      lengths[next] = last + 1
      next += 1
    }
    while (width < 12 && next + earlyChange >= 1 << width) width += 1
    last = length
    count(length)
  }
}

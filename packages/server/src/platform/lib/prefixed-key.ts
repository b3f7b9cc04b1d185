import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM = 40
const CHECKSUM = 6

/**
 * Returns a new key: the prefix, 40 random characters (238 bits), and 6 of their checksum, by which
 * scanners of secrets tell a key from other text without asking the portal.
 */
export const newKey = (prefix: string): string => {
  const random = Array.from({ length: RANDOM }, () => letters.charAt(randomInt(letters.length))).join('')
  return `${prefix}${random}${checksumOf(random)}`
}

/** Whether a text has the form of such a key, with the right checksum. */
export const isKey = (prefix: string, text: string): boolean => {
  const random = text.slice(prefix.length, -CHECKSUM)
  return (
    text.startsWith(prefix) &&
    random.length === RANDOM &&
    [...random].every((letter) => letters.includes(letter)) &&
    text.slice(-CHECKSUM) === checksumOf(random)
  )
}

/** Returns the CRC-32 in base 62: six digits hold 35 bits. */
const checksumOf = (text: string): string => {
  let rest = crc32(text)
  let digits = ''
  while (digits.length < CHECKSUM) {
    digits = letters.charAt(rest % letters.length) + digits
    rest = Math.floor(rest / letters.length)
  }
  return digits
}

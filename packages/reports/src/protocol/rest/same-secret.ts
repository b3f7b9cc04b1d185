import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares hashes, so that the time depends on neither content nor length. */
export const isSameSecret = (given: string, expected: string): boolean => {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

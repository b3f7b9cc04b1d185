import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'

/* Searches for a text in stored data, as bytes and in the encodings that programs use. */

/** @param mark ASCII letters and digits, at least ten, so that it does not occur by chance */
export const spellingsOf = (mark: string): Record<string, Buffer> => {
  const utf8 = Buffer.from(mark)
  const utf16 = Buffer.from(mark, 'utf16le')
  const percent = [...utf8].map((byte) => `%${byte.toString(16)}`).join('')
  return {
    'UTF-8': utf8,
    'UTF-16LE': utf16,
    'UTF-16BE': Buffer.from(utf16).swap16(),
    hex: Buffer.from(utf8.toString('hex')),
    percent: Buffer.from(percent),
    // Base64 depends on the position modulo three: at each, the part that neighbours do not affect.
    ...Object.fromEntries(
      [0, 1, 2].map((before) => {
        const spelt = Buffer.concat([Buffer.alloc(before), utf8, Buffer.alloc(3)]).toString('base64')
        return [
          `base64 at ${before}`,
          Buffer.from(spelt.slice(4, 4 * Math.floor((before + utf8.length) / 3))),
        ]
      }),
    ),
  }
}

/** Returns the encodings found in the bytes, with their surroundings; ignores case. */
export const tracesIn = (bytes: Buffer, mark: string): string[] => {
  const lower = Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1')
  return Object.entries(spellingsOf(mark)).flatMap(([spelling, wanted]) => {
    const isExact = spelling.startsWith('base64')
    const [haystack, needle] = isExact
      ? [bytes, wanted]
      : [lower, Buffer.from(wanted.toString('latin1').toLowerCase(), 'latin1')]
    const at = haystack.indexOf(needle)
    if (at < 0) return []
    const beside = bytes.toString('latin1', Math.max(0, at - 40), at + needle.length + 40)
    return [`${spelling}: ${JSON.stringify(beside)}`]
  })
}

/** Searches every file below the folder, decompressing .gz files. */
export const tracesBelow = (folder: string, mark: string): string[] =>
  filesBelow(folder).flatMap((path) => {
    const bytes = readFileSync(join(folder, path))
    const unpacked = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
    return tracesIn(unpacked, mark).map((trace) => `${path}: ${trace}`)
  })

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'

/* Looking for a text in whatever was left behind, as bytes and in the spellings that programs give it. */

/** @param mark ASCII letters and digits, at least ten, so that chance does not make it */
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
    // Where the text begins within three bytes decides how it is spelt: at each, what the neighbours do not touch.
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

/** The spellings that stand in the bytes, with what stands beside them; letters in either case. */
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

/** In every file below the folder, unpacked where it is packed. */
export const tracesBelow = (folder: string, mark: string): string[] =>
  filesBelow(folder).flatMap((path) => {
    const bytes = readFileSync(join(folder, path))
    const unpacked = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
    return tracesIn(unpacked, mark).map((trace) => `${path}: ${trace}`)
  })

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

import { unzipSync } from 'fflate'
import { BROKEN, TOO_LARGE, UnreadableSheet } from './unreadable-sheet.ts'

/** Bytes of the parts that are read, after decompression; an author's sheet grows about tenfold. */
const UNZIPPED_BYTES = 400 * 1024 * 1024
/** Entries of a zip; a workbook has as many as sheets, pictures and comments. */
const MAX_ENTRIES = 20_000

/** The parts of a zip, which are decompressed one by one. */
export interface ZipParts {
  /** In the order of the zip. */
  names: string[]
  has: (name: string) => boolean
  /** @throws UnreadableSheet when the part is missing, broken, or too large with the others */
  read: (name: string) => Uint8Array
}

/** @throws UnreadableSheet when the bytes are no zip */
export const openZip = (bytes: Uint8Array): ZipParts => {
  const sizes = new Map<string, { name: string; size: number }>()
  extract(bytes, ({ name, originalSize }) => {
    // Names of parts ignore case (ECMA-376, part 2); some writers begin them with a slash.
    sizes.set(keyOf(name), { name, size: originalSize })
    if (sizes.size > MAX_ENTRIES) throw new UnreadableSheet(TOO_LARGE)
    return false
  })
  let total = 0
  return {
    names: [...sizes.keys()],
    has: (name) => sizes.has(keyOf(name)),
    read(name) {
      const found = sizes.get(keyOf(name))
      if (!found) throw new UnreadableSheet(BROKEN)
      total += found.size
      if (total > UNZIPPED_BYTES) throw new UnreadableSheet(TOO_LARGE)
      // fflate writes no more than the size that the zip names.
      const part = extract(bytes, (entry) => entry.name === found.name)[found.name]
      if (!part) throw new UnreadableSheet(BROKEN)
      return part
    },
  }
}

const keyOf = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()

type Filter = NonNullable<NonNullable<Parameters<typeof unzipSync>[1]>['filter']>

const extract = (bytes: Uint8Array, filter: Filter) => {
  try {
    return unzipSync(bytes, { filter })
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error
    throw new UnreadableSheet(BROKEN)
  }
}

import { DefinitionError } from '../definitions/definition-error.ts'

/** Valid ranges of the second byte, which exclude overlong forms and surrogates. */
const SECOND: Record<number, [least: number, most: number]> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}
/** Bytes that are undefined in Windows-1252. */
const UNKNOWN = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

/** Detects the encoding of a file from its non-ASCII bytes. */
export function createEncodingDetector() {
  let waiting = 0
  let range: [number, number] = [0x80, 0xbf]
  /** Line numbers; 0 means none. */
  const first = { valid: 0, broken: 0, unknown: 0 }
  const fail = (line: number) => {
    first.broken ||= line
    waiting = 0
  }
  const begin = (byte: number, line: number) => {
    waiting = byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 ? 3 : 0
    range = SECOND[byte] ?? [0x80, 0xbf]
    if (waiting === 0 || byte > 0xf4) fail(line)
  }

  return {
    /** Within a sequence, ASCII bytes must be passed to `take` too. */
    isWaiting: () => waiting > 0,
    take(byte: number, line: number) {
      if (UNKNOWN.has(byte)) first.unknown ||= line
      if (waiting === 0) return begin(byte, line)
      const [least, most] = range
      range = [0x80, 0xbf]
      if (byte < least || byte > most) {
        fail(line)
        if (byte >= 0x80) begin(byte, line)
      } else if (--waiting === 0) first.valid ||= line
    },
    /**
     * Returns the encoding.
     * @throws DefinitionError when the bytes contradict the declared encoding, or mix two
     */
    encoding(said?: 'utf-8' | 'windows-1252'): 'utf-8' | 'windows-1252' {
      if (said === 'utf-8' && first.broken)
        throw new DefinitionError(`linha ${first.broken}: não está em UTF-8`)
      if (said === 'utf-8' || (!said && !first.broken)) return 'utf-8'
      if (!said && first.valid)
        throw new DefinitionError(
          `mistura codificações: a linha ${first.valid} está em UTF-8, e a linha ${first.broken} não`,
        )
      if (first.unknown)
        throw new DefinitionError(`linha ${first.unknown}: tem um byte que não existe em Windows-1252`)
      return 'windows-1252'
    },
  }
}

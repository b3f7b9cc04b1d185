import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DefinitionError } from '../../../definitions/definition-error.ts'

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
export const createEncodingDetector = () => {
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

/** Returns the encoding of a file in UTF-16, by its first two bytes. */
const utf16Of = (head: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Passes on the file, or a UTF-8 copy of one in UTF-16, as spreadsheets save 'Unicode text'. */
export const withUtf8 = async <T>(file: string, use: (file: string) => Promise<T>): Promise<T> => {
  const encoding = utf16Of(await firstBytes(file))
  if (!encoding) return use(file)
  return withCopy({ file, encoding, start: 2, end: undefined, isPlain: false }, use)
}

interface ReadableShape {
  encoding: string
  newline: string
  /** The bytes of the rows, when the file has others too. */
  body: { start: number; end: number } | undefined
}

/** Passes on the file if DuckDB can read it, otherwise a UTF-8 copy of its rows with plain line endings. */
export const withReadable = async <T>(
  file: string,
  { encoding, newline, body }: ReadableShape,
  use: (file: string) => Promise<T>,
): Promise<T> => {
  if (encoding === 'utf-8' && newline !== 'mixed' && !body) return use(file)
  return withCopy({ file, encoding, start: body?.start ?? 0, end: body?.end, isPlain: true }, use)
}

const firstBytes = async (file: string): Promise<Buffer> => {
  for await (const chunk of createReadStream(file, { end: 1 })) return chunk as Buffer
  return Buffer.alloc(0)
}

interface Copied {
  file: string
  encoding: string
  /** The first byte, and the one after the last. */
  start: number
  end: number | undefined
  /** Whether all line endings become the same. */
  isPlain: boolean
}

const withCopy = async <T>(copied: Copied, use: (file: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'bi-csv-'))
  try {
    const copy = join(folder, 'copy.csv')
    await rewrite(copied, copy)
    return await use(copy)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const rewrite = async ({ file, encoding, start, end, isPlain }: Copied, copy: string) => {
  const decoder = new TextDecoder(encoding)
  const out = await open(copy, 'wx', 0o600)
  let endsInCr = false
  const plain = (text: string) => {
    if (!isPlain) return text
    const whole = endsInCr && !text.startsWith('\n') ? `\n${text}` : text
    endsInCr = whole.endsWith('\r')
    return (endsInCr ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n')
  }
  try {
    const part = { start, ...(end === undefined ? {} : { end: end - 1 }), highWaterMark: 1 << 20 }
    // A stream without a byte is refused.
    if (end === undefined || end > start)
      for await (const chunk of createReadStream(file, part))
        await out.write(plain(decoder.decode(chunk as Buffer, { stream: true })))
    await out.write(plain(`${decoder.decode()}${endsInCr ? '\n' : ''}`))
  } finally {
    await out.close()
  }
}

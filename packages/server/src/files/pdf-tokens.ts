/** `mark` is one of << >> [ ]; a `word` is a number or keyword. */
export type PdfToken =
  | { kind: 'name' | 'string' | 'word'; value: string; end: number }
  | { kind: 'mark'; value: '<<' | '>>' | '[' | ']'; end: number }

/**
 * The tokens of PDF's syntax (ISO 32000-2, 7.2) from a place on, comments left out; names with `#4a` written out, of
 * strings the beginning, unescaped. It never fails: what is malformed comes as words.
 */
export function* pdfTokens(bytes: Buffer, from: number): Generator<PdfToken> {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at]
    if (isSpace(byte)) at += 1
    else if (byte === PERCENT) at = endOfLine(bytes, at)
    else if (byte === SLASH) {
      const end = endOfRegular(bytes, at + 1)
      yield { kind: 'name', value: plainName(bytes.toString('latin1', at + 1, end)), end }
      at = end
    } else if (byte === OPEN_PAREN) {
      const { value, end } = readLiteral(bytes, at + 1)
      yield { kind: 'string', value, end }
      at = end
    } else if (byte === LESS && bytes[at + 1] !== LESS) {
      const { value, end } = readHex(bytes, at + 1)
      yield { kind: 'string', value, end }
      at = end
    } else if (byte === LESS || (byte === GREATER && bytes[at + 1] === GREATER)) {
      at += 2
      yield { kind: 'mark', value: byte === LESS ? '<<' : '>>', end: at }
    } else if (byte === OPEN_BRACKET || byte === CLOSE_BRACKET) {
      at += 1
      yield { kind: 'mark', value: byte === OPEN_BRACKET ? '[' : ']', end: at }
    } else {
      const end = Math.max(at + 1, endOfRegular(bytes, at))
      yield { kind: 'word', value: bytes.toString('latin1', at, Math.min(end, at + 40)), end }
      at = end
    }
  }
}

const PERCENT = 0x25
const SLASH = 0x2f
const OPEN_PAREN = 0x28
const CLOSE_PAREN = 0x29
const LESS = 0x3c
const GREATER = 0x3e
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const BACKSLASH = 0x5c

const spaces = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20])
const delimiters = new Set([...'()<>[]{}/%'].map((sign) => sign.charCodeAt(0)))

const isSpace = (byte: number | undefined): boolean => byte !== undefined && spaces.has(byte)

const endOfLine = (bytes: Buffer, from: number): number => {
  let at = from
  while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
  return at
}

const endOfRegular = (bytes: Buffer, from: number): number => {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (spaces.has(byte) || delimiters.has(byte)) break
    at += 1
  }
  return at
}

const plainName = (raw: string): string =>
  raw.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Of a string only its beginning matters, without what hides a scheme: spaces, controls, the bytes of UTF-16. */
const STRING_KEPT = 200
const isPrinted = (byte: number): boolean => byte > 0x20 && byte < 0x7f

interface Read {
  value: string
  end: number
}

const readLiteral = (bytes: Buffer, from: number): Read => {
  let [at, depth, value] = [from, 1, '']
  const keep = (byte: number): void => {
    if (isPrinted(byte) && value.length < STRING_KEPT) value += String.fromCharCode(byte)
  }
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === OPEN_PAREN) depth += 1
    else if (byte === CLOSE_PAREN && --depth === 0) return { value, end: at + 1 }
    if (byte !== BACKSLASH) {
      keep(byte)
      continue
    }
    const octal = /^[0-7]{1,3}/.exec(bytes.toString('latin1', at + 1, at + 4))?.[0]
    if (octal) keep(Number.parseInt(octal, 8) & 255)
    // `\\n`, `\\t` and the like are no letters.
    else if (!/[nrtbf\r\n]/.test(String.fromCharCode(bytes[at + 1] ?? 0))) keep(bytes[at + 1] ?? 0)
    at += octal?.length ?? 1
  }
  return { value, end: at }
}

const readHex = (bytes: Buffer, from: number): Read => {
  const close = bytes.indexOf(GREATER, from)
  const end = close < 0 ? bytes.length : close
  const digits = bytes.toString('latin1', from, end).replace(/[^\da-f]/gi, '')
  // An odd last digit counts as if a 0 followed.
  const whole = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  const value = Buffer.from(whole.filter(isPrinted)).toString('latin1', 0, STRING_KEPT)
  return { value, end: Math.min(end + 1, bytes.length) }
}

import { brokenSheet } from './unreadable-sheet.ts'

/**
 * What a part says, in order. Names have no namespace prefix: writers choose any (`<x:row>`), and
 * the strict and the transitional namespaces have the same names. `attributes` is the source text.
 */
interface XmlHandler {
  open?: (name: string, attributes: string) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** Bytes decoded at a time: the text of a whole part may be larger than memory allows. */
const STEP = 1 << 17

/**
 * Reads the XML of a part. It resolves no entities but XML's own five: a document type, with which a
 * part could grow without end, is refused.
 * @throws UnreadableSheet when the text is not well-formed
 */
export const readXml = (bytes: Uint8Array, handler: XmlHandler): void => {
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true })
  let rest = ''
  let depth = 0
  for (let start = 0; start < bytes.length; start += STEP) {
    const isLast = start + STEP >= bytes.length
    rest += decoded(decoder, bytes.subarray(start, start + STEP), isLast)
    const [used, change] = readTokens(rest, handler, isLast)
    rest = rest.slice(used)
    depth += change
  }
  if (depth !== 0 || rest.trim() !== '') throw brokenSheet()
}

const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

const decoded = (decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, isLast: boolean): string => {
  try {
    return decoder.decode(bytes, { stream: !isLast })
  } catch {
    throw brokenSheet()
  }
}

/** Reads the complete tokens of a text; returns how much of it, and how many elements stay open. */
const readTokens = (text: string, { open, text: onText, close }: XmlHandler, isLast: boolean) => {
  let at = 0
  let depth = 0
  for (;;) {
    const start = text.indexOf('<', at)
    if (start < 0) {
      // The text before the next tag may continue in the next step.
      return [isLast ? text.length : at, depth] as const
    }
    const end = endOf(text, start)
    if (end < 0) {
      if (isLast) throw brokenSheet()
      return [at, depth] as const
    }
    if (start > at) onText?.(unescaped(text.slice(at, start)))
    at = end + 1
    const mark = text.charCodeAt(start + 1)
    if (mark === SLASH) {
      depth--
      close?.(localName(text, start + 2, end))
    } else if (mark === QUESTION) {
      // A declaration or an instruction says nothing about cells.
    } else if (mark === EXCLAMATION) {
      if (text.startsWith('<![CDATA[', start)) onText?.(text.slice(start + 9, end - 2))
      else if (!text.startsWith('<!--', start)) throw brokenSheet()
    } else {
      const isEmpty = text.charCodeAt(end - 1) === SLASH
      const nameEnd = endOfName(text, start + 1, isEmpty ? end - 1 : end)
      const name = localName(text, start + 1, nameEnd)
      open?.(name, text.slice(nameEnd, isEmpty ? end - 1 : end))
      if (isEmpty) close?.(name)
      else depth++
    }
  }
}

const [SLASH, QUESTION, EXCLAMATION, COLON, SPACE] = [47, 63, 33, 58, 32]

/** Returns the index of the last character of the token that starts here; -1 when it is cut. */
const endOf = (text: string, start: number): number => {
  const mark = text.charCodeAt(start + 1)
  if (mark === EXCLAMATION) {
    // Until these letters are known, a comment cannot be told from a document type.
    if (text.length < start + 9) return -1
    if (text.startsWith('<!--', start)) return after(text, '-->', start + 4)
    if (text.startsWith('<![CDATA[', start)) return after(text, ']]>', start + 9)
    throw brokenSheet()
  }
  if (mark === QUESTION) return after(text, '?>', start + 2)
  let end = text.indexOf('>', start + 1)
  // An attribute may contain '>'.
  while (end >= 0 && isInQuotes(text, start, end)) end = text.indexOf('>', end + 1)
  return end
}

const after = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found < 0 ? -1 : found + mark.length - 1
}

const isInQuotes = (text: string, start: number, end: number): boolean => {
  let quote = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (quote === 0 ? code === 34 || code === 39 : code === quote) quote = quote === 0 ? code : 0
  }
  return quote !== 0
}

const endOfName = (text: string, start: number, end: number): number => {
  let index = start
  while (index < end && text.charCodeAt(index) > SPACE) index++
  return index
}

const localName = (text: string, start: number, end: number): string => {
  let from = start
  let to = start
  for (; to < end && text.charCodeAt(to) > SPACE; to++) if (text.charCodeAt(to) === COLON) from = to + 1
  return text.slice(from, to)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Replaces the entities of a text or an attribute. @throws UnreadableSheet for an unknown one */
const unescaped = (text: string): string => {
  if (!text.includes('&')) return text
  return text.replace(/&([^;]*);?/g, (_all, name: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name) ?? []
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    if ((hex || decimal) && code <= 0x10ffff) return String.fromCodePoint(code)
    const letter = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
    if (letter === undefined) throw brokenSheet()
    return letter
  })
}

const patterns = new Map<string, RegExp>()

/** Returns an attribute without its entities, whatever its prefix; undefined when there is none. */
export const attributeOf = (attributes: string, name: string): string | undefined => {
  // A sheet has millions of them, nearly all written like this.
  const start = attributes.indexOf(` ${name}="`)
  if (start >= 0) {
    const from = start + name.length + 3
    const end = attributes.indexOf('"', from)
    if (end >= 0) return unescaped(attributes.slice(from, end))
  }
  if (!attributes.includes(name)) return undefined
  let pattern = patterns.get(name)
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : unescaped(value)
}

/** Returns an attribute of another namespace than the element's: `r:id`, where `id` is another one. */
export const prefixedAttributeOf = (attributes: string, name: string): string | undefined => {
  const [, one, other] =
    new RegExp(`\\s[\\w.-]+:${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? []
  const value = one ?? other
  return value === undefined ? undefined : unescaped(value)
}

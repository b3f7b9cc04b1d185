import { type PdfToken, pdfTokens } from './pdf-tokens.ts'
import { BROKEN, RefusedPdf } from './refused-pdf.ts'

export interface PlacedToken {
  token: PdfToken
  /** How many dictionaries and arrays it stands in; marks stand in what they open or close a part of. */
  depth: number
  /** The name directly before it, if one is. */
  previous: string
}

/**
 * Tokens with their place. What closes something other than what is open is passed over, as readers do: it must not look like
 * the end of an object.
 * @throws RefusedPdf where a name lacks its value: readers differ in what they take for it
 */
export function* placedTokens(bytes: Buffer, from: number): Generator<PlacedToken> {
  const open: { mark: '<<' | '['; lacksValue: boolean }[] = []
  let previous = ''
  for (const token of pdfTokens(bytes, from)) {
    const inside = open.at(-1)
    if (token.kind === 'mark' && (token.value === '>>' || token.value === ']')) {
      if (inside?.mark === (token.value === '>>' ? '<<' : '[')) {
        if (token.value === '>>' && inside.lacksValue) throw new RefusedPdf(BROKEN)
        open.pop()
      }
    } else if (inside) inside.lacksValue = token.kind === 'name' && !inside.lacksValue
    yield { token, depth: open.length, previous }
    if (token.kind === 'mark' && (token.value === '<<' || token.value === '[')) {
      open.push({ mark: token.value, lacksValue: false })
    }
    previous = token.kind === 'name' ? token.value : ''
  }
}

/** The outermost dictionary of an object. */
export interface PdfDictionary {
  /** The beginning of each value, as tokens. */
  entries: Map<string, PdfToken[]>
  /** Keys that stand in it more than once: readers differ in which they take. */
  repeated: Set<string>
}

/** More than any value has that is looked at. */
const TOKENS_KEPT = 50

/** @returns what is to be told of every token of the object, in order */
export const dictionaryReader = (dictionary: PdfDictionary) => {
  let value: PdfToken[] | undefined
  return ({ token, depth }: PlacedToken): void => {
    if (depth === 0) return
    if (depth === 1 && token.kind === 'name' && value?.length !== 0) {
      if (dictionary.entries.has(token.value)) dictionary.repeated.add(token.value)
      value = []
      dictionary.entries.set(token.value, value)
    } else if (value && value.length < TOKENS_KEPT) value.push(token)
  }
}

import { ownValue } from '@bi-manager/contract/own-value'
import { invalidRequest } from '../../http/power-bi-error.ts'

type Row = Record<string, string | boolean>
type Value = string | boolean
type Type = 'text' | 'condition'
/** A part of a filter, whose type is known before any row. */
type Operand = { type: Type; read: (row: Row) => Value }

/** Bounds the recursion; no useful filter is nested as deeply. */
const DEEPEST = 30
const TOKEN = /\s*(?:([(),])|'((?:[^']|'')*)'|([\w.-]+)|$)/y

const FUNCTIONS = new Map<string, (text: string, part: string) => boolean>([
  ['contains', (text, part) => text.includes(part)],
  ['startswith', (text, part) => text.startsWith(part)],
  ['endswith', (text, part) => text.endsWith(part)],
])

/**
 * Parses the part of OData's `$filter` that clients use: `eq`, `ne`, `and`, `or`, `not`,
 * parentheses, `contains`, `startswith` and `endswith`. Texts are compared without case.
 * @param fields the names that a row has, with their types
 * @throws PowerBiError 400
 */
export const parseFilter = (filter: string, fields: Record<string, Type>): ((row: Row) => boolean) => {
  const tokens = tokenize(filter)
  let at = 0
  let depth = 0

  const peek = (word: string) => tokens[at]?.word === word
  const take = (word: string) => {
    const isNext = peek(word)
    if (isNext) at += 1
    return isNext
  }
  const skip = (word: string) => {
    if (!take(word)) throw unsupported()
  }

  function either(): Operand {
    const first = both()
    if (!peek('or')) return first
    const parts = [need('condition', first)]
    while (take('or')) parts.push(need('condition', both()))
    return condition((row) => parts.some((isTrue) => isTrue(row)))
  }
  function both(): Operand {
    const first = negated()
    if (!peek('and')) return first
    const parts = [need('condition', first)]
    while (take('and')) parts.push(need('condition', negated()))
    return condition((row) => parts.every((isTrue) => isTrue(row)))
  }
  function negated(): Operand {
    if (!take('not')) return compared()
    return nested(() => {
      const inner = need('condition', negated())
      return condition((row) => !inner(row))
    })
  }
  function compared(): Operand {
    const left = operand()
    const isEqual = peek('eq')
    if (!take('eq') && !take('ne')) return left
    const right = need(left.type, operand())
    return condition((row) => (left.read(row) === right(row)) === isEqual)
  }
  function operand(): Operand {
    if (take('('))
      return nested(() => {
        const inner = either()
        skip(')')
        return inner
      })
    const token = tokens[at]
    at += 1
    if (!token) throw unsupported()
    const { text, word } = token
    if (text !== undefined) return textOf(() => text)
    const test = FUNCTIONS.get(word ?? '')
    if (test && peek('(')) return call(test)
    if (word === 'true' || word === 'false') return condition(() => word === 'true')
    if (word !== undefined && Object.hasOwn(fields, word))
      return { type: ownValue(fields, word) ?? 'text', read: (row) => lowerCase(ownValue(row, word) ?? '') }
    // OData writes a GUID without quotes.
    if (word !== undefined && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word))
      return textOf(() => word.toLowerCase())
    throw unsupported()
  }
  function call(test: (text: string, part: string) => boolean): Operand {
    skip('(')
    return nested(() => {
      const text = need('text', operand())
      skip(',')
      const part = need('text', operand())
      skip(')')
      return condition((row) => test(String(text(row)), String(part(row))))
    })
  }
  function nested(parse: () => Operand): Operand {
    depth += 1
    if (depth > DEEPEST) throw unsupported()
    const read = parse()
    depth -= 1
    return read
  }

  const isTrue = need('condition', either())
  if (at < tokens.length) throw unsupported()
  return (row) => isTrue(row) === true
}

const condition = (read: (row: Row) => boolean): Operand => ({ type: 'condition', read })
const textOf = (read: (row: Row) => string): Operand => ({ type: 'text', read })

/** Checks the type of an operand. */
const need = (type: Type, operand: Operand): Operand['read'] => {
  if (operand.type !== type) throw unsupported()
  return operand.read
}

const lowerCase = (value: Value): Value => (typeof value === 'string' ? value.toLowerCase() : value)

const tokenize = (filter: string): { word?: string; text?: string }[] => {
  const tokens: { word?: string; text?: string }[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < filter.length) {
    const [matched, sign, text, word] = TOKEN.exec(filter) ?? []
    if (matched === undefined) throw unsupported()
    if (sign !== undefined) tokens.push({ word: sign })
    else if (text !== undefined) tokens.push({ text: text.replaceAll("''", "'").toLowerCase() })
    else if (word !== undefined) tokens.push({ word })
    else break
  }
  return tokens
}

const unsupported = () => invalidRequest('This $filter is not supported')

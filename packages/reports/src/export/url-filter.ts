import type { Filter } from '../engine/definition.ts'
import { invalidRequest } from '../rest/power-bi-error.ts'

/**
 * Parses Microsoft's filter expression of URLs and exports: `Table/Column eq 'text'`, `ne`, `gt`,
 * `ge`, `lt`, `le` and `in`, joined by `and`. Text is in single quotes, doubled inside; `_x0020_`
 * in a name is a space. Returns one filter per clause.
 */
export function readUrlFilter(expression: string): Filter[] {
  if (expression.length > LONGEST) throw invalidRequest(`The filter is longer than ${LONGEST} characters`)
  const rest = { tokens: tokenize(expression), at: 0 }
  const filters: Filter[] = []
  do filters.push(readClause(rest))
  while (takeWord(rest, 'and'))
  if (rest.at < rest.tokens.length) throw fault('and')
  return filters
}

type Token = { kind: 'name' | 'text' | 'number' | 'symbol'; text: string }
type Rest = { tokens: Token[]; at: number }

const LONGEST = 8_000
const PATTERN = /\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)(?![\w/])|([\p{L}_][\p{L}\p{N}_]*)|([/(),]))/uy
const COMPARISONS: Record<string, 'GreaterThan' | 'GreaterThanOrEqual' | 'LessThan' | 'LessThanOrEqual'> = {
  gt: 'GreaterThan',
  ge: 'GreaterThanOrEqual',
  lt: 'LessThan',
  le: 'LessThanOrEqual',
}

const fault = (expected: string) => invalidRequest(`The filter is not understood: ${expected} was expected`)

function tokenize(expression: string): Token[] {
  const tokens: Token[] = []
  const end = expression.trimEnd().length
  let at = 0
  while (at < end) {
    PATTERN.lastIndex = at
    const match = PATTERN.exec(expression)
    if (!match) throw invalidRequest(`The filter is not understood at character ${at + 1}`)
    const [, text, number, name, symbol = ''] = match
    if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll("''", "'") })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else tokens.push({ kind: 'symbol', text: symbol })
    at = PATTERN.lastIndex
  }
  return tokens
}

function readClause(rest: Rest): Filter {
  const table = readName(rest, 'a table')
  take(rest, "'/'", ({ kind, text }) => kind === 'symbol' && text === '/')
  const target = { table, column: readName(rest, 'a column') }
  const operator = take(rest, 'an operator', ({ kind }) => kind === 'name').text.toLowerCase()
  const comparison = COMPARISONS[operator]
  if (comparison) {
    const conditions = [{ operator: comparison, value: readValue(rest) }]
    return { target, filterType: 0, logicalOperator: 'And', conditions }
  }
  const list = operator === 'in'
  if (!list && operator !== 'eq' && operator !== 'ne') throw fault('eq, ne, gt, ge, lt, le or in')
  const values = list ? readList(rest) : [readValue(rest)]
  return { target, filterType: 1, operator: operator === 'ne' ? 'NotIn' : 'In', values }
}

function readList(rest: Rest) {
  take(rest, "'('", ({ kind, text }) => kind === 'symbol' && text === '(')
  const values = [readValue(rest)]
  while (rest.tokens[rest.at]?.text === ',' && rest.tokens[rest.at]?.kind === 'symbol') {
    rest.at += 1
    values.push(readValue(rest))
  }
  take(rest, "')'", ({ kind, text }) => kind === 'symbol' && text === ')')
  return values
}

const readName = (rest: Rest, what: string) =>
  take(rest, what, ({ kind }) => kind === 'name').text.replace(/_x([0-9a-f]{4})_/gi, (_whole, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

function readValue(rest: Rest): string | number | boolean | null {
  const { kind, text } = take(rest, 'a value', ({ kind }) => kind !== 'symbol')
  if (kind === 'text') return text
  if (kind === 'number') return Number(text)
  const word = text.toLowerCase()
  if (word === 'null') return null
  if (word !== 'true' && word !== 'false') throw fault('a value')
  return word === 'true'
}

function take(rest: Rest, expected: string, matches: (token: Token) => boolean): Token {
  const token = rest.tokens[rest.at]
  if (!token || !matches(token)) throw fault(expected)
  rest.at += 1
  return token
}

function takeWord(rest: Rest, word: string): boolean {
  const token = rest.tokens[rest.at]
  if (token?.kind !== 'name' || token.text.toLowerCase() !== word) return false
  rest.at += 1
  return true
}

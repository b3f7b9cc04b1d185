/*
 * The grammar of Power BI's filter expressions, as in a report's `filtro`, in URLs and in exports.
 * The report service imports this file too, so it imports nothing.
 */

type FilterValue = string | number | boolean | null

/** A condition on one column; only `in` has several values. */
export interface FilterClause {
  table: string
  column: string
  operator: (typeof operators)[number]
  values: FilterValue[]
}

export type FilterFault =
  | 'expected a table'
  | "expected '/'"
  | 'expected a column'
  | 'expected an operator'
  | "expected '('"
  | "expected ')'"
  | 'expected a value'
  | 'expected and'
  | 'unreadable text'
  | 'large number'
  | 'control character'

export class FilterSyntaxError extends Error {
  override readonly name = 'FilterSyntaxError'
  readonly fault: FilterFault
  /** Counted from 1; undefined: the expression ends too early. */
  readonly position: number | undefined
  constructor(fault: FilterFault, token?: { position: number }) {
    super(fault)
    this.fault = fault
    this.position = token?.position
  }
}

/**
 * Parses `Table/column eq 'text'`, `ne`, `gt`, `ge`, `lt`, `le` and `in ('a', 'b')`, joined by
 * `and`. Text is in single quotes, doubled inside; `_x0020_` in a name is a space.
 * @throws FilterSyntaxError
 */
export const parseFilterExpression = (expression: string): FilterClause[] => {
  // Reversed, because pop() is cheap and shift() on a long list is not.
  const tokens = tokenize(expression).reverse()
  const clauses: FilterClause[] = []
  do clauses.push(readClause(tokens))
  while (skip(tokens, 'name', 'and'))
  if (tokens.length > 0) throw new FilterSyntaxError('expected and', tokens.at(-1))
  return clauses
}

/** Operators with one bound, and their names in Power BI's filters. */
export const comparisons = {
  gt: 'GreaterThan',
  ge: 'GreaterThanOrEqual',
  lt: 'LessThan',
  le: 'LessThanOrEqual',
} as const
export const isComparison = (operator: string): operator is keyof typeof comparisons =>
  Object.hasOwn(comparisons, operator)

const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in'] as const
const kinds = ['text', 'number', 'name', 'symbol'] as const
const pattern = /\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)(?![\w/])|([\p{L}_][\p{L}\p{N}_]*)|([/(),]))/uy

interface Token {
  kind: (typeof kinds)[number] | undefined
  text: string
  position: number
}

const tokenize = (expression: string): Token[] => {
  const tokens: Token[] = []
  const end = expression.trimEnd().length
  pattern.lastIndex = 0
  while (pattern.lastIndex < end) {
    const position = pattern.lastIndex + 1
    const match = pattern.exec(expression)
    if (!match) throw new FilterSyntaxError('unreadable text', { position })
    const groups = match.slice(1)
    const index = groups.findIndex((group) => group !== undefined)
    tokens.push({ kind: kinds[index], text: groups[index] ?? '', position })
  }
  return tokens
}

const readClause = (tokens: Token[]): FilterClause => {
  const table = readName(tokens, 'expected a table')
  if (!skip(tokens, 'symbol', '/')) throw new FilterSyntaxError("expected '/'", tokens.at(-1))
  const column = readName(tokens, 'expected a column')
  const operator = operators.find((name) => skip(tokens, 'name', name))
  if (!operator) throw new FilterSyntaxError('expected an operator', tokens.at(-1))
  return { table, column, operator, values: operator === 'in' ? readList(tokens) : [readValue(tokens)] }
}

const readName = (tokens: Token[], expected: FilterFault): string => {
  const token = tokens.pop()
  if (token?.kind !== 'name') throw new FilterSyntaxError(expected, token)
  const name = token.text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  if (name.isWellFormed() && !/\p{Cc}/u.test(name)) return name
  throw new FilterSyntaxError('control character', token)
}

const readList = (tokens: Token[]): FilterValue[] => {
  if (!skip(tokens, 'symbol', '(')) throw new FilterSyntaxError("expected '('", tokens.at(-1))
  const values = [readValue(tokens)]
  while (skip(tokens, 'symbol', ',')) values.push(readValue(tokens))
  if (!skip(tokens, 'symbol', ')')) throw new FilterSyntaxError("expected ')'", tokens.at(-1))
  return values
}

const readValue = (tokens: Token[]): FilterValue => {
  const token = tokens.pop()
  if (token?.kind === 'text') return token.text.replaceAll("''", "'")
  if (token?.kind === 'name' && /^(true|false|null)$/i.test(token.text)) {
    return JSON.parse(token.text.toLowerCase())
  }
  if (token?.kind !== 'number') throw new FilterSyntaxError('expected a value', token)
  const value = Number(token.text)
  // A number that loses precision, such as a long id, would select another person's rows.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new FilterSyntaxError('large number', token)
  return value
}

/** Skips a symbol or word if it is next. */
const skip = (tokens: Token[], kind: Token['kind'], text: string): boolean => {
  const next = tokens.at(-1)
  return next?.kind === kind && next?.text.toLowerCase() === text && tokens.pop() !== undefined
}

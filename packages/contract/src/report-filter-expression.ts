import type { ReportFilter } from './reports.ts'

/** An unreadable `filtro`. The message is a Portuguese sentence with the position. */
export class FiltroError extends Error {
  override readonly name = 'FiltroError'
}

/**
 * Parses a report's `filtro`, a Power BI filter expression: `Tabela/coluna eq 'valor'`,
 * `in ('a', 'b')`, `ne`, `gt`, `ge`, `lt`, `le`, joined by `and`. Text is in single quotes, doubled
 * inside; `_x0020_` in a name is a space.
 * @returns filters for powerbi-client, one per column
 * @throws FiltroError
 */
export const parseFiltro = (expression: string): ReportFilter[] => {
  if (expression.length > maxLength)
    throw new FiltroError(`Filtro inválido: passa de ${maxLength} caracteres.`)
  // Reversed, because pop() is cheap and shift() on a long list is not.
  const tokens = tokenize(expression).reverse()
  const clauses: Clause[] = []
  do clauses.push(readClause(tokens))
  while (takeWord(tokens, 'and'))
  const rest = tokens.at(-1)
  if (rest) throw new FiltroError(`Filtro inválido: esperava 'and' ou o fim na posição ${rest.at + 1}.`)
  return filtersOf(clauses)
}

const maxLength = 4_000

type Value = string | number | boolean
interface Token {
  kind: 'name' | 'text' | 'number' | 'symbol'
  text: string
  at: number
}
interface Clause {
  table: string
  column: string
  operator: string
  values: Value[]
}

const pattern = /\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)(?![\w/])|([\p{L}_][\p{L}\p{N}_]*)|([/(),]))/uy

const tokenize = (expression: string): Token[] => {
  const tokens: Token[] = []
  const end = expression.trimEnd().length
  pattern.lastIndex = 0
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex
    const match = pattern.exec(expression)
    if (!match) throw new FiltroError(`Filtro inválido: não entendi o trecho na posição ${at + 1}.`)
    const [, text, number, name, symbol] = match
    if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll("''", "'"), at })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol, at })
  }
  return tokens
}

/** Operators with a single value; eq and ne become lists. */
const comparisons: Record<string, string> = {
  eq: 'In',
  ne: 'NotIn',
  gt: 'GreaterThan',
  ge: 'GreaterThanOrEqual',
  lt: 'LessThan',
  le: 'LessThanOrEqual',
}

const readClause = (tokens: Token[]): Clause => {
  const table = nameOf(take(tokens, 'o nome da tabela', ({ kind }) => kind === 'name'))
  take(tokens, "'/' entre tabela e coluna", ({ text, kind }) => kind === 'symbol' && text === '/')
  const column = nameOf(take(tokens, 'o nome da coluna', ({ kind }) => kind === 'name'))
  const operator = take(
    tokens,
    'eq, ne, gt, ge, lt, le ou in',
    ({ kind, text }) =>
      kind === 'name' && (Object.hasOwn(comparisons, text.toLowerCase()) || text.toLowerCase() === 'in'),
  ).text.toLowerCase()
  if (operator !== 'in') return { table, column, operator, values: [readValue(tokens)] }
  take(tokens, "'(' depois de in", ({ text, kind }) => kind === 'symbol' && text === '(')
  const values = [readValue(tokens)]
  while (takeSymbol(tokens, ',')) values.push(readValue(tokens))
  take(tokens, "')' no fim da lista", ({ text, kind }) => kind === 'symbol' && text === ')')
  return { table, column, operator, values }
}

const readValue = (tokens: Token[]): Value => {
  const isValue = ({ kind, text }: Token) =>
    kind === 'text' || kind === 'number' || /^(true|false)$/.test(text)
  const { kind, text, at } = take(tokens, "um valor, como 'texto' ou 10", isValue)
  if (kind === 'number') return numberOf(text, at)
  return kind === 'name' ? text === 'true' : text
}

/** Refuses numbers that lose precision: a long id must not select another person's rows. */
const numberOf = (text: string, at: number): number => {
  const value = Number(text)
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value
  throw new FiltroError(
    `Filtro inválido: o número na posição ${at + 1} é grande demais. Escreva-o entre aspas, como texto.`,
  )
}

const take = (tokens: Token[], expected: string, matches: (token: Token) => boolean): Token => {
  const token = tokens.at(-1)
  if (!token) throw new FiltroError(`Filtro inválido: falta ${expected} no fim.`)
  if (!matches(token))
    throw new FiltroError(`Filtro inválido: esperava ${expected} na posição ${token.at + 1}.`)
  tokens.pop()
  return token
}

const takeSymbol = (tokens: Token[], symbol: string): boolean =>
  tokens.at(-1)?.kind === 'symbol' && tokens.at(-1)?.text === symbol && tokens.pop() !== undefined

const takeWord = (tokens: Token[], word: string): boolean =>
  tokens.at(-1)?.kind === 'name' && tokens.at(-1)?.text.toLowerCase() === word && tokens.pop() !== undefined

const nameOf = ({ text, at }: Token): string => {
  const name = text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  if (name.isWellFormed() && !/\p{Cc}/u.test(name)) return name
  throw new FiltroError(
    `Filtro inválido: o nome na posição ${at + 1} tem um caractere que não pode estar nele.`,
  )
}

const filtersOf = (clauses: Clause[]): ReportFilter[] =>
  [...Map.groupBy(clauses, ({ table, column }) => JSON.stringify([table, column])).values()].map((group) =>
    filterOf(group),
  )

/** Returns one column's filter: a list, exclusions, or one or two bounds; they cannot be mixed. */
const filterOf = (group: Clause[]): ReportFilter => {
  const [{ table, column, operator, values } = emptyClause] = group
  const name = `${table}/${column}`
  const target = { table, column }
  if (group.length === 1 && (operator === 'eq' || operator === 'in')) return basic(target, 'In', values)
  if (group.every((clause) => clause.operator === 'ne')) {
    return basic(
      target,
      'NotIn',
      group.flatMap((clause) => clause.values),
    )
  }
  const areBounds = group.every((clause) => ['gt', 'ge', 'lt', 'le'].includes(clause.operator))
  if (!areBounds)
    throw new FiltroError(`Filtro inválido: as condições sobre ${name} não podem ser combinadas.`)
  if (group.length > 2) throw new FiltroError(`Filtro inválido: ${name} tem mais de duas condições.`)
  return {
    $schema: 'http://powerbi.com/product/schema#advanced',
    target,
    filterType: 0,
    logicalOperator: 'And',
    conditions: group.map((clause) => ({
      operator: comparisons[clause.operator] ?? '',
      value: clause.values[0] ?? '',
    })),
  }
}

const emptyClause: Clause = { table: '', column: '', operator: '', values: [] }

const basic = (target: ReportFilter['target'], operator: string, values: Value[]): ReportFilter => ({
  $schema: 'http://powerbi.com/product/schema#basic',
  target,
  filterType: 1,
  operator,
  values,
})

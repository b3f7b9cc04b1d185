import type { ReportFilter } from './reports.ts'

/** A `filtro` that cannot be read. The message is a Portuguese sentence that names the place. */
export class FiltroError extends Error {
  override readonly name = 'FiltroError'
}

/**
 * Reads a report's `filtro`, a Power BI filter expression: `Tabela/coluna eq 'valor'`, `in ('a', 'b')`, `ne`, `gt`, `ge`,
 * `lt`, `le`, joined by `and`. Text stands in single quotes, doubled inside; `_x0020_` in a name is a space.
 * @returns filters as powerbi-client takes them, one a column (two bounds on one column become one advanced filter)
 * @throws FiltroError
 */
export const parseFiltro = (expression: string): ReportFilter[] => {
  const tokens = tokenize(expression)
  const clauses: Clause[] = []
  do clauses.push(readClause(tokens))
  while (takeWord(tokens, 'and'))
  const rest = tokens[0]
  if (rest) throw new FiltroError(`Filtro inválido: esperava 'and' ou o fim na posição ${rest.at + 1}.`)
  return filtersOf(clauses)
}

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

const comparisons: Record<string, string> = {
  eq: 'Is',
  ne: 'IsNot',
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
    ({ kind, text }) => kind === 'name' && (text.toLowerCase() in comparisons || text.toLowerCase() === 'in'),
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
  const { kind, text } = take(tokens, "um valor, como 'texto' ou 10", isValue)
  if (kind === 'number') return Number(text)
  return kind === 'name' ? text === 'true' : text
}

const take = (tokens: Token[], expected: string, matches: (token: Token) => boolean): Token => {
  const [token] = tokens
  if (!token) throw new FiltroError(`Filtro inválido: falta ${expected} no fim.`)
  if (!matches(token))
    throw new FiltroError(`Filtro inválido: esperava ${expected} na posição ${token.at + 1}.`)
  tokens.shift()
  return token
}

const takeSymbol = (tokens: Token[], symbol: string): boolean =>
  tokens[0]?.kind === 'symbol' && tokens[0].text === symbol && tokens.shift() !== undefined

const takeWord = (tokens: Token[], word: string): boolean =>
  tokens[0]?.kind === 'name' && tokens[0].text.toLowerCase() === word && tokens.shift() !== undefined

const nameOf = ({ text }: Token): string =>
  text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const filtersOf = (clauses: Clause[]): ReportFilter[] => {
  const bounds = new Map<string, Clause[]>()
  const filters: ReportFilter[] = []
  for (const clause of clauses) {
    const { table, column, operator, values } = clause
    if (operator === 'eq' || operator === 'ne' || operator === 'in') {
      filters.push({
        $schema: 'http://powerbi.com/product/schema#basic',
        target: { table, column },
        filterType: 1,
        operator: operator === 'ne' ? 'NotIn' : 'In',
        values,
      })
      continue
    }
    const key = `${table}/${column}`
    const group = bounds.get(key)
    if (!group) bounds.set(key, [clause])
    else if (group.length < 2) group.push(clause)
    else throw new FiltroError(`Filtro inválido: ${key} tem mais de duas condições.`)
  }
  for (const group of bounds.values()) {
    const [{ table = '', column = '' } = {}] = group
    filters.push({
      $schema: 'http://powerbi.com/product/schema#advanced',
      target: { table, column },
      filterType: 0,
      logicalOperator: 'And',
      conditions: group.map(({ operator, values: [value = ''] }) => ({
        operator: comparisons[operator] ?? 'Is',
        value,
      })),
    })
  }
  return filters
}

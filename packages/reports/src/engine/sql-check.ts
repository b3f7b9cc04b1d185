import type { Needs, Table } from './catalog.ts'
import type { Database } from './database.ts'
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_OPERATORS,
  ALLOWED_TABLE_FUNCTIONS,
  MAX_PADDING,
  PADDING,
} from './sql-functions.ts'

/** What is wrong with the SQL of a definition, in a Portuguese sentence without place. */
export class SqlError extends Error {}

type Limits = { tables: Map<string, Table>; mayReadHidden: boolean; parameters: readonly string[] }
type Node = Record<string, unknown>

/**
 * Judges one SELECT by DuckDB's own parse tree: everything in the tree must be known and allowed. Answers the tables of
 * the dataset that it reads and the parameters that it names.
 */
export async function checkSelect(database: Database, sql: string, limits: Limits): Promise<Needs> {
  const query = await parseSelect(database, sql)
  return inspect(query, limits, await reservedNames(database))
}

/** A predicate: one expression, judged in the same way. */
export async function checkPredicate(database: Database, sql: string, limits: Limits): Promise<Needs> {
  // Alone after SELECT, text such as `true) OR (true` cannot close the parentheses that it will stand in later.
  const query = await parseSelect(database, `SELECT ${sql}\n`)
  const isOneExpression =
    isNode(query.from_table) &&
    query.from_table.type === 'EMPTY' &&
    Array.isArray(query.select_list) &&
    query.select_list.length === 1 &&
    !query.where_clause &&
    !query.having &&
    !query.qualify &&
    isEmptyList(query.modifiers) &&
    isEmptyList(query.group_expressions) &&
    isNode(query.select_list[0]) &&
    query.select_list[0].class !== 'STAR'
  if (!isOneExpression) throw new SqlError('um papel é uma única condição, sem SELECT em volta')
  return inspect(query, limits, await reservedNames(database))
}

async function parseSelect(database: Database, sql: string): Promise<Node> {
  const [row] = await database.query('SELECT json_serialize_sql($sql::VARCHAR)', { sql })
  const answer = JSON.parse(String(row?.[0]))
  if (answer.error_type === 'not implemented') throw new SqlError('só SELECT é aceito')
  if (answer.error) throw new SqlError(`a consulta não pôde ser lida: ${answer.error_message}`)
  if (answer.statements.length !== 1) throw new SqlError('escreva uma única consulta')
  return answer.statements[0].node
}

/** Views that DuckDB finds without a schema (`pg_class`, `duckdb_tables` …): a CTE of that name could lead to them. */
async function reservedNames(database: Database): Promise<Set<string>> {
  const rows = await database.query('SELECT DISTINCT lower(view_name) FROM duckdb_views() WHERE internal')
  return new Set(rows.map(([name]) => String(name)))
}

const EXPRESSIONS = new Set([
  ...[
    'BETWEEN',
    'CASE',
    'CAST',
    'COLLATE',
    'COLUMN_REF',
    'COMPARISON',
    'CONJUNCTION',
    'CONSTANT',
    'FUNCTION',
  ],
  ...['LAMBDA', 'LAMBDA_REF', 'OPERATOR', 'PARAMETER', 'POSITIONAL_REFERENCE', 'STAR', 'SUBQUERY', 'WINDOW'],
])
const QUERIES = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE', 'CTE_NODE'])
const SOURCES = new Set([
  'BASE_TABLE',
  'SUBQUERY',
  'JOIN',
  'TABLE_FUNCTION',
  'EMPTY',
  'EXPRESSION_LIST',
  'PIVOT',
])

function inspect(query: Node, limits: Limits, reserved: Set<string>): Needs {
  const nodes = [...descend(query)]
  const ctes = new Set(nodes.flatMap(cteNames))
  for (const name of ctes) {
    if (reserved.has(name) || limits.tables.get(name)?.hidden)
      throw new SqlError(`WITH ${name}: nome reservado`)
  }
  const reads = new Set<Table>()
  const parameters = new Set<string>()
  for (const node of nodes) {
    checkKind(node)
    if (node.class === 'PARAMETER') parameters.add(checkParameter(node, limits))
    if (node.type === 'BASE_TABLE') {
      const table = findTable(node, limits, ctes)
      if (table) reads.add(table)
    }
  }
  return { reads: [...reads], parameters: [...parameters] }
}

/** Every object of the tree. Names and constants sit in strings and numbers: no need to look inside those. */
function* descend(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* descend(item)
  else if (isNode(value)) {
    yield value
    for (const child of Object.values(value)) yield* descend(child)
  }
}

function checkKind(node: Node) {
  const kind = String(node.type)
  if (typeof node.class === 'string') {
    if (!EXPRESSIONS.has(node.class)) throw new SqlError(`expressão não aceita: ${kind}`)
    // `OPERATOR(name.+) x` is parsed as an operator called `name`: being an operator excuses nothing.
    if (node.class === 'FUNCTION')
      checkFunction(node, node.is_operator === true ? ALLOWED_OPERATORS : ALLOWED_FUNCTIONS)
    if (node.class === 'WINDOW') checkFunction(node, ALLOWED_FUNCTIONS)
  } else if ('modifiers' in node) {
    if (!QUERIES.has(kind)) throw new SqlError(`forma de consulta não aceita: ${kind}`)
  } else if ('sample' in node && 'alias' in node) {
    if (!SOURCES.has(kind)) throw new SqlError(`fonte não aceita em FROM: ${kind}`)
    if (kind === 'TABLE_FUNCTION' && isNode(node.function))
      checkFunction(node.function, ALLOWED_TABLE_FUNCTIONS)
  }
}

function checkFunction(node: Node, allowed: ReadonlySet<string>) {
  const name = String(node.function_name).toLowerCase()
  if (!allowed.has(name)) throw new SqlError(`a função ${name} não é aceita aqui`)
  if (PADDING.has(name) && !isSmallNumber(Array.isArray(node.children) ? node.children[1] : undefined))
    throw new SqlError(`${name}: escreva o comprimento como um número de até ${MAX_PADDING}`)
}

const isSmallNumber = (node: unknown) =>
  isNode(node) &&
  node.class === 'CONSTANT' &&
  isNode(node.value) &&
  typeof node.value.value === 'number' &&
  node.value.value <= MAX_PADDING

function checkParameter(node: Node, { parameters }: Limits): string {
  const name = String(node.identifier)
  if (parameters.includes(name)) return name
  const known = parameters.map((name) => `$${name}`).join(' e ')
  throw new SqlError(known ? `os únicos parâmetros são ${known}` : 'uma consulta não tem parâmetros')
}

/** A name of the dataset; undefined for a CTE of the query itself. Nothing else exists. */
function findTable(node: Node, { tables, mayReadHidden }: Limits, ctes: Set<string>): Table | undefined {
  const name = String(node.table_name)
  if (node.schema_name || node.catalog_name)
    throw new SqlError(`escreva só o nome da tabela ${name}, sem esquema`)
  if (node.at_clause) throw new SqlError('AT não é aceito')
  const table = tables.get(name.toLowerCase())
  if (table && (!table.hidden || mayReadHidden)) return table
  if (ctes.has(name.toLowerCase())) return undefined
  throw new SqlError(`a tabela ${name} não existe no conjunto de dados`)
}

function cteNames(node: Node): string[] {
  if (!isNode(node.cte_map) || !Array.isArray(node.cte_map.map)) return []
  return node.cte_map.map.map((entry) => String(entry.key).toLowerCase())
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

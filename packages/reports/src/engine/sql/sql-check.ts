import { DefinitionError } from '../../definitions/definition-error.ts'
import { isRecord } from '../../definitions/is-record.ts'
import type { SqlDependencies, Table } from '../data/catalog.ts'
import type { Database } from '../data/database/database.ts'
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_OPERATORS,
  ALLOWED_TABLE_FUNCTIONS,
  FUNCTIONS_WITH_RETIRED,
} from './sql-functions.ts'

/** An object of DuckDB's parse tree. */
type SqlNode = Record<string, unknown>
type Limits = {
  tables: Map<string, Table>
  mayReadHidden: boolean
  parameters: readonly string[]
  /** True for what was published while these functions were allowed. */
  acceptsRetired: boolean
}

/**
 * Checks one SELECT by DuckDB's own parse tree: every node must be known and allowed. Returns the
 * tables of the dataset and the parameters that it uses.
 * @throws DefinitionError
 */
export const checkSelect = async (
  database: Database,
  sql: string,
  limits: Limits,
): Promise<SqlDependencies> => {
  return inspect(await parseSelect(database, sql), limits, await reservedNames(database))
}

/**
 * Checks a predicate: one expression. It may also run on an aggregation table, where a column
 * position (`#1`) would mean another column.
 * @throws DefinitionError
 */
export const checkPredicate = async (
  database: Database,
  sql: string,
  limits: Limits,
): Promise<SqlDependencies & { names: ReadonlySet<string> }> => {
  const tree = await parseExpression(database, sql, 'um papel é uma única condição, sem SELECT em volta')
  for (const { class: kind } of descend(tree)) {
    if (kind === 'POSITIONAL_REFERENCE')
      throw new DefinitionError('escreva o nome da coluna: uma posição (#1) não é aceita em papéis')
  }
  return { ...inspect(tree, limits, await reservedNames(database)), names: namesIn(tree) }
}

/** Returns the column references of an expression, in the form of `Predicate.names`. */
const namesIn = (tree: SqlNode): Set<string> => {
  const names = new Set<string>()
  for (const node of descend(tree)) {
    if (node.class === 'STAR') names.add('*')
    if (node.class !== 'COLUMN_REF' || !Array.isArray(node.column_names)) continue
    const [first, ...rest] = node.column_names.map((name) => String(name).toLowerCase())
    names.add(rest.length ? `${first}.` : `${first}`)
    for (const name of rest) names.add(name)
  }
  return names
}

/**
 * Checks that a measure is one expression. Its contents are checked with the statement that uses
 * it.
 * @throws DefinitionError
 */
export const checkMeasure = async (database: Database, sql: string): Promise<void> => {
  await parseExpression(database, sql, 'uma medida é uma única expressão, sem SELECT em volta e sem AS')
}

/**
 * Checks an ORDER BY list. Its contents are checked with the statement that uses it.
 * @throws DefinitionError
 */
export const checkOrder = async (database: Database, sql: string): Promise<void> => {
  const tree = await parseSelect(database, `SELECT 1 ORDER BY ${sql}\n`)
  const modifiers = Array.isArray(tree.modifiers) ? tree.modifiers : []
  const [only] = modifiers
  if (!isBare(tree) || modifiers.length !== 1 || !isRecord(only) || only.type !== 'ORDER_MODIFIER')
    throw new DefinitionError('escreva só o que vem depois de ORDER BY')
}

/**
 * Parsed alone after SELECT, text such as `true) OR (true` cannot close the parentheses that later
 * enclose it.
 */
const parseExpression = async (database: Database, sql: string, otherwise: string): Promise<SqlNode> => {
  const tree = await parseSelect(database, `SELECT ${sql}\n`)
  const [only] = Array.isArray(tree.select_list) ? tree.select_list : []
  const isOneExpression =
    isBare(tree) && isEmptyList(tree.modifiers) && isRecord(only) && only.class !== 'STAR' && !only.alias
  if (!isOneExpression) throw new DefinitionError(otherwise)
  return tree
}

/** Whether a SELECT only takes columns of tables: what a table shows of them is data that a person reads. */
const readsStored = (tree: SqlNode): boolean =>
  tree.type === 'SELECT_NODE' &&
  isFromTables(tree.from_table) &&
  Array.isArray(tree.select_list) &&
  tree.select_list.every(isPlainColumn) &&
  isEmptyList(tree.group_expressions) &&
  isRecord(tree.cte_map) &&
  isEmptyList(tree.cte_map.map)

const isPlainColumn = (item: unknown): boolean =>
  isRecord(item) &&
  (item.class === 'COLUMN_REF' || (item.class === 'STAR' && !item.columns && isEmptyList(item.replace_list)))

const isFromTables = (from: unknown): boolean =>
  isRecord(from) &&
  (from.type === 'BASE_TABLE' ||
    (from.type === 'JOIN' && isFromTables(from.left) && isFromTables(from.right)))

/** A SELECT of one expression without any clause. */
const isBare = (tree: SqlNode) =>
  tree.type === 'SELECT_NODE' &&
  isRecord(tree.from_table) &&
  tree.from_table.type === 'EMPTY' &&
  Array.isArray(tree.select_list) &&
  tree.select_list.length === 1 &&
  !tree.where_clause &&
  !tree.having &&
  !tree.qualify &&
  !tree.sample &&
  isEmptyList(tree.group_expressions)

const parseSelect = async (database: Database, sql: string): Promise<SqlNode> => {
  const [row] = await database.query('SELECT json_serialize_sql($sql::VARCHAR)', { sql })
  const answer = JSON.parse(String(row?.[0]))
  if (answer.error_type === 'not implemented') throw new DefinitionError('só SELECT é aceito')
  if (answer.error) throw new DefinitionError(`a consulta não pôde ser lida: ${answer.error_message}`)
  if (answer.statements.length !== 1) throw new DefinitionError('escreva uma única consulta')
  return answer.statements[0].node
}

/**
 * Names of DuckDB's views that need no schema (`pg_class`, `duckdb_tables` …): a CTE of that name
 * could expose them.
 */
const reservedNames = async (database: Database): Promise<Set<string>> => {
  const known = reservedNamesOf.get(database)
  if (known) return known
  const rows = await database.query('SELECT DISTINCT lower(view_name) FROM duckdb_views() WHERE internal')
  const names = new Set(rows.map(([name]) => String(name)))
  reservedNamesOf.set(database, names)
  return names
}

/** DuckDB's own views never change while a database is open. */
const reservedNamesOf = new WeakMap<Database, Set<string>>()

const EXPRESSIONS = new Set([
  'BETWEEN',
  'CASE',
  'CAST',
  'COLLATE',
  'COLUMN_REF',
  'COMPARISON',
  'CONJUNCTION',
  'CONSTANT',
  'FUNCTION',
  'LAMBDA',
  'LAMBDA_REF',
  'OPERATOR',
  'PARAMETER',
  'POSITIONAL_REFERENCE',
  'STAR',
  'SUBQUERY',
  'WINDOW',
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

const inspect = (query: SqlNode, limits: Limits, reserved: Set<string>): SqlDependencies => {
  const nodes = [...descend(query)]
  const ctes = new Set(nodes.flatMap(cteNames))
  for (const name of ctes) {
    if (reserved.has(name) || limits.tables.get(name)?.hidden)
      throw new DefinitionError(`WITH ${name}: nome reservado`)
  }
  const functions = limits.acceptsRetired ? FUNCTIONS_WITH_RETIRED : ALLOWED_FUNCTIONS
  const reads = new Set<Table>()
  const parameters = new Set<string>()
  for (const node of nodes) {
    checkKind(node, functions)
    if (node.class === 'PARAMETER') parameters.add(checkParameter(node, limits))
    if (node.type === 'BASE_TABLE') {
      const table = findTable(node, limits, ctes)
      if (table) reads.add(table)
    }
  }
  return { reads: [...reads], parameters: [...parameters], isStored: readsStored(query) }
}

/** Yields every object of the tree. Names and constants are strings and numbers. */
function* descend(value: unknown): Generator<SqlNode> {
  if (Array.isArray(value)) for (const item of value) yield* descend(item)
  else if (isRecord(value)) {
    yield value
    for (const child of Object.values(value)) yield* descend(child)
  }
}

const checkKind = (node: SqlNode, functions: ReadonlySet<string>) => {
  const kind = String(node.type)
  if (typeof node.class === 'string') {
    if (!EXPRESSIONS.has(node.class)) throw new DefinitionError(`expressão não aceita: ${kind}`)
    // `OPERATOR(name.+) x` is parsed as an operator called `name`, so operators are checked too.
    if (node.class === 'FUNCTION')
      checkFunction(node, node.is_operator === true ? ALLOWED_OPERATORS : functions)
    if (node.class === 'WINDOW') checkFunction(node, functions)
  } else if ('modifiers' in node) {
    if (!QUERIES.has(kind)) throw new DefinitionError(`forma de consulta não aceita: ${kind}`)
  } else if ('sample' in node && 'alias' in node) {
    if (!SOURCES.has(kind)) throw new DefinitionError(`fonte não aceita em FROM: ${kind}`)
    if (kind === 'TABLE_FUNCTION' && isRecord(node.function))
      checkFunction(node.function, ALLOWED_TABLE_FUNCTIONS)
  }
}

const checkFunction = (node: SqlNode, allowed: ReadonlySet<string>) => {
  const name = String(node.function_name).toLowerCase()
  if (!allowed.has(name)) throw new DefinitionError(`a função ${name} não é aceita aqui`)
}

const checkParameter = (node: SqlNode, { parameters }: Limits): string => {
  const name = String(node.identifier)
  if (parameters.includes(name)) return name
  const known = parameters.map((name) => `$${name}`).join(' e ')
  throw new DefinitionError(known ? `os únicos parâmetros são ${known}` : 'uma consulta não tem parâmetros')
}

/** Returns the table, or undefined for a CTE of the query. All other names are refused. */
const findTable = (
  node: SqlNode,
  { tables, mayReadHidden }: Limits,
  ctes: Set<string>,
): Table | undefined => {
  const name = String(node.table_name)
  if (node.schema_name || node.catalog_name)
    throw new DefinitionError(`escreva só o nome da tabela ${name}, sem esquema`)
  if (node.at_clause) throw new DefinitionError('AT não é aceito')
  const table = tables.get(name.toLowerCase())
  if (table && (!table.hidden || mayReadHidden)) return table
  if (ctes.has(name.toLowerCase())) return undefined
  throw new DefinitionError(`a tabela ${name} não existe no conjunto de dados`)
}

const cteNames = (node: SqlNode): string[] => {
  if (!isRecord(node.cte_map) || !Array.isArray(node.cte_map.map)) return []
  return node.cte_map.map.map((entry) => String(entry.key).toLowerCase())
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

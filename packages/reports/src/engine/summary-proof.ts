import type { Summary, Table } from './catalog.ts'
import { AGGREGATES } from './sql-functions.ts'
import { isNode, type Node } from './sql-node.ts'

/*
 * May a summary stand in for its table? A summary has one row for all rows of the table that agree in `by`, with the sums of
 * `sums`. So whatever tells rows apart that agree in `by`, counts them, or uses a summed column otherwise than in `sum(…)`
 * gives other numbers. This looks at the whole parse tree and says yes only to forms known to be right; no costs time only.
 *
 * Every relation of the query is either exact (its rows are the same over table and summary) or summed (its rows stand for
 * the table's: filtered, projected or joined, by keys alone). A grouped or distinct SELECT over a summed relation is exact,
 * when it uses keys as it likes and sums in `sum(…)` only.
 */

/** Of a column: a function of `by`; a summed column, untouched; or not to be had from the summary. */
type Kind = 'key' | 'sum' | 'gone'
/** `isOpen`: has columns more, of names that we do not know; they are keys. */
type Relation = { alias: string; columns: Map<string, Kind>; isOpen: boolean; isSummed: boolean }
type Scope = { relations: Relation[]; aliases: Map<string, Node>; outer: Scope | undefined; ctes: Ctes }
type Ctes = ReadonlyMap<string, Relation>

class NotProven extends Error {}

/** True when the query gives the same rows with the summary under the table's name. */
export function isProven(tree: Node, tables: Map<string, Table>, table: Table, summary: Summary): boolean {
  try {
    return !createProof(tables, table, summary)(tree).isSummed
  } catch (error) {
    if (error instanceof NotProven) return false
    throw error
  }
}

function createProof(tables: Map<string, Table>, table: Table, summary: Summary) {
  const kindIn = (column: string): Kind => {
    if (summary.by.has(column)) return 'key'
    return summary.sums.has(column) ? 'sum' : 'gone'
  }

  function query(node: Node, ctes: Ctes, outer: Scope | undefined): Relation {
    const known = withCtes(node, ctes, outer)
    if (node.type === 'SELECT_NODE') return select(node, known, outer)
    if (node.type !== 'SET_OPERATION_NODE') throw new NotProven()
    const sides = [node.left, node.right].map((side) => query(asNode(side), known, outer))
    if (sides.some(({ isSummed }) => isSummed)) throw new NotProven()
    const [left] = sides
    free(node.modifiers, { relations: [], aliases: new Map(), outer, ctes: known })
    return exact([...(left?.columns.keys() ?? [])], true)
  }

  function withCtes(node: Node, ctes: Ctes, outer: Scope | undefined): Ctes {
    const known = new Map(ctes)
    for (const { key, value } of list(asNode(node.cte_map).map)) {
      const { aliases, query: inner } = asNode(value)
      const found = query(asNode(asNode(inner).node), known, outer)
      known.set(lower(key), renamed(found, aliases))
    }
    return known
  }

  function select(node: Node, ctes: Ctes, outer: Scope | undefined): Relation {
    if (node.sample) throw new NotProven()
    const relations = from(asNode(node.from_table), ctes, outer)
    const items = list(node.select_list)
    const aliases = new Map(items.flatMap((item) => (item.alias ? [[lower(item.alias), item]] : [])))
    const scope: Scope = { relations, aliases, outer, ctes }
    if (!relations.some(({ isSummed }) => isSummed)) {
      const { cte_map: _ctes, from_table: _from, ...rest } = node
      free(rest, scope)
      return outputOf(items, relations)
    }
    const modifiers = list(node.modifiers)
    if (node.where_clause) key(asNode(node.where_clause), scope)
    const groups = list(node.group_expressions)
    const isGrouped =
      groups.length > 0 ||
      list(node.group_sets).length > 0 ||
      node.aggregate_handling === 'FORCE_AGGREGATES' ||
      Boolean(node.having) ||
      hasAggregate(items)
    if (isGrouped) {
      for (const group of groups) key(group, scope)
      for (const item of items) grouped(item, scope, false)
      for (const clause of [node.having, node.qualify]) if (clause) grouped(asNode(clause), scope, true)
      for (const one of expressionsOf(modifiers)) grouped(one, scope, true)
      return outputOf(items, relations)
    }
    if (node.qualify) throw new NotProven()
    for (const one of expressionsOf(modifiers)) key(one, scope)
    const isDistinct = modifiers.some(
      ({ type, distinct_on_targets: on }) => type === 'DISTINCT_MODIFIER' && list(on).length === 0,
    )
    if (isDistinct) {
      for (const item of items) key(item, scope)
      return outputOf(items, relations)
    }
    // One row for each of the relation's: only its order may be said, which nothing here depends on.
    if (modifiers.some(({ type }) => type !== 'ORDER_MODIFIER')) throw new NotProven()
    return rowByRow(items, scope)
  }

  function rowByRow(items: Node[], scope: Scope): Relation {
    const columns = new Map<string, Kind>()
    let isOpen = false
    const add = (name: string, kind: Kind) => columns.set(name, columns.has(name) ? 'gone' : kind)
    for (const item of items) {
      const { class: kind, alias } = item
      if (kind === 'STAR') {
        if (!isPlainStar(item)) throw new NotProven()
        for (const relation of scope.relations) {
          if (relation.isOpen) isOpen = true
          for (const [name, one] of relation.columns) add(name, one)
        }
        continue
      }
      const names = kind === 'COLUMN_REF' ? namesOf(item) : []
      const found = names.length ? find(names, scope) : undefined
      if (found === 'sum') add(lower(alias) || last(names), 'sum')
      else {
        key(item, scope)
        if (alias || names.length) add(lower(alias) || last(names), 'key')
        else isOpen = true
      }
    }
    return { alias: '', columns, isOpen, isSummed: true }
  }

  function from(node: Node, ctes: Ctes, outer: Scope | undefined): Relation[] {
    if (node.sample) throw new NotProven()
    const { type } = node
    if (type === 'EMPTY') return []
    if (type === 'BASE_TABLE') {
      const name = lower(node.table_name)
      const alias = lower(node.alias) || name
      return [{ ...renamed(ctes.get(name) ?? ofTable(name), node.column_name_alias), alias }]
    }
    if (type === 'SUBQUERY') {
      const inner = query(asNode(asNode(node.subquery).node), ctes, outer)
      return [{ ...renamed(inner, node.column_name_alias), alias: lower(node.alias) }]
    }
    if (type === 'JOIN') return join(node, ctes, outer)
    if (type !== 'TABLE_FUNCTION' && type !== 'EXPRESSION_LIST') throw new NotProven()
    free([node.function, node.values], { relations: [], aliases: new Map(), outer, ctes })
    return [{ ...exact([], true), alias: lower(node.alias) }]
  }

  function ofTable(name: string): Relation {
    const found = tables.get(name)
    if (!found) throw new NotProven()
    const names = [...found.columns.keys()]
    if (found !== table) return exact(names, false)
    const columns = new Map(names.map((column) => [column, kindIn(column)]))
    return { alias: name, columns, isOpen: false, isSummed: true }
  }

  /** Rows that agree in the keys have the same partners: at most one side may be summed, and the condition has keys only. */
  function join(node: Node, ctes: Ctes, outer: Scope | undefined): Relation[] {
    const left = from(asNode(node.left), ctes, outer)
    const beside: Scope = { relations: left, aliases: new Map(), outer, ctes }
    const right = from(asNode(node.right), ctes, beside)
    const scope: Scope = { ...beside, relations: [...left, ...right] }
    const sides = [left, right].filter((side) => side.some(({ isSummed }) => isSummed))
    if (sides.length === 0) free(node.condition, scope)
    else {
      const isKnown =
        ['REGULAR', 'CROSS'].includes(String(node.ref_type)) &&
        ['INNER', 'LEFT', 'RIGHT', 'OUTER', 'FULL'].includes(String(node.join_type))
      if (sides.length > 1 || !isKnown) throw new NotProven()
      if (node.condition) key(asNode(node.condition), scope)
      for (const name of Array.isArray(node.using_columns) ? node.using_columns : []) {
        if (find([lower(name)], scope) !== 'key') throw new NotProven()
      }
    }
    return scope.relations
  }

  /** Where nothing is summed: anything, but for what reaches out for the columns of a summed relation around it. */
  function free(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) for (const item of value) free(item, scope)
    if (!isNode(value)) return
    if (value.class === 'COLUMN_REF') {
      const found = find(namesOf(value), scope)
      if (found && found !== 'key') throw new NotProven()
    } else if (value.class === 'SUBQUERY') {
      subquery(value, scope)
      free(value.child, scope)
    } else for (const child of Object.values(value)) free(child, scope)
  }

  function subquery(node: Node, scope: Scope) {
    const { columns, isSummed } = query(asNode(asNode(node.subquery).node), scope.ctes, scope)
    // How often a value comes is the same to IN and EXISTS.
    const isSet = node.subquery_type === 'ANY' || node.subquery_type === 'EXISTS'
    if (isSummed && !(isSet && [...columns.values()].every((kind) => kind === 'key'))) throw new NotProven()
  }

  /** An expression over the keys of one row. */
  function key(node: Node, scope: Scope): void {
    if (node.class === 'COLUMN_REF') {
      const names = namesOf(node)
      const found = find(names, scope)
      const alias = found === undefined && names.length === 1 ? scope.aliases.get(last(names)) : undefined
      if (alias) key(alias, { ...scope, aliases: new Map() })
      else if (found !== 'key' && !(found === undefined && isClock(names))) throw new NotProven()
    } else inside(node, scope, (child) => key(child, scope))
  }

  /** An expression over one group: keys, aggregates, and functions and windows over these. */
  function grouped(node: Node, scope: Scope, aliasFirst: boolean): void {
    if (node.class === 'COLUMN_REF') {
      const names = namesOf(node)
      const isAlias = names.length === 1 && scope.aliases.has(last(names))
      const found = find(names, scope)
      // The item that it names has been judged as such.
      if (isAlias && (aliasFirst || found === undefined)) return
      if (found !== 'key' && !(found === undefined && isClock(names))) throw new NotProven()
    } else if (isAggregate(node)) aggregate(node, scope)
    else if (node.class === 'WINDOW') children(node, (child) => grouped(child, scope, aliasFirst))
    else inside(node, scope, (child) => grouped(child, scope, aliasFirst))
  }

  function aggregate(node: Node, scope: Scope) {
    const name = lower(node.function_name)
    const given = list(node.children)
    const [first] = given
    if (list(asNode(node.order_bys).orders).length > 0) throw new NotProven()
    if (node.filter) key(asNode(node.filter), scope)
    if (name === 'sum' && first && given.length === 1 && node.distinct !== true) summed(first, scope)
    else if (EITHER_WAY.has(name) || (name === 'count' && node.distinct === true && given.length === 1))
      for (const one of given) key(one, scope)
    else throw new NotProven()
  }

  /** A summed column, or by the keys one or another, nothing or zero. */
  function summed(node: Node, scope: Scope): void {
    if (node.class === 'COLUMN_REF' && find(namesOf(node), scope) === 'sum') return
    if (node.class !== 'CASE') throw new NotProven()
    const checks = list(node.case_checks)
    for (const { when_expr: when } of checks) key(asNode(when), scope)
    for (const branch of [...checks.map(({ then_expr: then }) => asNode(then)), asNode(node.else_expr)]) {
      const { is_null: isNull, value } = isNode(branch.value) ? branch.value : {}
      if (!(branch.class === 'CONSTANT' && (isNull === true || value === 0))) summed(branch, scope)
    }
  }

  /** The parts of an expression that is no column and no aggregate. */
  function inside(node: Node, scope: Scope, each: (child: Node) => void) {
    if (node.class === 'SUBQUERY') {
      subquery(node, scope)
      if (isNode(node.child)) each(node.child)
      return
    }
    const isRefused =
      UNKNOWN.has(String(node.class)) || (node.class === 'FUNCTION' && isUnsure(lower(node.function_name)))
    if (isRefused) throw new NotProven()
    children(node, each)
  }

  return (tree: Node) => query(tree, new Map(), undefined)
}

/** What a name means: the innermost column of that name. A sum reached from within a subquery is no sum any more. */
function find(names: string[], scope: Scope): Kind | undefined {
  const [first = '', second = ''] = names
  const named = names.length > 1 ? scope.relations.filter(({ alias }) => alias === first) : []
  for (const relation of named) {
    const kind = relation.columns.get(second) ?? (relation.isOpen ? 'key' : undefined)
    if (kind) return names.length > 2 && kind !== 'key' ? 'gone' : kind
  }
  const kinds = scope.relations.flatMap(({ columns }) => columns.get(first) ?? [])
  if (kinds.length) {
    if (kinds.every((kind) => kind === 'key')) return 'key'
    return kinds.length === 1 && names.length === 1 ? kinds[0] : 'gone'
  }
  const whole = names.length === 1 ? scope.relations.find(({ alias }) => alias === first) : undefined
  if (whole) return whole.isSummed ? 'gone' : 'key'
  const outside = scope.outer && find(names, scope.outer)
  if (outside) return outside === 'key' ? 'key' : 'gone'
  return scope.relations.some(({ isOpen }) => isOpen) ? 'key' : undefined
}

/** The same from many rows as from one of each. */
const EITHER_WAY: ReadonlySet<string> = new Set(['min', 'max', 'bool_and', 'bool_or'])
const UNKNOWN: ReadonlySet<string> = new Set([
  'WINDOW',
  'STAR',
  'POSITIONAL_REFERENCE',
  'LAMBDA',
  'LAMBDA_REF',
])
const isUnsure = (name: string) => AGGREGATES.has(name) || name === 'random' || name === 'unnest'
const isAggregate = (node: Node) => node.class === 'FUNCTION' && AGGREGATES.has(lower(node.function_name))
/** DuckDB's parser takes them for columns. */
const isClock = (names: string[]) =>
  names.length === 1 && /^(current|local)_?(date|time|timestamp)$/.test(last(names))

function hasAggregate(nodes: Node[]): boolean {
  return nodes.some((node) => {
    if (isAggregate(node)) return true
    const found: Node[] = []
    if (node.class !== 'SUBQUERY') children(node, (child) => found.push(child))
    return hasAggregate(found)
  })
}

/** The expressions right below one. */
function children(node: Node, each: (child: Node) => void) {
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (isNode(value)) {
      if (typeof value.class === 'string') each(value)
      else Object.values(value).forEach(visit)
    }
  }
  Object.values(node).forEach(visit)
}

function expressionsOf(modifiers: Node[]): Node[] {
  const found: Node[] = []
  for (const modifier of modifiers) children(modifier, (child) => found.push(child))
  return found
}

/** The columns of a SELECT whose rows are the same either way. */
function outputOf(items: Node[], relations: Relation[]): Relation {
  const names: string[] = []
  let isOpen = false
  for (const item of items) {
    if (item.class === 'STAR') {
      names.push(...relations.flatMap(({ columns }) => [...columns.keys()]))
      isOpen ||= relations.some((relation) => relation.isOpen)
    } else if (item.alias) names.push(lower(item.alias))
    else if (item.class === 'COLUMN_REF') names.push(last(namesOf(item)))
    else isOpen = true
  }
  return exact(names, isOpen)
}

const exact = (names: string[], isOpen: boolean): Relation => ({
  alias: '',
  columns: new Map(names.map((name) => [name, 'key'])),
  isOpen,
  isSummed: false,
})

/** `AS t(a, b)` */
function renamed(relation: Relation, aliases: unknown): Relation {
  const names = Array.isArray(aliases) ? aliases.map(lower) : []
  if (names.length === 0) return relation
  if (relation.isSummed) throw new NotProven()
  return exact([...names, ...relation.columns.keys()], true)
}

const isPlainStar = (node: Node) =>
  !node.relation_name &&
  node.columns === false &&
  !node.expr &&
  ['exclude_list', 'replace_list', 'qualified_exclude_list', 'rename_list'].every(
    (part) => list(node[part]).length === 0 && (!Array.isArray(node[part]) || node[part].length === 0),
  )

const namesOf = (node: Node): string[] =>
  Array.isArray(node.column_names) ? node.column_names.map(lower) : []
const last = (names: string[]) => names.at(-1) ?? ''
const lower = (value: unknown) => String(value ?? '').toLowerCase()
const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter((one) => isNode(one)) : [])
const asNode = (value: unknown): Node => {
  if (!isNode(value)) throw new NotProven()
  return value
}

import type { Table } from './catalog.ts'
import {
  checkGatheredCast,
  cuts,
  GATHERED,
  gathersLists,
  gathersTexts,
  isGathered,
  lengthOfGathered,
  MAX_CUT,
  refusal,
} from './sql-gathered.ts'
import { MANY_LONG } from './sql-growth.ts'
import { hasReceiver, isNode, type Node, SqlError } from './sql-node.ts'

/*
 * By how much the longest text or list that a query makes is longer than the longest that it reads or spells out. `s || s`
 * doubles, and a SELECT over a SELECT over a SELECT doubles again: thirty of them make a gigabyte of one letter. A join of texts
 * is as long as its parts together; any other function as the longest of what it is given.
 *
 * Lengths are in units of so many letters, and never less than 1: a column of names counts as much as one of codes, one of notes
 * counts as many times more.
 */
const UNIT = 100
const unitsOf = (letters: number) => Math.max(1, Math.ceil(letters / UNIT))

/** What all calls of a query that reads long texts make of one row, together: the database keeps it for two thousand rows. */
const MAX_TOGETHER = 10_000

/** By lower-case name, how long each column is. */
type Columns = Map<string, number>
type Relation = { alias: string; columns: Columns }
type Scope = { relations: Relation[]; aliases: Columns; ctes: Map<string, Columns>; outer: Scope | undefined }

const JOINING = new Set(['||', 'concat', 'list_concat', 'list_append', 'list_prepend'])
/** Of lists, it joins them. */
const ADDING = new Set(['+', 'add'])
/** Written as text, what stands inside is escaped, and so may be twice as long. */
const NESTING = new Set(['list_value', 'array_value', 'struct_pack', 'row', 'map', 'list_zip'])
const LISTING = new Set([
  ...['string_split', 'str_split', 'split'],
  ...['regexp_extract_all', 'regexp_split_to_array'],
])
const NESTED_TYPES = new Set(['LIST', 'ARRAY', 'STRUCT', 'MAP', 'UNION', 'JSON'])
/** Between any two elements of a list they put a text. */
const SEPARATING = new Set(['array_to_string', 'list_aggregate'])
/** Given a list of paths or groups, they answer one part for each, and each may be the whole. */
const PICKING = new Set([
  ...['json_extract', 'json_extract_string', 'json_value'],
  ...['regexp_extract', '->', '->>'],
])
/** They answer a number, or yes or no. */
const COUNTING = new Set([
  ...[
    '~~',
    '!~~',
    '~~*',
    '!~~*',
    '~~~',
    'like_escape',
    'not_like_escape',
    'ilike_escape',
    'not_ilike_escape',
  ],
  ...['contains', 'starts_with', 'ends_with', 'prefix', 'suffix', 'regexp_matches', 'regexp_full_match'],
  ...['strpos', 'position', 'instr', 'ascii', 'unicode'],
  ...['count', 'count_star', 'length', 'char_length', 'character_length'],
  ...['strlen', 'sum', 'avg'],
])

/** The greatest such length anywhere in the query. `tables`: those of the dataset, by lower-case name. */
export function longestOf(query: Node, tables: Map<string, Table>) {
  const joinsByPlus = hasLists(query, tables)
  let longest = 1
  let together = 0
  let longestColumn = 1

  function select(node: Node, outer: Scope): Columns {
    const ctes = new Map(outer.ctes)
    const scope: Scope = { relations: [], aliases: new Map(), ctes, outer }
    for (const { key, value } of listOf(isNode(node.cte_map) ? node.cte_map.map : [])) {
      const { query: inner, aliases } = isNode(value) ? value : {}
      if (isNode(inner) && isNode(inner.node))
        ctes.set(lower(key), renamed(select(inner.node, scope), aliases))
    }
    if (node.type !== 'SELECT_NODE') return combined(node, scope)
    if (isNode(node.from_table)) from(node.from_table, scope)
    const columns: Columns = new Map()
    for (const item of listOf(node.select_list)) {
      if (item.class === 'STAR') {
        const replaced = lengthOf([item.replace_list, item.expr], scope)
        for (const [name, own] of scope.relations.flatMap(entriesOf))
          widen(columns, name, Math.max(own, replaced))
        continue
      }
      const length = lengthOf(item, scope)
      widen(columns, lower(item.alias) || lastName(item) || `#${columns.size}`, length)
      // A later item, and every clause, may use it.
      if (item.alias) widen(scope.aliases, lower(item.alias), length)
    }
    const { select_list: _list, from_table: _from, cte_map: _ctes, ...clauses } = node
    lengthOf(clauses, scope)
    return columns
  }

  /** UNION and the like, and recursion, which sees itself as its beginning. */
  function combined(node: Node, scope: Scope): Columns {
    const columns: Columns = new Map()
    const { left, right, query: first, child } = node
    for (const side of [left, right, first, child, ...listOf(node.children)].filter((one) => isNode(one))) {
      const names = [...columns.keys()]
      for (const [at, [own, length]] of [...select(side, scope)].entries())
        widen(columns, names[at] ?? own, length)
      if (node.cte_name) scope.ctes.set(lower(node.cte_name), columns)
    }
    lengthOf(node.modifiers, { ...scope, relations: [{ alias: '', columns }] })
    return columns
  }

  /** Adds what a FROM brings to the scope; what comes later in it may use what came before. */
  function from(node: Node, scope: Scope) {
    const { type, alias, column_name_alias: names } = node
    const add = (columns: Columns, own: unknown) =>
      scope.relations.push({ alias: lower(alias) || lower(own), columns: renamed(columns, names) })
    if (type === 'BASE_TABLE') {
      const table = tables.get(lower(node.table_name))
      const columns =
        table && new Map([...table.columns].map(([name, { longest }]) => [name, unitsOf(longest)] as const))
      longestColumn = greatest([longestColumn, ...(columns?.values() ?? [])])
      add(cteOf(lower(node.table_name), scope) ?? columns ?? new Map(), node.table_name)
    } else if (type === 'SUBQUERY') {
      const inner = isNode(node.subquery) ? node.subquery.node : undefined
      if (isNode(inner)) add(select(inner, scope), '')
    } else if (type === 'JOIN') {
      for (const side of [node.left, node.right]) if (isNode(side)) from(side, scope)
      lengthOf(node.condition, scope)
    } else if (type === 'PIVOT') {
      if (isNode(node.source)) from(node.source, scope)
      const { source: _source, ...rest } = node
      lengthOf(rest, scope)
    } else if (type !== 'EMPTY') {
      const length = lengthOf([node.function, node.values], scope)
      const [first] = Array.isArray(node.values) ? node.values : []
      const count = Array.isArray(first) ? first.length : 1
      const own = isNode(node.function) ? lower(node.function.function_name) : 'col0'
      add(new Map(Array.from({ length: count }, (_, at) => [at === 0 ? own : `col${at}`, length])), own)
    }
  }

  function lengthOf(value: unknown, scope: Scope): number {
    const length = measured(value, scope)
    if (!isGathered(length) && !isAsRead(value, length)) longest = Math.max(longest, length)
    return length
  }

  /** What is only handed on is not made. Inside of others, it was asked for alone. */
  const isAsRead = (value: unknown, length: number) =>
    length <= longestColumn && (!isNode(value) || !value.class || value.class === 'COLUMN_REF')

  function called(node: Node, scope: Scope): number {
    const length = call(node, scope)
    if (!isGathered(length)) together += length
    return length
  }

  function measured(value: unknown, scope: Scope): number {
    if (Array.isArray(value)) return greatest(value.map((one) => lengthOf(one, scope)))
    if (!isNode(value)) return 1
    const parts = () => greatest(Object.values(value).map((one) => lengthOf(one, scope)))
    switch (value.class) {
      case 'COLUMN_REF':
        return named(namesOf(value), scope)
      case 'STAR':
        parts()
        return sum(scope.relations.flatMap(entriesOf).map(([, length]) => length))
      case 'SUBQUERY': {
        const inner = isNode(value.subquery) ? value.subquery.node : undefined
        const columns = isNode(inner) ? select(inner, scope) : new Map<string, number>()
        return Math.max(lengthOf(value.child, scope), greatest([...columns.values()]))
      }
      case 'CONSTANT':
        return unitsOf(textOf(value).length)
      case 'COMPARISON':
      case 'CONJUNCTION':
      case 'BETWEEN':
        parts()
        return 1
      // `json -> path` is parsed as one.
      case 'LAMBDA':
        return parts() * (isNode(value.expr) ? elementsOf(value.expr) : 1)
      case 'CAST': {
        const length = parts()
        if (isGathered(length)) {
          checkGatheredCast(value)
          return 1
        }
        // A text that is read as a list may have become one letter longer for each, once it is a text again.
        return isNode(value.cast_type) && NESTED_TYPES.has(String(value.cast_type.id)) ? 2 * length : length
      }
      case 'FUNCTION':
        lengthOf([value.filter, value.order_bys], scope)
        return called(value, scope)
      case 'WINDOW': {
        const { children: _given, ...clauses } = value
        // Of each row it would be another, and none is counted.
        if (
          gathersTexts(lower(value.function_name)) ||
          gathersLists(lower(value.function_name), argumentsOf(value))
        )
          throw new SqlError(
            `${lower(value.function_name)} com OVER multiplica textos ou listas por linhas: use GROUP BY`,
          )
        return Math.max(called(value, scope), lengthOf(Object.values(clauses), scope))
      }
      default:
        return parts()
    }
  }

  function call(node: Node, scope: Scope): number {
    const name = lower(node.function_name)
    const given = argumentsOf(node)
    if (name === 'list_transform') return transformed(given, scope)
    const lengths = given.map((one) => lengthOf(one, scope))
    const most = greatest(lengths)
    if (COUNTING.has(name)) return 1
    if (gathersTexts(name)) return GATHERED
    if (gathersLists(name, given)) {
      if (isGathered(most)) throw refusal(name)
      return GATHERED
    }
    if (isGathered(most)) {
      if (joinsByPlus && ADDING.has(name)) throw refusal(name)
      return lengthOfGathered(name, node, given)
    }
    if (cuts(name, node, given)) return Math.min(most, unitsOf(MAX_CUT))
    // Constants of one call are no longer together than the query is.
    const constants = given.filter((one) => one.class === 'CONSTANT')
    const joined =
      sum(lengths.filter((_length, index) => given[index]?.class !== 'CONSTANT')) +
      (constants.length ? unitsOf(sum(constants.map((one) => textOf(one).length))) : 0)
    if (JOINING.has(name) || (joinsByPlus && ADDING.has(name))) return Math.max(1, joined)
    if (NESTING.has(name)) return 2 * Math.max(1, joined)
    if (LISTING.has(name)) return 2 * most
    // What stands between the parts comes once for each but one.
    if (name === 'concat_ws') return Math.max(1, joined + given.length * (lengths[0] ?? 1))
    if (SEPARATING.has(name)) return most * (1 + sum(given.map((one) => textOf(one).length)))
    if (PICKING.has(name)) return most * greatest(given.map(elementsOf))
    // `{0}{0}` says the same thing twice.
    if (name === 'format' || name === 'printf') return placesIn(given[0]) * most + 1
    return most
  }

  /** Each element, made longer. What comes from elsewhere would come once for each. */
  function transformed([list, lambda]: Node[], scope: Scope): number {
    const { lhs, expr } = lambda ?? {}
    const own = new Set(everyNode(lhs).flatMap(namesOf))
    for (const inner of everyNode(expr)) {
      if (inner.class === 'LAMBDA') for (const name of everyNode(inner.lhs).flatMap(namesOf)) own.add(name)
      if (inner.class === 'SUBQUERY' || (inner.class === 'COLUMN_REF' && !own.has(namesOf(inner)[0] ?? '')))
        throw new SqlError('list_transform: a função só pode usar o próprio elemento')
    }
    const aliases = new Map([...own].map((name) => [name, 1] as const))
    const spelt = sum(everyNode(expr).map((one) => (one.class === 'CONSTANT' ? textOf(one).length : 0)))
    const body = lengthOf(expr, { relations: [], aliases, ctes: new Map(), outer: undefined })
    const length = lengthOf(list, scope)
    if (isGathered(length) && body + spelt > 1) throw refusal('list_transform')
    return length * (body + spelt)
  }

  select(query, { relations: [], aliases: new Map(), ctes: new Map(), outer: undefined })
  const readsLong = longestColumn > 1
  if (readsLong && together > MAX_TOGETHER) throw new SqlError(MANY_LONG)
  return { longest, readsLong }
}

/** A column, an alias, or the name of a relation, which is a whole row. Columns without a name of ours may be meant by any. */
function named(names: string[], { relations, aliases, outer }: Scope): number {
  const [first = '', second = ''] = names
  const relation = relations.find(({ alias }) => alias === first)
  const qualified = relation?.columns.get(second)
  if (qualified !== undefined) return qualified
  const found = [...relations.flatMap(({ columns }) => columns.get(first) ?? []), aliases.get(first) ?? 0]
  if (found.some((length) => length > 0)) return greatest(found)
  if (relation && names.length === 1) return 2 * sum([...relation.columns.values()])
  const all = relations.flatMap(({ columns }) => [...columns.values()])
  return Math.max(greatest(all), outer ? named(names, outer) : 1)
}

const widen = (columns: Columns, name: string, length: number) =>
  columns.set(name, Math.max(length, columns.get(name) ?? 1))

const cteOf = (name: string, scope: Scope): Columns | undefined =>
  scope.ctes.get(name) ?? (scope.outer && cteOf(name, scope.outer))

const entriesOf = ({ columns }: Relation) => [...columns]

/** `AS t(a, b)` */
function renamed(columns: Columns, aliases: unknown): Columns {
  const names = Array.isArray(aliases) ? aliases.map(lower) : []
  return new Map([...columns].map(([name, length], index) => [names[index] ?? name, length]))
}

function hasLists(query: Node, tables: Map<string, Table>): boolean {
  const isList = /^(list|array|map|split|str|string_s|regexp_(e|s)|range|generate|hist|flatten|row$)/
  const made = everyNode(query).some(
    (node) => node.class === 'FUNCTION' && isList.test(lower(node.function_name)),
  )
  return (
    made ||
    [...tables.values()].some(({ columns }) => [...columns.values()].some(({ type }) => /\]$/.test(type)))
  )
}

function everyNode(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(everyNode)
  return isNode(value) ? [value, ...Object.values(value).flatMap(everyNode)] : []
}

/** What a function is called of is its first argument. */
function argumentsOf(node: Node): Node[] {
  if (!hasReceiver(node)) return listOf(node.children)
  const names = [node.catalog, node.schema].filter((name) => name)
  return [{ class: 'COLUMN_REF', column_names: names }, ...listOf(node.children)]
}

const namesOf = (node: Node): string[] =>
  Array.isArray(node.column_names) ? node.column_names.map(lower) : []
const lastName = (node: Node) => namesOf(node).at(-1) ?? ''
const textOf = ({ value }: Node) => (isNode(value) && typeof value.value === 'string' ? value.value : '')
const elementsOf = ({ function_name: name, children }: Node) =>
  lower(name) === 'list_value' ? listOf(children).length : 1
const placesIn = (node: Node | undefined) => (node ? textOf(node).split(/[{%]/).length : 1)
/** Never less than 1. `Math.max` takes no more numbers than fit on the stack. */
const greatest = (numbers: number[]) => numbers.reduce((most, one) => Math.max(most, one), 1)
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
const lower = (value: unknown) => String(value ?? '').toLowerCase()
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter((one) => isNode(one)) : [])

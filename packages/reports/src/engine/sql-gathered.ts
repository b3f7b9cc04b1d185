import { AGGREGATES } from './sql-functions.ts'
import { growthOf } from './sql-growth.ts'
import { hasReceiver, isNode, type Node, SqlError } from './sql-node.ts'
import { isCount } from './sql-searches.ts'

/*
 * What an aggregate puts together of many rows is as long as the memory lets it be, which DuckDB counts. What functions then
 * make of it is not counted, and comes again for each row that it is joined to. So it may be shown, compared, sorted and cut,
 * and nothing that makes it longer.
 */

/** In the place of a length: nobody knows it before the rows are there. */
export const GATHERED = 2 ** 40
export const isGathered = (length: number) => length >= GATHERED

const TEXTS = new Set(['string_agg', 'listagg', 'group_concat'])
const LISTS = new Set(['list', 'array_agg', 'histogram'])
/** Aggregates of the first so many: what they are given besides the number. */
const FIRST = new Map([
  ...['min', 'max'].map((name) => [name, 1] as const),
  ...['arg_min', 'arg_max', 'argmin', 'argmax', 'arg_min_null', 'arg_max_null', 'min_by', 'max_by'].map(
    (name) => [name, 2] as const,
  ),
])
const AT_PLACES = new Set(['quantile', 'quantile_cont', 'quantile_disc', 'approx_quantile'])

export const gathersTexts = (name: string) => TEXTS.has(name)
export function gathersLists(name: string, given: Node[]): boolean {
  if (AT_PLACES.has(name)) return !isNumber(given[1])
  return LISTS.has(name) || given.length > (FIRST.get(name) ?? Number.POSITIVE_INFINITY)
}

const GROWING = new Set([
  ...[
    '||',
    'concat',
    'concat_ws',
    'format',
    'printf',
    'strftime',
    'list_concat',
    'list_append',
    'list_prepend',
  ],
  ...['list_value', 'array_value', 'struct_pack', 'row', 'map', 'list_zip'],
  ...['string_split', 'str_split', 'split', 'regexp_extract_all', 'regexp_split_to_array'],
  ...['json_extract', 'json_extract_string', 'json_value', 'regexp_extract', '->', '->>'],
])
const SEPARATING = new Set(['array_to_string', 'list_aggregate'])
const MAX_SEPARATOR = 20
/** What they answer is a number, or nothing. */
const NUMBERING = new Set([
  ...[
    '-',
    '*',
    '/',
    '//',
    '%',
    '**',
    '^',
    'round',
    'abs',
    'floor',
    'ceil',
    'len',
    'array_length',
    'cardinality',
  ],
  ...['list_sum', 'list_avg', 'list_count'],
])
export const MAX_CUT = 1000

/** How long it is what a function makes of it; throws where that may be longer. */
export function lengthOfGathered(name: string, node: Node, given: Node[]): number {
  if (NUMBERING.has(name) || cuts(name, node, given)) return 1
  if (AGGREGATES.has(name)) return GATHERED
  if (GROWING.has(name)) throw refusal(name)
  if (SEPARATING.has(name)) {
    const [, ...others] = given
    if (others.every((one) => one.class === 'CONSTANT' && lettersIn(one) <= MAX_SEPARATOR)) return GATHERED
    throw refusal(name)
  }
  // Of one value for all rows there is one result; with another beside it, one for each row.
  const varying = given.filter((one) => !['CONSTANT', 'PARAMETER', 'LAMBDA'].includes(String(one.class)))
  const grows = ['replace', 'regexp_replace'].includes(name) && growthOf(node) > 1
  if (varying.length > 1 || grows) throw refusal(name)
  return GATHERED
}

/** A cast of it: to a number or a date; written as text, or read from it, a list escapes what stands inside. */
export function checkGatheredCast({ cast_type: type }: Node) {
  const id = isNode(type) ? String(type.id) : ''
  if (!/INT|DECIMAL|DOUBLE|FLOAT|DATE|TIME|BOOLEAN/.test(id)) throw refusal('CAST')
}

export const refusal = (what: string) =>
  new SqlError(
    `${what} multiplica textos ou listas de muitas linhas: corte-os antes, como em left(string_agg(…), ${MAX_CUT / 2})`,
  )

/** `left(x, 500)`, `right(x, 500)`, `substring(x, 1, 500)` */
export function cuts(name: string, node: Node, given: Node[]): boolean {
  const isPart = name === 'substring' || name === 'substr'
  if (hasReceiver(node) || !(isPart || name === 'left' || name === 'right')) return false
  return (
    isCount(given[1], isPart ? Number.MAX_SAFE_INTEGER : MAX_CUT) && (!isPart || isCount(given[2], MAX_CUT))
  )
}

const isNumber = (node: Node | undefined) =>
  node?.class === 'CONSTANT' && isNode(node.value) && typeof node.value.value === 'number'

const lettersIn = ({ value }: Node) =>
  isNode(value) && typeof value.value === 'string' ? value.value.length : 0

import { hasReceiver, isNode, type Node, SqlError } from './sql-node.ts'

/*
 * What looks for one text in another may take as many steps as both have letters, multiplied, and a pattern of several
 * wildcards as many as the text has letters, to the power of the wildcards; DuckDB heeds no interruption meanwhile. So what is
 * looked for stands in the query, is short, and is one that DuckDB finds in one pass.
 *
 * `LIKE` without `_` and without a collation looks for one part after the other. Any other pattern is tried anew at each letter
 * that a `%` may end at; a `%` at the end costs nothing.
 *
 * A regular expression takes one pass for a match. One that is looked for again behind each match may read on to the end of the
 * text for each, where it gives up late what it has read.
 */

const MAX_NEEDLE = 1000
/** Of a pattern that is tried at each letter. */
const MAX_TRIED = 100

type Pattern = { name: string; wildcard: string }
const LIKE: Pattern = { name: 'LIKE', wildcard: '%' }
const ILIKE: Pattern = { name: 'ILIKE', wildcard: '%' }
const GLOB: Pattern = { name: 'GLOB', wildcard: '*' }
const PATTERNS = new Map<string, Pattern>([
  ['~~', LIKE],
  ['!~~', LIKE],
  ['~~*', ILIKE],
  ['!~~*', ILIKE],
  ['~~~', GLOB],
  ['like_escape', LIKE],
  ['not_like_escape', LIKE],
  ['ilike_escape', ILIKE],
  ['not_ilike_escape', ILIKE],
])

const FINDING = new Set([
  ...['contains', 'strpos', 'position', 'instr'],
  ...['string_split', 'str_split', 'split', 'split_part'],
])
/** Look for all matches; `regexp_replace` does where it is told. */
const REPEATING = new Set([
  ...['regexp_extract_all', 'regexp_split_to_array', 'string_split_regex', 'str_split_regex'],
])
/** As long as what they are given. */
const KEEPING = new Set(['lower', 'lcase', 'upper', 'ucase', 'trim', 'strip_accents'])

/** What they are judged by is their arguments in place, and `a.f(b)` has them elsewhere. */
const POSITIONAL = new Set([
  ...PATTERNS.keys(),
  ...FINDING,
  ...REPEATING,
  ...['lpad', 'rpad', 'replace', 'regexp_replace', 'printf', 'format', 'concat_ws'],
  ...['list_transform', 'range', 'generate_series'],
])

/** `hasCollation`: whether the query has one anywhere. */
export function checkSearch(name: string, node: Node, hasCollation: boolean) {
  if (hasReceiver(node) && POSITIONAL.has(name))
    throw new SqlError(`escreva ${name}(…), sem nada antes do nome`)
  const [searched, wanted, third, fourth] = Array.isArray(node.children) ? node.children.filter(isNode) : []
  const pattern = PATTERNS.get(name)
  if (pattern) {
    const isSought = pattern === LIKE && !third && !hasCollation
    checkPattern(pattern, withoutEscapes(pattern, textIn(wanted), third), isSought)
  } else if (
    REPEATING.has(name) ||
    (name === 'regexp_replace' && fourth && (textIn(fourth) ?? 'g').includes('g'))
  ) {
    checkRepeated(name, textIn(wanted))
  } else if (FINDING.has(name) && !isListOfText(searched)) checkNeedle(name, wanted)
}

function checkPattern({ name, wildcard }: Pattern, text: string | undefined, isSought: boolean) {
  if (text === undefined)
    throw new SqlError(
      `${name}: escreva o padrão entre aspas, na consulta; para comparar com outra coluna há starts_with, ends_with e contains`,
    )
  if (text.length > MAX_NEEDLE) throw new SqlError(`${name}: o padrão pode ter até ${MAX_NEEDLE} letras`)
  // The null letter too ends what DuckDB takes for the parts of a pattern.
  if (isSought && !/[_\0]/.test(text)) return
  const runs = runsBeforeText(text, wildcard)
  if (runs > 1)
    throw new SqlError(
      `${name}: em '${text.slice(0, 40)}' só um ${wildcard} pode ter letras depois; ${
        name === 'LIKE'
          ? 'com mais de um, sem _, ESCAPE nem COLLATE'
          : 'com mais de um, use lower(coluna) LIKE, sem _'
      }`,
    )
  if (runs > 0 && text.length > MAX_TRIED)
    throw new SqlError(
      `${name}: um padrão com ${wildcard} e _, ou sem LIKE, pode ter até ${MAX_TRIED} letras`,
    )
}

/** How often wildcards stand before something else. */
const runsBeforeText = (text: string, wildcard: string) =>
  text
    .split(wildcard)
    .slice(1)
    .filter((part) => part !== '').length

/** Each escaped letter as one that is no wildcard. */
function withoutEscapes({ name }: Pattern, text: string | undefined, escaping: Node | undefined) {
  if (!escaping) return text
  const letter = textIn(escaping)
  // ILIKE makes a letter of the pattern small, and not the one that escapes.
  if (letter === undefined || letter.length > 1 || /[\p{L}%_]/u.test(letter))
    throw new SqlError(`${name}: ESCAPE quer um sinal entre aspas, que não seja letra, % nem _`)
  return letter ? text?.replace(new RegExp(`\\${letter}[^]`, 'g'), 'x') : text
}

/** What is read for a match is to belong to it, or to be of one length: an open repeat ends the expression, with no way around it. */
function checkRepeated(name: string, expression: string | undefined) {
  if (expression === undefined) throw new SqlError(`${name}: escreva a expressão entre aspas, na consulta`)
  const plain = expression.replace(/\\[\s\S]/g, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x')
  const [before, ...after] = plain.split(/[*+]|\{\d+,\}/)
  if (after.length === 0) return
  if (after.length > 1 || before?.includes('|') || !/^\)*$/.test(after.join('')))
    throw new SqlError(
      `${name}: quando se procura mais de uma vez, *, + e {1,} ficam só no fim da expressão, uma vez e sem |`,
    )
}

function checkNeedle(name: string, node: Node | undefined) {
  const text = textIn(node)
  if (text !== undefined && text.length > MAX_NEEDLE)
    throw new SqlError(`${name}: o texto procurado pode ter até ${MAX_NEEDLE} letras`)
  if (!isShort(node))
    throw new SqlError(
      `${name}: escreva o texto procurado entre aspas, ou corte-o: left(coluna, ${MAX_NEEDLE / 10}), no máximo ${MAX_NEEDLE}`,
    )
}

/** A constant of any kind, a parameter, or what is cut where it stands. */
function isShort(node: Node | undefined): boolean {
  const [first, count] = Array.isArray(node?.children) ? node.children.filter(isNode) : []
  const name =
    node?.class === 'FUNCTION' && !hasReceiver(node) ? String(node.function_name).toLowerCase() : ''
  if (name === 'left') return isCount(count, MAX_NEEDLE)
  if (KEEPING.has(name)) return isShort(first)
  return node?.class === 'CONSTANT' || node?.class === 'PARAMETER'
}

/** A number of letters that is written out, from 0 to `most`. */
export const isCount = (node: unknown, most: number) =>
  isNode(node) &&
  node.class === 'CONSTANT' &&
  isNode(node.value) &&
  typeof node.value.value === 'number' &&
  isNode(node.value.type) &&
  /INT/.test(String(node.value.type.id)) &&
  node.value.value >= 0 &&
  node.value.value <= most

/** `x IN ['a', 'b']` is parsed as a search in a list, which compares whole texts. */
const isListOfText = (node: Node | undefined) =>
  node?.class === 'FUNCTION' && !hasReceiver(node) && node.function_name === 'list_value'

const textIn = (node: Node | undefined): string | undefined =>
  node?.class === 'CONSTANT' && isNode(node.value) && typeof node.value.value === 'string'
    ? node.value.value
    : undefined

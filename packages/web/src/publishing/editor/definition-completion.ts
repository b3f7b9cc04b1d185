import type { DataReading } from '@bi-manager/contract'
import { getLocation, type Location } from 'jsonc-parser'
import { type Schema, schemasAt, valuesOf } from './schema-at.ts'

export type Tables = DataReading['tabelas']

export interface Proposal {
  label: string
  kind: 'field' | 'value' | 'table' | 'column'
  /** What it is: a field's description, or the table of a column. */
  detail: string
}

interface Completion {
  /** Where the typed beginning of a name starts; it ends at the cursor. */
  from: number
  proposals: Proposal[]
}

/** Fields whose texts, or whose values' texts, are SQL over the tables of the data. */
const sqlFields = new Set(['query', 'totals', 'values', 'order'])

/**
 * Returns the names that fit at an offset of a definition's text, which may be unfinished: fields of
 * the schema, their values, and tables and columns of the data in queries and targets.
 */
export const completionAt = (
  text: string,
  offset: number,
  { schema, tables }: { schema: Schema; tables: Tables },
): Completion | undefined => {
  const location = getLocation(text, offset)
  const { path, isAtPropertyKey } = location
  const typed = stringAround(location, offset)
  const from = typed ? typed.from : wordStart(text, offset)
  if (isAtPropertyKey) {
    const outer = path.slice(0, -1)
    const schemas = schemasAt(schema, outer)
    const fields = schemas.flatMap(({ properties = {} }) => Object.entries(properties))
    if (fields.length > 0) {
      const proposals = fields.map(([label, { description = '' }]) => ({
        label,
        detail: description,
        kind: 'field' as const,
      }))
      return { from, proposals: withoutRepeats(proposals) }
    }
    // Fields named by the author, such as those of `format`, are mostly columns.
    return schemas.some(({ additionalProperties }) => additionalProperties)
      ? { from, proposals: columnsOf(tables) }
      : undefined
  }
  const name = path.findLast((step) => typeof step === 'string')
  if (typed && isSql(path)) return { from: wordStart(text, offset), proposals: namesOf(tables) }
  if (name === 'table' && typed) return { from, proposals: tablesOf(tables) }
  if (name === 'column' && typed) return { from, proposals: columnsOf(tables) }
  const proposals = schemasAt(schema, path).flatMap((one) =>
    valuesOf(one).map((value) => ({
      label: String(value),
      kind: 'value' as const,
      detail: one.description ?? '',
    })),
  )
  return proposals.length > 0 ? { from, proposals: withoutRepeats(proposals) } : undefined
}

/** What replaces the range, and where the cursor is afterwards. */
interface Insertion {
  from: number
  to: number
  insert: string
  cursor: number
}

/**
 * Returns how a chosen name is written at the offset: with quotes where JSON wants them, a colon
 * after a new field, and the brackets of its value.
 */
export const insertionAt = (
  text: string,
  offset: number,
  { label, kind }: Proposal,
  schema: Schema,
): Insertion => {
  const location = getLocation(text, offset)
  const { path, isAtPropertyKey } = location
  const typed = stringAround(location, offset)
  if (typed && !isAtPropertyKey && isSql(path)) {
    const from = wordStart(text, offset)
    return { from, to: wordEnd(text, offset), insert: label, cursor: from + label.length }
  }
  const from = typed ? typed.from - 1 : wordStart(text, offset)
  const to = typed ? typed.end : offset
  const hasColon = /^\s*:/.test(text.slice(to))
  if (!isAtPropertyKey || hasColon) {
    const isText =
      kind !== 'value' ||
      schemasAt(schema, path).every(
        ({ type }) => type !== 'boolean' && type !== 'number' && type !== 'integer',
      )
    const insert = typed || isText ? JSON.stringify(label) : label
    return { from, to, insert, cursor: from + insert.length }
  }
  const [before, after] = emptyValue(schemasAt(schema, [...path.slice(0, -1), label]))
  const start = `${JSON.stringify(label)}: ${before}`
  return { from, to, insert: start + after, cursor: from + start.length }
}

const emptyValue = ([first]: Schema[]): [before: string, after: string] => {
  if (first?.type === 'string' || first?.enum) return ['"', '"']
  if (first?.type === 'array') return ['[', ']']
  return first?.type === 'object' ? ['{ ', ' }'] : ['', '']
}

const isSql = (path: Location['path']): boolean =>
  path.some((step, index) => typeof step === 'string' && sqlFields.has(step) && isInVisual(path, index))

/** `values` of the report itself are names of values, and not measures. */
const isInVisual = (path: Location['path'], index: number): boolean =>
  path.slice(0, index).includes('visuals')

/** Returns the string literal around the offset, without its quotes; it may be unfinished. */
const stringAround = ({ previousNode: node }: Location, offset: number) => {
  if (!node || !['string', 'property'].includes(node.type)) return undefined
  const end = node.offset + node.length
  return node.offset < offset && offset <= end ? { from: node.offset + 1, end } : undefined
}

const wordStart = (text: string, offset: number): number =>
  offset - (/[\p{L}\p{N}_$]*$/u.exec(text.slice(0, offset))?.[0].length ?? 0)
const wordEnd = (text: string, offset: number): number =>
  offset + (/^[\p{L}\p{N}_]*/u.exec(text.slice(offset))?.[0].length ?? 0)

const tablesOf = (tables: Tables): Proposal[] =>
  tables.map(({ nome }) => ({ label: nome, kind: 'table', detail: 'tabela' }))

const columnsOf = (tables: Tables): Proposal[] =>
  withoutRepeats(
    tables.flatMap(({ nome, colunas }) =>
      colunas.map((label) => ({ label, kind: 'column' as const, detail: `coluna de ${nome}` })),
    ),
  )

const namesOf = (tables: Tables): Proposal[] => [...columnsOf(tables), ...tablesOf(tables)]

const withoutRepeats = (proposals: Proposal[]): Proposal[] =>
  [...new Map(proposals.toReversed().map((one) => [one.label, one])).values()].toReversed()

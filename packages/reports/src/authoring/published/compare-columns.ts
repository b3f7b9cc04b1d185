import { columnNames } from '../../definitions/column-names.ts'
import type { CsvType } from '../../definitions/definition.ts'
import { DefinitionError } from '../../definitions/definition-error.ts'
import { headingText } from '../../definitions/heading-text.ts'
import type { Column } from '../../engine/data/catalog.ts'
import type { DraftColumn } from '../drafts/reading/read-draft.ts'
import { draftType } from '../drafts/reading/read-draft-parquet.ts'

type Current = Pick<Column, 'name' | 'kind' | 'heading'>

/**
 * Matches the headings of a file with the columns of the table that it replaces, and returns the column's
 * name for each heading. A heading matches a column by its name, by its earlier heading, or by the name
 * that the portal makes of the heading.
 * @throws DefinitionError that names the missing columns
 */
export const matchHeadings = (current: Current[], headings: string[], quotesData = true): string[] => {
  const made = columnNames(headings)
  const named = new Map<number, string>()
  const missing: string[] = []
  const isFree = (index: number) => index >= 0 && !named.has(index)
  const find = (texts: string[], name: string) =>
    texts.findIndex((text, index) => isSame(text, name) && isFree(index))
  for (const { name, heading = name } of current) {
    const found = [find(headings, name), find(headings, heading), find(made, name)].find(isFree)
    if (found === undefined) missing.push(heading)
    else named.set(found, name)
  }
  if (missing.length > 0) {
    const others = headings.filter((_heading, index) => !named.has(index))
    // Without a heading, the first row of values stands in its place.
    const hint = quotesData && others.length > 0 ? `; no arquivo há a mais: ${listed(others)}` : ''
    const what = missing.length === 1 ? 'falta a coluna' : 'faltam as colunas'
    throw new DefinitionError(`${what} ${listed(missing)}${hint}`)
  }
  const taken = new Set([...named.values()].map((name) => name.toLowerCase()))
  return made.map((name, index) => named.get(index) ?? freeName(name, taken))
}

/** A line break in a heading is a space. */
const isSame = (one: string, other: string) =>
  headingText(one).trim().toLowerCase() === headingText(other).trim().toLowerCase()

const freeName = (name: string, taken: Set<string>): string => {
  let free = name
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name}_${count}`
  taken.add(free.toLowerCase())
  return free
}

/**
 * The type that holds all values of another one: a column takes it by itself when its new values
 * need it. Any other change is a person's choice.
 */
const wider: Partial<Record<DraftColumn['type'], CsvType>> = { integer: 'number', date: 'timestamp' }

/**
 * Returns the types with which a CSV that replaces a table is read first: those of columns that
 * have no wider one, and those that a person chose.
 */
export const typesOf = (
  current: Current[],
  chosen: Record<string, CsvType> = {},
): Record<string, CsvType> => ({
  ...Object.fromEntries(
    current.flatMap(({ name, kind }) => {
      const type = draftType(kind)
      return type === 'other' || wider[type] ? [] : [[name, type]]
    }),
  ),
  ...chosen,
})

/** A column with its own type, and the wider one. */
export interface UnfitColumn {
  name: string
  own: CsvType
  wide: CsvType
}

/**
 * Returns the columns that were read neither as their own type nor as the wider one, and days that may
 * be moments. The caller reads the file again with that type, so that the refusal names the first value
 * that does not fit, with its line.
 */
export const unfitColumns = (
  current: Current[],
  read: Pick<DraftColumn, 'name' | 'type'>[],
  chosen: Record<string, CsvType>,
): UnfitColumn[] => {
  return current.flatMap(({ name, ...column }) => {
    const kind = draftType(column.kind)
    const wide = wider[kind]
    const found = read.find((one) => one.name === name)
    if (!found || !wide || kind === 'other' || Object.hasOwn(chosen, name)) return []
    // Days that are all at midnight are still days.
    const isWider = found.type === wide && kind !== 'date'
    return found.type === kind || isWider ? [] : [{ name, own: kind, wide }]
  })
}

/**
 * Compares the columns of a file with those of the table: `faults` for columns of another type,
 * `changes` for columns that became wider or that a person changed, `remarks` for new columns.
 */
export const compareColumns = (
  current: Current[],
  read: Pick<DraftColumn, 'name' | 'label' | 'type'>[],
  chosen: Record<string, CsvType> = {},
) => {
  const kinds = new Map(current.map(({ name, kind }) => [name, draftType(kind)]))
  const faults: string[] = []
  const changes: string[] = []
  for (const { name, label, type } of read) {
    const kind = kinds.get(name)
    if (kind === undefined || kind === type || (kind === 'number' && type === 'integer')) continue
    const sentence = `a coluna ${label} era ${kindNames[kind]} e agora é ${kindNames[type]}`
    const isChosen = Object.hasOwn(chosen, name) && chosen[name] === type
    if (wider[kind] === type || isChosen) changes.push(sentence)
    else faults.push(sentence)
  }
  const added = read.filter(({ name }) => !kinds.has(name)).map(({ label }) => label)
  const remarks = added.length > 0 ? [`colunas novas, que o relatório não usa: ${listed(added)}`] : []
  return { faults, changes, remarks }
}

const kindNames: Record<DraftColumn['type'], string> = {
  text: 'texto',
  integer: 'número inteiro',
  number: 'número',
  date: 'data',
  timestamp: 'data e hora',
  boolean: 'sim ou não',
  other: 'de outro tipo',
}

const list = new Intl.ListFormat('pt-BR')
const MAX_LISTED = 20
const listed = (names: string[]): string =>
  list.format(
    names.length > MAX_LISTED ? [...names.slice(0, MAX_LISTED), `mais ${names.length - MAX_LISTED}`] : names,
  )

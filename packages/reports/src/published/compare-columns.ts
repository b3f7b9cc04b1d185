import { columnNames } from '../drafts/column-names.ts'
import { type DraftColumn, draftType } from '../drafts/read-draft.ts'
import type { Column } from '../engine/data/catalog.ts'
import type { CsvType } from '../engine/definitions/definition.ts'
import { DefinitionError } from '../engine/definitions/definition-error.ts'
import { headingText } from '../engine/definitions/heading-text.ts'

type Current = Pick<Column, 'name' | 'kind' | 'heading'>

/**
 * Returns the names of the headings of a file that replaces a table: those of its columns, by their
 * own name, by the heading that they had, or by the name that the portal made of the heading.
 * @throws DefinitionError that names the missing columns
 */
export function matchHeadings(current: Current[], headings: string[]): string[] {
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
    const hint = others.length > 0 ? `; no arquivo há a mais: ${listed(others)}` : ''
    const what = missing.length === 1 ? 'falta a coluna' : 'faltam as colunas'
    throw new DefinitionError(`${what} ${listed(missing)}${hint}`)
  }
  const taken = new Set([...named.values()].map((name) => name.toLowerCase()))
  return made.map((name, index) => named.get(index) ?? freeName(name, taken))
}

/** A line break in a heading is a space. */
const isSame = (one: string, other: string) =>
  headingText(one).trim().toLowerCase() === headingText(other).trim().toLowerCase()

function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name}_${count}`
  taken.add(free.toLowerCase())
  return free
}

/** Returns the types with which a CSV that replaces a table is read. */
export const typesOf = (current: Current[]): Record<string, CsvType> =>
  Object.fromEntries(
    current.flatMap(({ name, kind }) => {
      const type = draftType(kind)
      return type === 'other' ? [] : [[name, type]]
    }),
  )

/** Returns a fault for each column of another type, and a remark about new columns. */
export function compareColumns(current: Current[], read: Pick<DraftColumn, 'name' | 'label' | 'type'>[]) {
  const kinds = new Map(current.map(({ name, kind }) => [name, draftType(kind)]))
  const faults = read.flatMap(({ name, label, type }) => {
    const kind = kinds.get(name)
    return kind === undefined || kind === type || (kind === 'number' && type === 'integer')
      ? []
      : [`a coluna ${label} era ${kindNames[kind]} e agora é ${kindNames[type]}`]
  })
  const added = read.filter(({ name }) => !kinds.has(name)).map(({ label }) => label)
  const remarks = added.length > 0 ? [`colunas novas, que o relatório não usa: ${listed(added)}`] : []
  return { faults, remarks }
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
const MOST_LISTED = 20
const listed = (names: string[]): string =>
  list.format(
    names.length > MOST_LISTED
      ? [...names.slice(0, MOST_LISTED), `mais ${names.length - MOST_LISTED}`]
      : names,
  )

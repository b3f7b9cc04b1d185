import type { Dataset, Predicate, Table } from '../data/catalog.ts'
import { quote } from '../data/database/database.ts'

/** The embed token has no identity, or names an unknown role: it opens the report, but no rows. */
export class IdentityError extends Error {}

/** The reader, from the effective identity of an embed token. */
export type Reader = {
  username: string
  roles: string[]
  customData?: string | null
  /** The reader's token explains which rule leaves out every row. */
  explainsRules?: boolean | undefined
}

/**
 * Returns the predicates that restrict a table for an identity; none means that all rows are
 * visible. A role without a predicate for the table shows all its rows, so one such role lifts the
 * restriction.
 * @throws IdentityError
 */
export const predicatesFor = (dataset: Dataset, identity: Reader | undefined, table: Table): Predicate[] => {
  if (!identity) {
    if (dataset.definition.requiresIdentity) throw new IdentityError()
    return []
  }
  if (identity.roles.length === 0) throw new IdentityError()
  const predicates = identity.roles.map((name) => {
    const role = dataset.roles.find((known) => known.name === name)
    if (!role) throw new IdentityError()
    return role.predicates.get(table.name.toLowerCase())
  })
  return predicates.every((predicate) => predicate !== undefined) ? predicates : []
}

/**
 * Returns a key of the visible rows of the tables: identities with the same key see the same rows.
 * @throws IdentityError
 */
export const rowsKey = (dataset: Dataset, identity: Reader | undefined, tables: Table[]): string => {
  const predicates = tables.map((table) => predicatesFor(dataset, identity, table))
  const uses = (name: string) => predicates.flat().some(({ parameters }) => parameters.includes(name))
  return JSON.stringify([
    predicates.map((some) => some.map(({ sql }) => sql)),
    uses('username') && identity?.username,
    uses('customdata') && (identity?.customData ?? null),
  ])
}

/**
 * Returns SQL for the rows of a table that any predicate allows and all conditions match. Tables in
 * subqueries of predicates are named inside this SELECT only, so that visuals cannot reach hidden
 * ones. `source` may be an aggregation table with all the columns used.
 */
export const restrictedSelect = (
  table: Table,
  predicates: Predicate[],
  conditions: string[] = [],
  source = table.source,
): string => {
  const helpers = new Set(predicates.flatMap(({ reads }) => reads))
  const ctes = [...helpers].map(
    ({ name, source }) => `${quote(name)} AS NOT MATERIALIZED (SELECT * FROM ${source})`,
  )
  const allowed = predicates.map(({ sql }) => `(${sql}\n)`).join(' OR ')
  const where = [...(allowed ? [`(${allowed})`] : []), ...conditions].join(' AND ')
  const prefix = ctes.length ? `WITH ${ctes.join(', ')} ` : ''
  return `${prefix}SELECT * FROM ${source} AS ${quote(table.name)}${where ? ` WHERE ${where}` : ''}`
}

import type { Dataset, Predicate, Table } from './catalog.ts'
import { quote } from './database.ts'

/** The token opens the report but not the rows: its identity is missing, or names a role that is gone. */
export class IdentityError extends Error {}

/** Who reads, as an embed token says it. */
export type Reader = { username: string; roles: string[]; customData?: string | null }

/**
 * The predicates that restrict a table for an identity; none means that it is seen whole. A role that does not name the
 * table shows it whole, so one such role among several lifts the restriction.
 */
export function predicatesFor(dataset: Dataset, identity: Reader | undefined, table: Table): Predicate[] {
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

/** Says whose rows of the tables are read: two identities of which it says the same see the same. */
export function rowsKey(dataset: Dataset, identity: Reader | undefined, tables: Table[]): string {
  const predicates = tables.map((table) => predicatesFor(dataset, identity, table))
  const uses = (name: string) => predicates.flat().some(({ parameters }) => parameters.includes(name))
  return JSON.stringify([
    predicates.map((some) => some.map(({ sql }) => sql)),
    uses('username') && identity?.username,
    uses('customdata') && (identity?.customData ?? null),
  ])
}

/**
 * The rows of a table that any of the predicates allows and all of the conditions meet. Tables that the predicates'
 * subqueries read get their names inside this SELECT only, so that a hidden one stays out of the visual's reach. `source` may
 * be a summary that has all the columns asked for.
 */
export function restrictedSelect(
  table: Table,
  predicates: Predicate[],
  conditions: string[] = [],
  source = table.source,
): string {
  const helpers = new Set(predicates.flatMap(({ reads }) => reads))
  const ctes = [...helpers].map(
    ({ name, source }) => `${quote(name)} AS NOT MATERIALIZED (SELECT * FROM ${source})`,
  )
  const allowed = predicates.map(({ sql }) => `(${sql}\n)`).join(' OR ')
  const where = [...(allowed ? [`(${allowed})`] : []), ...conditions].join(' AND ')
  const prefix = ctes.length ? `WITH ${ctes.join(', ')} ` : ''
  return `${prefix}SELECT * FROM ${source} AS ${quote(table.name)}${where ? ` WHERE ${where}` : ''}`
}

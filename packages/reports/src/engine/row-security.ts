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

/**
 * The rows of a table that any of the predicates allows and all of the conditions meet. Tables that the predicates'
 * subqueries read get their names inside this SELECT only, so that a hidden one stays out of the visual's reach.
 */
export function restrictedSelect(table: Table, predicates: Predicate[], conditions: string[] = []): string {
  const helpers = new Set(predicates.flatMap(({ reads }) => reads))
  const ctes = [...helpers].map(
    ({ name, source }) => `${quote(name)} AS NOT MATERIALIZED (SELECT * FROM ${source})`,
  )
  const allowed = predicates.map(({ sql }) => `(${sql}\n)`).join(' OR ')
  const where = [...(allowed ? [`(${allowed})`] : []), ...conditions].join(' AND ')
  const prefix = ctes.length ? `WITH ${ctes.join(', ')} ` : ''
  return `${prefix}SELECT * FROM ${table.source} AS ${quote(table.name)}${where ? ` WHERE ${where}` : ''}`
}

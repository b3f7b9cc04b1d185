import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, EmptyReason } from '../../wire/embed-contract.ts'
import type { Dataset, Table, Visual } from '../data/catalog.ts'
import { isTopN, type ResolvedFilter, tableOf } from './filters.ts'
import { hasRows, hasRowsBelow, type RunStatement } from './query.ts'
import { predicatesFor, type Reader } from './row-security.ts'

/** Greatest number of statements of one request; each ends at its first row. */
const MAX_STATEMENTS = 30
/** Greatest number of filters on a table that are tried one by one. */
const MAX_TRIED = 8

/**
 * Returns why each of these visuals has no rows. It asks only for rows that the identity may see,
 * so a reason tells nothing of rows that a rule hides. Visuals of one table share statements.
 */
export const findEmptyReasons = async (
  run: RunStatement,
  dataset: Dataset,
  visuals: Visual[],
  identity: Reader | undefined,
  { filters, drill }: { filters: ResolvedFilter[]; drill: Record<string, Cell[]> },
): Promise<Record<string, EmptyReason>> => {
  const known = new Map<string, Promise<boolean>>()
  let statementsLeft = MAX_STATEMENTS
  /** Returns whether the table has rows that pass these filters. */
  const leavesRows = (table: Table, tried: ResolvedFilter[]): Promise<boolean> => {
    const key = JSON.stringify([table.name, tried.map((filter) => filters.indexOf(filter))])
    const answer = known.get(key)
    if (answer) return answer
    // Too many statements: with `true`, no reason is named.
    if (statementsLeft === 0) return Promise.resolve(true)
    statementsLeft -= 1
    const asked = hasRows(run, dataset, table, identity, tried)
    known.set(key, asked)
    return asked
  }

  const reasonOf = async (table: Table): Promise<EmptyReason | undefined> => {
    if (!(await leavesRows(table, []))) return ruleOf(dataset, table, identity) ?? { kind: 'data' }
    const onTable = filters.filter((filter) => tableOf(dataset, filter) === table)
    if (onTable.length === 0 || (await leavesRows(table, onTable))) return undefined
    for (const filter of onTable.filter((one) => !isTopN(one)).slice(0, MAX_TRIED)) {
      if (!(await leavesRows(table, [filter]))) return { kind: 'filters', filters: [filters.indexOf(filter)] }
    }
    return { kind: 'filters', filters: onTable.map((filter) => filters.indexOf(filter)) }
  }

  /** Returns the reason if a value of the visual's drill path is not in the rows. */
  const goneFrom = async (visual: Visual): Promise<EmptyReason | undefined> => {
    const path = ownValue(drill, visual.definition.name) ?? []
    for (const level of path.keys()) {
      if (statementsLeft === 0) return undefined
      statementsLeft -= 1
      if (!(await hasRowsBelow(run, dataset, visual, identity, path.slice(0, level + 1))))
        return { kind: 'drill', level }
    }
    return undefined
  }

  const reasons: [name: string, reason: EmptyReason][] = []
  for (const visual of visuals) {
    const { definition, queries } = visual
    const gone = await goneFrom(visual)
    for (const table of new Set(queries.flatMap(({ reads }) => reads))) {
      const found = await reasonOf(table)
      // A table without rows explains more than a value that is not in it.
      const reason = gone && (!found || found.kind === 'filters') ? gone : found
      if (!reason) continue
      reasons.push([definition.name, reason])
      break
    }
  }
  return Object.fromEntries(reasons)
}

/** Returns the reader's roles as the reason; undefined when they do not restrict the table. */
const ruleOf = (dataset: Dataset, table: Table, identity: Reader | undefined): EmptyReason | undefined => {
  const predicates = predicatesFor(dataset, identity, table)
  if (!identity || predicates.length === 0) return undefined
  const { roles, username, customData = null } = identity
  const usesCustomData = predicates.some(({ parameters }) => parameters.includes('customdata'))
  return {
    kind: 'rule',
    lacksCustomData: usesCustomData && customData === null,
    ...(identity.explainsRules && { rules: { roles, username, customData } }),
  }
}

import type { Target } from '../../definitions/definition.ts'
import type { VisualFilter } from '../../definitions/wire-filters.ts'
import type { Report } from '../data/catalog.ts'
import { FilterError, targetsOf } from './filters.ts'

/*
 * A reader may filter by any visible column, and list its values, as in Power BI. The column that a
 * table declares as the plan id of its beneficiaries is the exception: with it, a reader would find
 * the people behind a number, without purpose and access log (ADR 0065).
 */

/** Whether readers may filter by the column: ids of beneficiaries only if the report itself does. */
export const isForReaders = ({ definition, dataset }: Report, { table, column }: Target): boolean => {
  const tables = Object.entries(dataset.definition.tables)
  const declared = tables.find(([name]) => isSame(name, table))?.[1].beneficiary
  if (declared === undefined || !isSame(declared, column)) return true
  return targetsIn(definition).some((named) => isSame(named.table, table) && isSame(named.column, column))
}

/** @throws FilterError, the same as for a column that does not exist */
export const assertForReaders = (report: Report, columns: Target[]): void => {
  const refused = columns.find((column) => !isForReaders(report, column))
  if (refused) throw new FilterError(`a coluna ${refused.table}.${refused.column} não existe`)
}

/** Returns the columns that a filter names, with those of a top N's order. */
export const columnsOf = (filter: VisualFilter): Target[] =>
  'orderBy' in filter ? [...targetsOf(filter), filter.orderBy] : targetsOf(filter)

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Every `target` of a definition: of slicers, filters, panels, selections and tooltips. */
const targetsIn = (node: unknown): Target[] => {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const within = targetsIn(value)
    return key === 'target' && isTarget(value) ? [value, ...within] : within
  })
}

const isTarget = (value: unknown): value is Target =>
  typeof value === 'object' && value !== null && 'table' in value && 'column' in value

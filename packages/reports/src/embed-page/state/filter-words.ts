import { filterValueText } from '@bi-manager/contract/filter-text'
import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, ColumnKind, EmbeddedReport, Target } from '../../wire/embed-contract.ts'

export type Described = Pick<
  EmbeddedReport,
  'values' | 'filterPane' | 'panelFilters' | 'pages' | 'columns' | 'columnKinds'
>

/** Returns a function that writes a value of a column as the report shows it in filters. */
export const valueWords =
  (report: Pick<Described, 'values' | 'columns' | 'columnKinds'>) =>
  (target: Target | undefined, kind = target && kindOfColumn(report, target)) =>
  (value: Cell): string =>
    (typeof value === 'string' ? ownValue(report.values ?? {}, value)?.label : undefined) ??
    filterValueText(value, kind)

/** Returns the kind of a column of the model; undefined for one that filters may not name. */
export const kindOfColumn = (
  { columns, columnKinds }: Pick<Described, 'columns' | 'columnKinds'>,
  target: Target,
): ColumnKind | undefined => {
  const { table = '', index = -1 } = findColumn(columns, target) ?? {}
  return ownValue(columnKinds, table)?.[index]
}

/** Finds a column of the model, whose names ignore case; undefined for one that filters may not name. */
export const findColumn = (
  columns: Described['columns'],
  target: Target,
): { table: string; index: number } | undefined => {
  for (const [table, names] of Object.entries(columns)) {
    const index = names.findIndex((column) => isSame({ table, column }, target))
    if (index >= 0) return { table, index }
  }
  return undefined
}

/** Returns the name that the report shows for a column: in its panels, or at a slicer. */
export const labelOf = (target: Target, { filterPane, panelFilters = [], pages }: Described): string => {
  const slicers = pages.flatMap(({ visuals }) =>
    visuals.flatMap(({ slicer, title }) => (slicer ? [{ target: slicer.target, label: title }] : [])),
  )
  const named = [...panelFilters, ...filterPane, ...slicers].find((one) => isSame(one.target, target))
  return named?.label ?? target.column
}

const isSame = (a: Target, b: Target): boolean =>
  a.table.toLowerCase() === b.table.toLowerCase() && a.column.toLowerCase() === b.column.toLowerCase()

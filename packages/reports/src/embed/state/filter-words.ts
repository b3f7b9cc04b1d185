import { filterValueText } from '@bi-manager/contract/filter-text'
import { ownValue } from '@bi-manager/contract/own-value'
import type { Cell, EmbeddedReport, Target } from '../../contract/embed-contract.ts'

export type Described = Pick<EmbeddedReport, 'values' | 'filterPane' | 'panelFilters' | 'pages'>

/** Returns a function that writes a value as the report shows it in filters. */
export const valueWords =
  ({ values = {} }: Described) =>
  (value: Cell): string =>
    (typeof value === 'string' ? ownValue(values, value)?.label : undefined) ?? filterValueText(value)

/** Returns the name that the report shows for a column: in its panels, or at a slicer. */
export function labelOf(target: Target, { filterPane, panelFilters = [], pages }: Described): string {
  const slicers = pages.flatMap(({ visuals }) =>
    visuals.flatMap(({ slicer, title }) => (slicer ? [{ target: slicer.target, label: title }] : [])),
  )
  const named = [...panelFilters, ...filterPane, ...slicers].find((one) => isSame(one.target, target))
  return named?.label ?? target.column
}

const isSame = (a: Target, b: Target): boolean =>
  a.table.toLowerCase() === b.table.toLowerCase() && a.column.toLowerCase() === b.column.toLowerCase()

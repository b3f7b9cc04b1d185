import { filterTypes } from '../../definitions/filter-operators.ts'
import { visualTypes } from '../../definitions/visual-types.ts'
import type { Cell, EmbeddedVisual, Filter, VisualData } from '../../wire/embed-contract.ts'
import { namedCell } from '../view/style/cell-key.ts'
import { formatOf, isNumberKind } from '../view/style/column-format.ts'
import { formatCell } from '../view/style/format.ts'
import { atLevel, opensNext } from './drill-level.ts'
import { activePage, filtersOnVisual, type PageSelection, type ReportState } from './report-state.ts'

/**
 * What a pick does: drills down a hierarchy, or selects (undefined clears the selection). `body` is
 * for Power BI's `dataSelected` event, `points` for its `visualClicked`.
 */
type CrossFilter =
  | { opens: Cell[] }
  | { selects: PageSelection | undefined; body: ReturnType<typeof describeSelection>; points: DataPoint[] }

/** Reads the pick of one row of a visual; undefined when the pick has no effect. */
export const readPick = (
  state: ReportState,
  visual: EmbeddedVisual,
  data: VisualData,
  index: number,
): CrossFilter | undefined => {
  const path = pathOf(state, visual)
  if (opensNext(visual, path)) return { opens: [...path, namedCell(data.rows[index]?.[0])] }
  const { select } = atLevel(visual, path)
  if (!select) return undefined
  const value = namedCell(data.rows[index]?.[data.columns.indexOf(select.column)])
  const { selection } = state
  const points = [dataPoint(visual, select.target, value, data, index)]
  if (selection?.visual === visual.name && selection.value === value)
    return { selects: undefined, body: describeSelection(state, visual, []), points }
  const filters = [
    // A value of the last level may occur below several values of the levels above.
    ...path.flatMap((opened, level) => {
      const target = visual.drill?.levels[level]?.target
      return target ? [oneOf(target, opened)] : []
    }),
    oneOf(select.target, value),
  ]
  return {
    selects: { visual: visual.name, filters, value },
    body: describeSelection(state, visual, points),
    points,
  }
}

export const pathOf = (state: ReportState, { name }: EmbeddedVisual): readonly Cell[] =>
  state.drill[`${state.activePage}/${name}`] ?? WIDEST

const WIDEST: readonly Cell[] = []

/** Returns the body of Power BI's `dataSelected` event; no data points mean a cleared selection. */
export const describeSelection = (state: ReportState, visual: EmbeddedVisual, dataPoints: DataPoint[]) => {
  const filters = filtersOnVisual(state, state.activePage, visual.name)
  return { ...describePlace(state, visual), filters, dataPoints, regions: [] }
}

/** Returns the report, the page and the visual of an event. */
export const describePlace = (state: ReportState, { name, title, type }: EmbeddedVisual) => {
  const { id, name: displayName } = state.report
  const page = activePage(state)
  return {
    report: { id, displayName },
    page: { name: page.name, displayName: page.displayName },
    visual: { name, title, type: visualTypes[type].powerBi },
  }
}

export type DataPoint = ReturnType<typeof dataPoint>

const dataPoint = (
  visual: EmbeddedVisual,
  target: Filter['target'],
  equals: Cell,
  data: VisualData,
  index: number,
) => {
  const values = data.columns.flatMap((column, columnIndex) => {
    const value = data.rows[index]?.[columnIndex]
    if (value == null || !isNumberKind(data.kinds[columnIndex])) return []
    const formattedValue = formatCell(value, formatOf(visual, data, column))
    return [{ target: { table: visual.name, column }, value, formattedValue }]
  })
  return { identity: [{ target, equals }], values }
}

/** Blank cannot be a value of an In list. */
const oneOf = (target: Filter['target'], value: Cell): Filter =>
  value === null
    ? {
        target,
        filterType: filterTypes.advanced,
        logicalOperator: 'And',
        conditions: [{ operator: 'IsBlank' }],
      }
    : { target, filterType: filterTypes.basic, operator: 'In', values: [value] }

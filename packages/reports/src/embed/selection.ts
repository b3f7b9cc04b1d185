import type { EmbeddedReport, EmbeddedVisual, VisualData } from '../embed-contract.ts'
import { activePage, filtersOnVisual, type ReportState } from './report-state.ts'
import { formatCell, isNumeric } from './view/format.ts'

/** What is selected in which visual, so that a second click on it takes the selection back. */
export interface Selection {
  /** As it was loaded: a report that is loaded again has nothing selected. */
  report: EmbeddedReport
  /** Two pages may have visuals of one name. */
  page: string
  visual: string
  value: unknown
}

/** The body of Power BI's `dataSelected` event; no data points say that the selection was taken back. */
export function describeSelection(
  state: ReportState,
  visual: EmbeddedVisual,
  { columns, rows }: VisualData,
  index: number,
  before: Selection | undefined,
) {
  const page = activePage(state)
  const row = rows[index] ?? []
  const equals = row[columns.indexOf(visual.select?.column ?? '')] ?? null
  const again =
    before?.report === state.report &&
    before.page === page.name &&
    before.visual === visual.name &&
    before.value === equals
  const values = columns.flatMap((column, place) => {
    const value = row[place]
    if (!isNumeric(value)) return []
    const target = { table: visual.name, column }
    return [{ target, value, formattedValue: formatCell(value, visual.format[column]) }]
  })
  return {
    selection: again
      ? undefined
      : { report: state.report, page: page.name, visual: visual.name, value: equals },
    body: {
      report: { id: state.report.id, displayName: state.report.name },
      page: { name: page.name, displayName: page.displayName },
      visual: { name: visual.name, title: visual.title, type: visual.type },
      filters: filtersOnVisual(state, page.name, visual.name),
      dataPoints:
        again || !visual.select ? [] : [{ identity: [{ target: visual.select.target, equals }], values }],
      regions: [],
    },
  }
}

import type { ChartType } from '../../../definitions/visual-types.ts'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { opensNext } from '../../state/drill-level.ts'
import type { PageLayout } from '../layout/page-layout.ts'
import { namedCell } from '../style/cell-key.ts'
import { el } from '../style/dom.ts'
import type { ValueFormats } from '../style/value-formats.ts'
import { createReadableTable } from '../tables/readable-table.ts'
import type { ChartVisual } from './chart-series.ts'
import { type DrawableChart, drawableChart } from './drawable-chart.ts'
import type { Charts } from './load-charts.ts'

/** The selected value of a visual (undefined: none), and the drill path of its hierarchy. */
export interface VisualMarks {
  selection: Cell | undefined
  path: readonly Cell[]
}

/** The part of the page's layout that a chart needs. */
export type ChartRoom = Pick<PageLayout, 'text' | 'printed' | 'theme'>

/**
 * Creates a chart that is focusable and navigable by arrow keys, with a table of its rows for
 * screen readers. The ECharts instance stays when data changes, so that the change animates.
 */
export const createChartBody = (
  charts: Charts,
  valueFormats: ValueFormats,
  actions: { picked(data: VisualData, row: number): void; cleared(): void; undo(): boolean },
) => {
  // Screen readers pass arrow keys on only to the role application, not to an image.
  const host = el('div', { class: 'chart', role: 'application', tabindex: 0 })
  const table = el('div')
  let drawn: (DrawableChart & { pickable: boolean }) | undefined
  let chart: ReturnType<Charts['mountChart']> | undefined

  return {
    elements: [host, table],
    host,
    /** Sets new rows and updates the texts for screen readers. `visual` is at its drill level. */
    take(visual: ChartVisual, data: VisualData, { path }: VisualMarks) {
      const pickable = visual.select !== undefined || opensNext(visual, path)
      drawn = { ...drawableChart(visual, data), pickable }
      host.setAttribute('aria-label', chartSummary(drawn.visual, data, drawn))
      table.replaceChildren(createReadableTable(visual, data, valueFormats))
    },
    /** Draws the current rows in the current size. `fresh`: they were not drawn before. */
    draw(marks: VisualMarks, { text, printed, theme }: ChartRoom, fresh: boolean) {
      if (!drawn) return
      chart ??= charts.mountChart(host, valueFormats, {
        picked: (row) => drawn && actions.picked(drawn.data, row),
        cleared: actions.cleared,
        undo: actions.undo,
      })
      const selectedRows = pickedRows(drawn.visual, drawn.data, marks)
      chart.draw({ ...drawn, text, printed, theme, selectedRows }, fresh)
    },
    /** The sentences below the chart. */
    notes: (): readonly string[] => drawn?.notes ?? [],
    /** Draws the chart as it is, on a canvas of its own. */
    toCanvas: (pixelRatio: number) => chart?.toCanvas(pixelRatio),
    dispose() {
      chart?.dispose()
    },
  }
}

/** Returns all rows with the selected value; undefined when none is shown. */
export const pickedRows = (
  { select }: EmbeddedVisual,
  { columns, rows }: VisualData,
  { selection }: VisualMarks,
): ReadonlySet<number> | undefined => {
  if (selection === undefined || !select) return undefined
  const columnIndex = columns.indexOf(select.column)
  const picked = [...rows.keys()].filter((index) => namedCell(rows[index]?.[columnIndex]) === selection)
  return picked.length ? new Set(picked) : undefined
}

const chartSummary = (
  visual: ChartVisual,
  { rows }: VisualData,
  { pickable, notes }: { pickable: boolean; notes: readonly string[] },
): string => {
  const count = rows.length === 1 ? '1 ponto' : `${rows.length} pontos`
  const keys = pickable
    ? 'Setas percorrem os pontos, Enter escolhe, Esc desfaz.'
    : 'Setas percorrem os pontos.'
  const parts = [`${chartNames[visual.type]}: ${visual.title}.`, ...notes]
  return [...parts, `${count}; os dados seguem em uma tabela.`, keys].join(' ')
}

/** How screen readers announce each type. */
export const chartNames: Record<ChartType, string> = {
  line: 'Gráfico de linhas',
  area: 'Gráfico de áreas',
  bar: 'Gráfico de barras',
  column: 'Gráfico de colunas',
  stackedBar: 'Gráfico de barras empilhadas',
  stackedColumn: 'Gráfico de colunas empilhadas',
  donut: 'Gráfico de rosca',
  scatter: 'Gráfico de dispersão',
  heatmap: 'Mapa de calor',
}

import type { ChartType } from '../../../definitions/visual-types.ts'
import type { VisualData } from '../../../wire/embed-contract.ts'
import { el } from '../style/dom.ts'
import type { ChartVisual } from './chart-series.ts'
import { loadCharts } from './load-charts.ts'

const months = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']

const data: VisualData = {
  columns: ['mes', 'a', 'b'],
  kinds: ['text', 'integer', 'integer'],
  rows: months.map((month, index) => [month, index, 12 - index]),
  truncated: false,
}

const visualOf = (type: ChartType): ChartVisual => ({
  name: type,
  type,
  title: '',
  layout: { x: 0, y: 0, width: 320, height: 240 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
  columns: [],
})

/**
 * Draws charts out of sight, so that the browser compiles their code: compiling at first use takes
 * as long as the first report's drawing.
 */
export const rehearseChart = async (): Promise<void> => {
  const { mountChart } = await loadCharts()
  for (const type of ['column', 'line', 'donut', 'stackedBar'] as const) {
    const chart = mountChart(el('div', {}), {}, { picked: () => {}, cleared: () => {}, undo: () => false })
    chart.draw(
      {
        visual: visualOf(type),
        data,

        text: 1,
        printed: false,
        pickable: true,
        selectedRows: undefined,
      },
      true,
    )
    chart.dispose()
  }
}

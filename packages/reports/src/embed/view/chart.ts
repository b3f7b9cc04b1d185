import { BarChart, LineChart, PieChart } from 'echarts/charts'
import {
  AriaComponent,
  DatasetComponent,
  GridComponent,
  LegendScrollComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components'
import { init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import type { EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { chartOption } from './chart-option.ts'
import type { Size } from './page-layout.ts'
import { prefersStillness } from './theme.ts'

// Canvas, since the SVG renderer writes style attributes, which the Content-Security-Policy forbids.
use([
  BarChart,
  LineChart,
  PieChart,
  AriaComponent,
  DatasetComponent,
  GridComponent,
  LegendScrollComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  LabelLayout,
  CanvasRenderer,
])

/** Draws into `host` now, and says which row was clicked. */
export function mountChart(host: HTMLElement, visual: EmbeddedVisual, clicked: (row: number) => void) {
  const chart = init(host, undefined, { renderer: 'canvas' })
  chart.on('click', ({ dataIndex }) => {
    if (typeof dataIndex === 'number') clicked(dataIndex)
  })

  let before = ''

  return {
    draw(data: VisualData, size: Size, text: number, fresh: boolean) {
      const looks = `${size.width} ${size.height} ${text}`
      if (!fresh && looks === before) return
      before = looks
      chart.resize(size)
      // A resize in the middle of an animation would leave the shapes half way.
      if (!fresh) chart.clear()
      const animated = fresh && !prefersStillness()
      chart.setOption(chartOption(visual, data, { ...size, text, animated }), { notMerge: true })
      // Frames may be held back (off-screen iframe, printing): what is due is drawn now.
      chart.getZr().flush()
    },
    dispose: () => chart.dispose(),
  }
}

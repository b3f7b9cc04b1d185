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
import { currentTheme, prefersStillness } from './theme.ts'
import type { ValueLooks } from './value-looks.ts'

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
export function mountChart(
  host: HTMLElement,
  visual: EmbeddedVisual,
  looks: ValueLooks,
  clicked: (row: number) => void,
) {
  const chart = init(host, undefined, { renderer: 'canvas' })
  chart.on('click', ({ dataIndex }) => {
    if (typeof dataIndex === 'number') clicked(dataIndex)
  })

  let before = ''

  return {
    draw(data: VisualData, size: Size, text: number, printed: boolean, fresh: boolean) {
      const theme = currentTheme(printed)
      const frame = `${size.width} ${size.height} ${text} ${theme.name}`
      if (!fresh && frame === before) return
      before = frame
      chart.resize(size)
      // A resize in the middle of an animation would leave the shapes half way.
      if (!fresh) chart.clear()
      const animated = fresh && !prefersStillness()
      chart.setOption(chartOption(visual, data, { ...size, text, animated, theme, looks }), {
        notMerge: true,
      })
      // Frames may be held back (off-screen iframe, printing): what is due is drawn now.
      chart.getZr().flush()
    },
    dispose: () => chart.dispose(),
  }
}

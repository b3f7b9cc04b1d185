import type { EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { heatColumns } from './chart-heatmap.ts'
import { rangeOf } from './conditional-looks.ts'
import { el } from './dom.ts'
import { formatAxis } from './format.ts'
import type { Theme } from './theme.ts'

/** Creates the colour scale of a heat map, between its minimum and maximum. */
export function createHeatLegend(visual: EmbeddedVisual, data: VisualData, { scale }: Theme): HTMLElement {
  const { value } = heatColumns(visual, data)
  const [least, greatest] = rangeOf(data, value) ?? [0, 0]
  const strip = el('span', { class: 'heat-strip', 'aria-hidden': 'true' })
  strip.style.backgroundImage = `linear-gradient(90deg, ${scale.join(', ')})`
  return el(
    'div',
    { class: 'heat-legend' },
    el('span', { class: 'heat-name' }, visual.labels[value]),
    el('span', {}, formatAxis(least, visual.format[value])),
    strip,
    el('span', {}, formatAxis(greatest, visual.format[value])),
  )
}

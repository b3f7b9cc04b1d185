import { ownValue } from '@bi-manager/contract/own-value'
import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf } from '../style/column-format.ts'
import { rangeOf } from '../style/conditional-formats.ts'
import { el } from '../style/dom.ts'
import { formatAxis } from '../style/format.ts'
import type { Theme } from '../style/theme.ts'
import { heatColumns } from './chart-heatmap.ts'

/** Creates the colour scale of a heat map, between its minimum and maximum. */
export function createHeatLegend(visual: EmbeddedVisual, data: VisualData, { scale }: Theme): HTMLElement {
  const { value } = heatColumns(visual, data)
  const [least, greatest] = rangeOf(data, value) ?? [0, 0]
  const strip = el('span', { class: 'heat-strip', 'aria-hidden': 'true' })
  strip.style.backgroundImage = `linear-gradient(90deg, ${scale.join(', ')})`
  return el(
    'div',
    { class: 'heat-legend' },
    el('span', { class: 'heat-name' }, ownValue(visual.labels, value)),
    el('span', {}, formatAxis(least, formatOf(visual, data, value))),
    strip,
    el('span', {}, formatAxis(greatest, formatOf(visual, data, value))),
  )
}

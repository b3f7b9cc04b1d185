import type { EmbeddedVisual } from '../../../contract/embed-contract.ts'
import { el } from '../style/dom.ts'

/** Creates a grey placeholder of the visual; its shapes are in the style sheet. */
export function createSkeleton(type: EmbeddedVisual['type']): HTMLElement {
  const pieces = Array.from({ length: pieceCount[type] ?? 0 }, () => el('i'))
  return el('div', { class: `skeleton skeleton-${shapes[type] ?? type}`, 'aria-hidden': 'true' }, ...pieces)
}

/** Types that share a placeholder with another type. */
const shapes: Partial<Record<EmbeddedVisual['type'], string>> = {
  area: 'line',
  stackedBar: 'bar',
  stackedColumn: 'column',
}

const pieceCount: Partial<Record<EmbeddedVisual['type'], number>> = {
  card: 2,
  line: 1,
  area: 1,
  bar: 6,
  stackedBar: 6,
  column: 8,
  stackedColumn: 8,
  donut: 4,
  scatter: 8,
  heatmap: 21,
  table: 7,
  matrix: 7,
  slicer: 4,
}

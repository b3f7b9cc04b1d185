import type { QueryType } from '../../../definitions/visual-types.ts'
import { el } from '../style/dom.ts'

/** Creates a grey placeholder of a visual. */
export const createSkeleton = (type: QueryType): HTMLElement => {
  const { shape, pieces } = skeletons[type]
  const elements = Array.from({ length: pieces }, () => el('i'))
  return el('div', { class: `skeleton skeleton-${shape}`, 'aria-hidden': 'true' }, ...elements)
}

/** A shape is a class of the style sheet, with this number of grey pieces. */
export const skeletons: Record<QueryType, { shape: string; pieces: number }> = {
  card: { shape: 'card', pieces: 2 },
  line: { shape: 'line', pieces: 1 },
  area: { shape: 'line', pieces: 1 },
  bar: { shape: 'bar', pieces: 6 },
  column: { shape: 'column', pieces: 8 },
  stackedBar: { shape: 'bar', pieces: 6 },
  stackedColumn: { shape: 'column', pieces: 8 },
  donut: { shape: 'donut', pieces: 4 },
  scatter: { shape: 'scatter', pieces: 8 },
  heatmap: { shape: 'heatmap', pieces: 21 },
  table: { shape: 'table', pieces: 7 },
  matrix: { shape: 'matrix', pieces: 7 },
}

import type { EmbeddedVisual } from '../../embed-contract.ts'
import { el } from './dom.ts'

/** A grey drawing of what will come; shapes are in the style sheet. */
export function createSkeleton(type: EmbeddedVisual['type']): HTMLElement {
  const pieces = Array.from({ length: pieceCount[type] }, () => el('i'))
  return el('div', { class: `skeleton skeleton-${type}`, 'aria-hidden': 'true' }, ...pieces)
}

const pieceCount = { card: 2, line: 1, bar: 6, column: 8, donut: 4, table: 7 }

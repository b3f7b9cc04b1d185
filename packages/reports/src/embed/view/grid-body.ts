import type { EmbeddedVisual } from '../../embed-contract.ts'
import { createDataTable } from './data-table.ts'
import type { LazyParts } from './lazy-parts.ts'
import type { ValueLooks } from './value-looks.ts'

export type GridBody = ReturnType<typeof createGridBody>

/** Rows in cells: a table, a matrix, or what another visual draws, as a table in its place. */
export function createGridBody(
  visual: EmbeddedVisual,
  looks: ValueLooks,
  { matrices }: Pick<LazyParts, 'matrices'>,
  picked: ((row: number) => void) | undefined,
) {
  if (visual.type === 'matrix' && matrices) {
    const matrix = matrices.createMatrix(visual, looks)
    return { ...matrix, visual, rows: () => undefined }
  }
  return { ...createDataTable(latestFirst(visual), looks, { picked }), visual }
}

/** A card shows its last row: so does its table, above the others. */
function latestFirst(visual: EmbeddedVisual): EmbeddedVisual {
  const { type, option } = visual
  return type === 'card' && typeof option.detail === 'string'
    ? { ...visual, sort: { column: option.detail, descending: true } }
    : visual
}

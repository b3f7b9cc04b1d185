import type { EmbeddedVisual } from '../../embed-contract.ts'
import { createDataTable } from './data-table.ts'
import { createMatrix } from './matrix.ts'
import type { ValueLooks } from './value-looks.ts'

export type GridBody = ReturnType<typeof createGridBody>

/** Rows in cells: a table, a matrix, or what another visual draws, as a table in its place. */
export function createGridBody(
  visual: EmbeddedVisual,
  looks: ValueLooks,
  picked: ((row: number) => void) | undefined,
) {
  if (visual.type === 'matrix') return { ...createMatrix(visual, looks), visual, rows: () => undefined }
  return { ...createDataTable(latestFirst(visual), looks, { picked }), visual }
}

/** A card shows its last row: so does its table, above the others. */
function latestFirst(visual: EmbeddedVisual): EmbeddedVisual {
  const { type, option } = visual
  return type === 'card' && typeof option.detail === 'string'
    ? { ...visual, sort: { column: option.detail, descending: true } }
    : visual
}

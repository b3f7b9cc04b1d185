import type { EmbeddedVisual } from '../../embed-contract.ts'
import { createDataTable } from './data-table.ts'
import { inFull } from './format.ts'
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
  const shown = visual.type === 'table' ? visual : latestFirst(writtenInFull(visual))
  return { ...createDataTable(shown, looks, { picked }), visual }
}

/** There is room for what a drawing shortens. */
const writtenInFull = (visual: EmbeddedVisual): EmbeddedVisual => ({
  ...visual,
  format: Object.fromEntries(
    Object.entries(visual.format).flatMap(([column, format]) => {
      const full = inFull(format)
      return full ? [[column, full]] : []
    }),
  ),
})

/** A card shows its last row: so does its table, above the others. */
function latestFirst(visual: EmbeddedVisual): EmbeddedVisual {
  const { type, option } = visual
  return type === 'card' && typeof option.detail === 'string'
    ? { ...visual, sort: { column: option.detail, descending: true } }
    : visual
}

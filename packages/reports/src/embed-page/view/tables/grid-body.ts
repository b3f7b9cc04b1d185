import { visualTypes } from '../../../definitions/visual-types.ts'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { inFull } from '../style/format.ts'
import type { ValueFormats } from '../style/value-formats.ts'
import { createDataTable } from './data-table.ts'
import { createMatrix } from './matrix.ts'

export type GridBody = ReturnType<typeof createGridBody>

/** Creates a table or a matrix, or the table view of another visual. */
export const createGridBody = (
  visual: EmbeddedVisual,
  valueFormats: ValueFormats,
  picked: ((row: number) => void) | undefined,
) => {
  const { body } = visualTypes[visual.type]
  if (body === 'matrix') return { ...createMatrix(visual, valueFormats), visual, rows: () => undefined }
  const shown = body === 'table' ? visual : latestFirst(writtenInFull(visual))
  return { ...createDataTable(shown, valueFormats, { picked }), visual }
}

/** A table has room for numbers that other visuals shorten. */
const writtenInFull = (visual: EmbeddedVisual): EmbeddedVisual => ({
  ...visual,
  format: Object.fromEntries(
    Object.entries(visual.format).flatMap(([column, format]) => {
      const full = inFull(format)
      return full ? [[column, full]] : []
    }),
  ),
})

/** The table of a card starts with its last row, the one that the card shows. */
const latestFirst = (visual: EmbeddedVisual): EmbeddedVisual => {
  const { type, option } = visual
  return type === 'card' && typeof option.detail === 'string'
    ? { ...visual, sort: { column: option.detail, descending: true } }
    : visual
}

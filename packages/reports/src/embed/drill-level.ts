import type { Cell, EmbeddedVisual } from '../embed-contract.ts'
import { LEVEL_COLUMN } from '../wire-names.ts'

/** Whether a pick opens the next level; on the last one it selects. */
export const opensNext = ({ drill }: EmbeddedVisual, path: readonly Cell[]) =>
  drill !== undefined && path.length < drill.levels.length - 1

/** The visual as it stands at a level: the level's name is that of its axis, and only the last one selects. */
export function atLevel(visual: EmbeddedVisual, path: readonly Cell[]): EmbeddedVisual {
  const level = visual.drill?.levels[path.length]
  if (!level) return visual
  const select = level.target ? { target: level.target, column: LEVEL_COLUMN } : visual.select
  return {
    ...visual,
    labels: { ...visual.labels, [LEVEL_COLUMN]: level.label },
    select: opensNext(visual, path) ? undefined : select,
  }
}

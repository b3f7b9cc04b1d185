import type { Cell, EmbeddedVisual } from '../../wire/embed-contract.ts'
import { LEVEL_COLUMN } from '../../wire/wire-names.ts'

/** Returns whether a click drills down to the next level; on the last level it selects. */
export const opensNext = ({ drill }: EmbeddedVisual, path: readonly Cell[]) =>
  drill !== undefined && path.length < drill.levels.length - 1

/** Returns the visual at one level, with the level's label; only the last level selects. */
export const atLevel = <Visual extends EmbeddedVisual>(visual: Visual, path: readonly Cell[]): Visual => {
  const level = visual.drill?.levels[path.length]
  if (!level) return visual
  const select = level.target ? { target: level.target, column: LEVEL_COLUMN } : visual.select
  return {
    ...visual,
    labels: { ...visual.labels, [LEVEL_COLUMN]: level.label },
    select: opensNext(visual, path) ? undefined : select,
  }
}

import type { EmbeddedVisual, Filter } from '../../../contract/embed-contract.ts'
import type { ValueFormats } from '../style/value-looks.ts'
import { createButton } from './button-visual.ts'
import type { LoadValues } from './filter-group.ts'
import { createSlicer } from './slicer.ts'
import { createText } from './text-visual.ts'

export interface ControlActions {
  loadValues: LoadValues
  /** Sets the filters of a slicer of the active page. */
  slice(visual: EmbeddedVisual, filters: Filter[]): void
  press(visual: EmbeddedVisual): void
}

/** Creates a visual without rows: drawn at once from its definition, and updated with the state. */
export function createControl(visual: EmbeddedVisual, looks: ValueFormats, actions: ControlActions) {
  if (visual.type === 'text') return still(createText(visual))
  if (visual.type === 'button') return still(createButton(visual, () => actions.press(visual)))

  return createSlicer(visual, looks, actions.loadValues, (chosen) => actions.slice(visual, chosen))
}

const still = (element: HTMLElement) => ({
  element,
  update: (_filters: readonly Filter[]) => {},
  refresh: () => {},
})

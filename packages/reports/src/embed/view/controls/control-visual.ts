import type { EmbeddedVisual, Filter } from '../../../contract/embed-contract.ts'
import type { ControlType } from '../../../engine/definitions/visual-types.ts'
import type { ValueFormats } from '../style/value-formats.ts'
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

/** A visual without rows: drawn at once from its definition, and updated with the state. */
interface Control {
  element: HTMLElement
  /** Shows the filters of the slicer. */
  update(filters: readonly Filter[]): void
  /** Fetches the slicer's values again. */
  refresh(): void
}

export const controls: Record<
  ControlType,
  (visual: EmbeddedVisual, valueFormats: ValueFormats, actions: ControlActions) => Control
> = {
  slicer: (visual, valueFormats, actions) =>
    createSlicer(visual, valueFormats, actions.loadValues, (chosen) => actions.slice(visual, chosen)),
  text: (visual) => still(createText(visual)),
  button: (visual, _looks, actions) => still(createButton(visual, () => actions.press(visual))),
}

const still = (element: HTMLElement): Control => ({ element, update() {}, refresh() {} })

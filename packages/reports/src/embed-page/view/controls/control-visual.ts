import type { ControlType } from '../../../definitions/visual-types.ts'
import type { EmbeddedVisual, Filter } from '../../../wire/embed-contract.ts'
import { buttonWith, el } from '../style/dom.ts'
import type { ValueFormats } from '../style/value-formats.ts'
import { createSlicer } from './slicer.ts'
import type { LoadValues } from './value-picker.ts'

export interface ControlActions {
  loadValues: LoadValues
  /** Sets the filters of a slicer of the active page. */
  slice(visual: EmbeddedVisual, filters: Filter[]): void
  press(visual: EmbeddedVisual): void
}

/** A visual without rows: drawn at once from its definition, and updated with the state. */
interface Control {
  element: HTMLElement
  /** Shows the filters in force; an embedder or a bookmark may have changed them. */
  update(filters: readonly Filter[]): void
  /** Fetches the slicer's values again: the data may have changed. */
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

/** Creates the author's text as paragraphs; it is never parsed as HTML. */
const createText = ({ title, text = [] }: EmbeddedVisual): HTMLElement => {
  const paragraphs = (Array.isArray(text) ? text : [text]).filter((paragraph) => paragraph.trim())
  return el(
    'div',
    { class: 'text-body', tabindex: 0, role: 'group', 'aria-label': title },
    ...paragraphs.map((paragraph) => el('p', {}, paragraph)),
  )
}

const createButton = ({ title, subtitle }: EmbeddedVisual, press: () => void): HTMLElement =>
  buttonWith(
    press,
    { class: 'action' },
    el('span', { class: 'action-title' }, title),
    subtitle && el('span', { class: 'action-subtitle' }, subtitle),
  )

import type { EmbeddedVisual, Filter } from '../../embed-contract.ts'
import { createButton } from './button-visual.ts'
import { el } from './dom.ts'
import type { LoadValues } from './filter-group.ts'
import { createNotice } from './notice.ts'
import { createSkeleton } from './skeleton.ts'
import type { Slicer } from './slicer.ts'
import { createText } from './text-visual.ts'
import type { ValueLooks } from './value-looks.ts'

export interface ControlActions {
  loadValues: LoadValues
  /** What a slicer of the active page lets through. */
  slice(visual: EmbeddedVisual, filters: Filter[]): void
  press(visual: EmbeddedVisual): void
}

/** A visual without rows: it is drawn from its definition, at once, and follows the state. */
export function createControl(visual: EmbeddedVisual, looks: ValueLooks, actions: ControlActions) {
  if (visual.type === 'text') return still(createText(visual))
  if (visual.type === 'button') return still(createButton(visual, () => actions.press(visual)))

  const element = el('div', { class: 'control' }, createSkeleton('slicer'))
  let slicer: Slicer | undefined
  let filters: readonly Filter[] = []

  async function load() {
    try {
      const { createSlicer } = await import('./slicer.ts')
      slicer = createSlicer(visual, looks, actions.loadValues, (chosen) => actions.slice(visual, chosen))
      element.replaceChildren(slicer.element)
      slicer.update(filters)
    } catch (cause) {
      console.error(cause)
      element.replaceChildren(
        createNotice('Não foi possível mostrar esta segmentação.', undefined, () => void load()),
      )
    }
  }
  void load()

  return {
    element,
    update(inForce: readonly Filter[]) {
      filters = inForce
      slicer?.update(filters)
    },
    refresh: () => slicer?.refresh(),
  }
}

const still = (element: HTMLElement) => ({
  element,
  update: (_filters: readonly Filter[]) => {},
  refresh: () => {},
})

import type { Cell, EmbeddedVisual, Filter } from '../../../contract/embed-contract.ts'
import { cellText } from '../../state/filter-text.ts'
import { el } from '../style/dom.ts'
import { findValueFormat, type ValueFormats } from '../style/value-formats.ts'
import { createDateRange } from './date-range.ts'
import { createValuePicker, type LoadValues } from './filter-group.ts'

export interface Slicer {
  element: HTMLElement
  /** Shows the filters in force; an embedder or a bookmark may have changed them. */
  update(filters: readonly Filter[]): void
  /** Fetches its values again: the data may have changed. */
  refresh(): void
}

/** Creates a slicer, which filters its page by one column in addition to all other filters. */
export function createSlicer(
  visual: EmbeddedVisual,
  valueFormats: ValueFormats,
  loadValues: LoadValues,
  change: (filters: Filter[]) => void,
): Slicer {
  const { target, style, single } = visual.slicer ?? {
    target: { table: '', column: '' },
    style: 'list',
    single: false,
  }
  const clear = el(
    'button',
    { type: 'button', class: 'link clear', 'aria-label': `Limpar ${visual.title}` },
    'Limpar',
  )
  clear.addEventListener('click', () => {
    // The button is hidden once the filter is cleared.
    element.querySelector<HTMLElement>('input:not([hidden])')?.focus()
    change([])
  })
  const choose = (filter: Filter | undefined) => change(filter ? [filter] : [])
  const text = (value: Cell) =>
    (typeof value === 'string' ? findValueFormat(valueFormats, value)?.label : undefined) ?? cellText(value)
  const dates = style === 'dateRange' && createDateRange(target, visual.title, loadValues, choose)
  const picker =
    dates ||
    createValuePicker(target, visual.title, loadValues, text, choose, { search: style === 'search', single })
  const element = el('div', { class: `slicer slicer-${style}` }, clear, picker.element)

  return {
    element,
    update(filters) {
      clear.hidden = filters.length === 0
      picker.open()
      picker.update(filters[0], false)
    },
    refresh: () => picker.refresh(true),
  }
}

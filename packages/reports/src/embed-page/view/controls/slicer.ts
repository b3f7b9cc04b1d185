import { cellText } from '@bi-manager/contract/filter-text'
import type { Cell, ColumnKind, EmbeddedVisual, Filter } from '../../../wire/embed-contract.ts'
import { buttonWith, el } from '../style/dom.ts'
import { findValueFormat, type ValueFormats } from '../style/value-formats.ts'
import { createDateRange } from './date-range.ts'
import { createValuePicker, type LoadValues } from './value-picker.ts'

/** Creates a slicer, which filters its page by one column in addition to all other filters. */
export const createSlicer = (
  visual: EmbeddedVisual,
  valueFormats: ValueFormats,
  loadValues: LoadValues,
  change: (filters: Filter[]) => void,
) => {
  const { target, style, single } = visual.slicer ?? {
    target: { table: '', column: '' },
    style: 'list',
    single: false,
  }
  const clearFilter = () => {
    // The button is hidden once the filter is cleared.
    element.querySelector<HTMLElement>('input:not([hidden])')?.focus()
    change([])
  }
  const attributes = { class: 'link clear', 'aria-label': `Limpar ${visual.title}` }
  const clear = buttonWith(clearFilter, attributes, 'Limpar')
  const choose = (filter: Filter | undefined) => change(filter ? [filter] : [])
  const text = (value: Cell, kind: ColumnKind | undefined) =>
    (typeof value === 'string' ? findValueFormat(valueFormats, value)?.label : undefined) ??
    cellText(value, kind)
  const dates = style === 'dateRange' && createDateRange(target, visual.title, loadValues, choose)
  const picker =
    dates ||
    createValuePicker(target, visual.title, loadValues, text, choose, { search: style === 'search', single })
  const element = el('div', { class: `slicer slicer-${style}` }, clear, picker.element)

  return {
    element,
    update(filters: readonly Filter[]) {
      clear.hidden = filters.length === 0
      picker.open()
      picker.update(filters[0], false)
    },
    refresh: () => picker.refresh(true),
  }
}

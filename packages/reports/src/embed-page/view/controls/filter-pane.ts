import { cellText, describeFilter } from '@bi-manager/contract/filter-text'
import type { Cell, ColumnKind, Filter, Target } from '../../../wire/embed-contract.ts'
import { display, isVisible } from '../../state/filter-display.ts'
import { kindOfColumn } from '../../state/filter-words.ts'
import { sameTarget } from '../../state/filters.ts'
import {
  activePage,
  type FilterScope,
  filtersOf,
  filtersOnPage,
  type ReportState,
  slicerOf,
} from '../../state/report-state.ts'
import { buttonWith, el } from '../style/dom.ts'
import { findValueFormat } from '../style/value-formats.ts'
import type { ControlActions } from './control-visual.ts'
import { createValuePicker } from './value-picker.ts'

interface FilterActions extends Pick<ControlActions, 'loadValues' | 'slice'> {
  /** Replaces the filters of the report, or of one of its pages. */
  change(scope: FilterScope, filters: Filter[]): void
  close(): void
}

/** Creates the pane: lists of values for the author's columns, all other filters as text. */
export const createFilterPane = (actions: FilterActions) => {
  const close = buttonWith(actions.close, { class: 'icon', 'aria-label': 'Fechar filtros' }, '×')
  const clearAll = buttonWith(clearUnlocked, { class: 'link' }, 'Limpar tudo')
  const list = el('div', {
    class: 'filter-list',
    tabindex: 0,
    role: 'group',
    'aria-label': 'Lista de filtros',
  })
  const others = el('div', { class: 'filter-others' })
  const element = el(
    'aside',
    { class: 'filters', id: 'filters', 'aria-label': 'Filtros' },
    el('header', {}, el('h2', {}, 'Filtros'), clearAll, close),
    list,
  )
  let shown: ReportState | undefined
  let groups: ReturnType<typeof createGroup>[] = []

  function clearUnlocked() {
    if (!shown) return
    const locked = shown.reportFilters.filter(isLocked)
    if (shown.reportFilters.length > locked.length) actions.change({}, locked)
    const onPage = filtersOf(shown, { page: shown.activePage })
    const lockedOnPage = onPage.filter(isLocked)
    if (onPage.length > lockedOnPage.length) actions.change({ page: shown.activePage }, lockedOnPage)
    for (const { visual } of slicersInForce(shown)) actions.slice(visual, [])
  }

  function replace(target: Target, filter: Filter | undefined) {
    if (!shown) return
    const kept = shown.reportFilters.filter((old) => !sameTarget(old, { target }))
    actions.change({}, filter ? [...kept, filter] : kept)
  }

  const text = (value: Cell, kind: ColumnKind | undefined) =>
    (typeof value === 'string' ? findValueFormat(shown?.report.values ?? {}, value)?.label : undefined) ??
    cellText(value, kind)
  const textIn = (report: ReportState['report'], target: Target) => {
    const kind = kindOfColumn(report, target)
    return (value: Cell) => text(value, kind)
  }

  function createGroup({ target, label }: ReportState['report']['filterPane'][number], index: number) {
    const summary = el('span', { class: 'filter-summary' })
    const attributes = { class: 'link', 'aria-label': `Limpar ${label}` }
    const clear = buttonWith(() => replace(target, undefined), attributes, 'Limpar')
    const picker = createValuePicker(target, label, actions.loadValues, text, (filter) =>
      replace(target, filter),
    )
    const group = el(
      'details',
      { class: 'filter', 'data-target': `${target.table}.${target.column}` },
      el('summary', {}, el('span', { class: 'filter-label' }, label), summary),
      el('div', { class: 'filter-body' }, clear, picker.element),
    )
    group.addEventListener('toggle', () => group.open && picker.open())
    group.open = index === 0
    return { target, element: group, summary, clear, picker }
  }

  return {
    element,
    /** Fetches open lists again, and others when they are opened: the data may have changed. */
    refreshValues() {
      for (const { element, picker } of groups) picker.refresh(element.open)
    },
    update(state: ReportState) {
      if (shown?.report !== state.report) {
        groups = state.report.filterPane.map(createGroup)
        list.replaceChildren(...groups.map((group) => group.element), others)
      }
      shown = state
      for (const group of groups) {
        const filter = state.reportFilters.findLast((candidate) => sameTarget(candidate, group))
        const locked = filter !== undefined && isLocked(filter)
        group.summary.textContent = filter
          ? describeFilter(filter, textIn(state.report, group.target))
          : 'todos'
        group.element.classList.toggle('active', filter !== undefined)
        group.clear.hidden = !filter || locked
        group.picker.update(filter, locked)
      }
      const inGroups = new Set(
        groups.map(({ target }) => state.reportFilters.findLast((filter) => sameTarget(filter, { target }))),
      )
      others.replaceChildren(
        ...describeOthers(
          filtersOnPage(state, state.activePage).filter((filter) => !inGroups.has(filter)),
          ({ target }) => textIn(state.report, target),
          new Map(
            slicersInForce(state).flatMap(({ visual, filters }) =>
              filters.map((filter) => [filter, visual.title]),
            ),
          ),
        ),
      )
      clearAll.hidden = !filtersOnPage(state, state.activePage).some((filter) => !isLocked(filter))
    },
  }
}

/** Counts the filters that readers may see. */
export const countFilters = (state: ReportState) =>
  filtersOnPage(state, state.activePage).filter(isVisible).length

const isLocked = (filter: Filter) =>
  Boolean(display(filter).isLockedInViewMode || display(filter).isHiddenInViewMode)

const slicersInForce = (state: ReportState) =>
  activePage(state).visuals.flatMap((visual) => {
    const filters = slicerOf(state, state.activePage, visual.name)
    return filters.length ? [{ visual, filters }] : []
  })

/** `titles` names, by filter, the slicer it comes from. */
const describeOthers = (
  filters: Filter[],
  textOf: (filter: Filter) => (value: Cell) => string,
  titles: ReadonlyMap<Filter, string>,
): HTMLElement[] => {
  const visible = filters.filter(isVisible)
  if (!visible.length) return []
  return [
    el('h3', {}, 'Outros filtros em vigor'),
    el(
      'ul',
      {},
      ...visible.map((filter) =>
        el(
          'li',
          {},
          el('b', {}, titles.get(filter) ?? display(filter).displayName ?? filter.target.column),
          ` ${describeFilter(filter, textOf(filter))}`,
        ),
      ),
    ),
  ]
}

import { describeFilter } from '@bi-manager/contract/filter-text'
import type { Cell, EmbeddedVisual, Filter, VisualFilter } from '../../wire/embed-contract.ts'
import { display, isVisible } from './filter-display.ts'
import { labelOf, valueWords } from './filter-words.ts'
import { filtersOnPage, findPage, type ReportState } from './report-state.ts'

/**
 * Returns one line for each thing that narrows a page: the filters of report, panel, page and
 * slicers that readers may see, the selection, and the filters and drill paths of single visuals.
 * From more than `most` values, a filter counts them.
 */
export const filterLines = (state: ReportState, pageName: string, most?: number): string[] => {
  const { report, selection } = state
  const page = findPage(state, pageName)
  const text = valueWords(report)
  const levelWords = (drill: EmbeddedVisual['drill'], level: number, value: Cell) =>
    text(undefined, drill?.levels[level]?.kind)(value)
  const titleOf = (name: string) => page.visuals.find((visual) => visual.name === name)?.title ?? name
  const inWords = (filter: Filter) => {
    const words = describeFilter(filter, text(filter.target), most)
    if (words === 'todos') return []
    const label = labelOf(filter.target, report)
    const named = label === filter.target.column ? (display(filter).displayName ?? label) : label
    return [`${named} ${words}`]
  }
  const ofVisual = (filter: VisualFilter) =>
    isOrdinary(filter) ? (isVisible(filter) ? inWords(filter) : []) : ['itens escolhidos']
  const isPicked = selection !== undefined && state.activePage === pageName
  return [
    ...filtersOnPage(state, pageName).filter(isVisible).flatMap(inWords),
    ...(isPicked
      ? [
          `Seleção em “${titleOf(selection.visual)}”: ${text(selection.filters.at(-1)?.target)(selection.value)}`,
        ]
      : []),
    ...page.visuals.flatMap(({ name, title, drill }) => {
      const key = `${pageName}/${name}`
      const path = state.drill[key] ?? []
      return [
        ...(state.visualFilters[key] ?? []).flatMap(ofVisual).map((words) => `Só em “${title}”: ${words}`),
        ...(path.length
          ? [
              `Nível aberto em “${title}”: ${path.map((value, level) => levelWords(drill, level, value)).join(' › ')}`,
            ]
          : []),
      ]
    }),
  ]
}

/** Top N and lists of points belong to one visual, and have no short sentence. */
const isOrdinary = (filter: VisualFilter): filter is Filter =>
  !Array.isArray(filter.target) && !('isExclude' in filter) && !('itemCount' in filter)
